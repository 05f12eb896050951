import Platform
import Syncing
import Wording

extension StoreJoinFault {
  /// The report for an invitation or a join through a sealed store.
  var told: Told {
    switch self {
    case .notAStore(let name):
      Told(
        "not-a-store", .refused,
        "\(name.visible) is not a sealed store, so no device can join through it.\n"
          + "'daybook peers' lists the peers; 'daybook peer add NAME DIR --sealed' adds a sealed folder, "
          + "and 'daybook peer add NAME s3://BUCKET' adds a bucket.")
    case .noStore(let place):
      Told(
        "no-store", .refused,
        "the sealed store of the invitation is not in \(place.string.visible). "
          + "If it is a folder that has another path on this device, or whose disk has not been mounted, "
          + "run 'daybook join --folder DIR'. If it is a bucket, check that it was not emptied.")
    case .waiting(let place):
      Told(
        "join-waiting", .refused,
        "this device has asked to join a book through \(place.string.visible), and has not joined it yet.\n"
          + "Run 'daybook sync' on the inviting device, and then 'daybook sync' here.")
    case .used:
      Told(
        "invitation", .refused,
        "that invitation has already been used by another device; each invitation admits one device.\n"
          + Self.newInvitation)
    case .refused(let code):
      Told("invitation", .refused, Self.text(of: Refusal.Code(rawValue: code)))
    case .unanswered:
      Told(
        "invitation", .refused,
        "the inviting device did not answer within 24 hours, so the invitation has expired.\n"
          + "\(Self.newInvitation) Sync the inviting device with the store soon after this one has used it."
      )
    }
  }

  private static func text(of code: Refusal.Code?) -> String {
    switch code {
    case .expiredInvitation:
      "that invitation has expired; each invitation through a store is valid for 24 hours.\n"
        + newInvitation
    case .declined:
      "the user of the inviting device declined to admit this device, or cancelled the invitation.\n"
        + "If that was a mistake, ask that user for a new invitation."
    case .cannotAdmit:
      "the inviting device is not admitted to its book, so it cannot admit others.\n"
        + "Ask for an invitation from an admitted device."
    case .revokedKey:
      "this device was revoked in that book, and a revoked key cannot be admitted again.\n"
        + "Run 'daybook device rekey' on this device, and ask for a new invitation."
    default: "the inviting device refused to admit this device.\n" + newInvitation
    }
  }

  private static let newInvitation =
    "Run 'daybook invite --via NAME' on the inviting device to get a new one."
}

extension Told {
  /// The report that an earlier join into a folder was not finished.
  static func joinBegun(in folder: Path) -> Told {
    Told(
      "join-begun", .refused,
      "an earlier 'daybook join' into \(folder.string.visible) was not finished. Join again.\n"
        + "To make a new book instead, choose another folder, or remove this one first.")
  }
}
