import Bytes
import Daybook
import Phrasing
import Platform

extension OpenJoins {
  /// The open invitations, and the join that waits, each in one line without a full stop.
  func texts(_ timekeeper: any Timekeeper) -> [String] {
    let invitations = invited.map { invitation in
      "an invitation through \(invitation.peer.visible) is open until \(timekeeper.localText(of: invitation.end)); "
        + "'daybook sync' admits the device that uses it"
    }
    let own = knockedAt.map { place in
      "this device has asked to join another book through \(place.string.visible); "
        + "'daybook sync' joins it once the inviting device has synced"
    }
    return invitations + [own].compactMap(\.self)
  }

  /// The open invitations, and the join that waits, each as an object.
  var json: [JSON] {
    let invitations = invited.map { invitation in
      JSON.object(
        ("peer", .string(invitation.peer)), ("until", .string(Instant.text(invitation.end))),
        ("store", .null))
    }
    let own = knockedAt.map { place in
      JSON.object(("peer", .null), ("until", .null), ("store", .string(place.string)))
    }
    return invitations + [own].compactMap(\.self)
  }
}
