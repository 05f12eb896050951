import Bytes
import Daybook
import Phrasing
import Platform
import Syncing

/// Invites a device through a sealed store, and cancels such invitations.
struct InviteThroughStore {
  let context: CommandContext
  private var output: Output { context.output }

  /// Makes an invitation through a remembered store.
  ///
  /// - Parameters:
  ///   - name: The name of the store.
  ///   - isAsking: Whether the user is asked before the device is admitted.
  ///   - showCode: Shows the QR code of the invitation, if the user wants it.
  /// - Throws: An error of the book, or ``StoreJoinFault/notAStore(_:)``.
  func run(_ name: String, asking isAsking: Bool, showCode: (String) -> Void) throws {
    let book = try context.book()
    let contact = try book.contactBook.contact(called: name)
    guard case .store(let address)? = contact.address else {
      throw DaybookError.storeJoin(.notAStore(name))
    }
    let invited = try book.invitations.storeDesk.invite(through: address, asking: isAsking)
    let text = invited.invitation.text
    if output.isJSON {
      output.answer(
        .object(
          ("invitation", .string(text)), ("address", .string(PeerAddress.store(address).text)),
          ("alternatives", .array([])), ("until", .string(Instant.text(invited.end)))))
      return
    }
    output.say("On the other machine, within 24 hours, run 'daybook join' and enter this:\n")
    output.answer(["  \(text)"])
    output.say("\nThe invitation admits one device, once. Keep it private.")
    output.say(
      "This device does not have to stay on. After the other machine has asked to join, "
        + "run 'daybook sync \(name.quoted.visible)' here, and then 'daybook sync' there.")
    tellWay(to: address.place)
    showCode(text)
  }

  /// Says what the other machine needs besides the invitation.
  private func tellWay(to place: StorePlace) {
    let location = place.location.string.visible
    if place.folder == nil {
      output.say(
        "The other machine needs its own credentials for \(location), because the invitation contains none. "
          + "Put them there first, as 'daybook help environment' describes.")
    } else {
      output.say(
        "If \(location) has another path on the other machine, add --folder DIR to 'daybook join'.")
    }
  }

  /// Ends all open invitations through stores.
  func cancel() throws {
    let count = try context.book().invitations.storeDesk.cancel()
    if output.isJSON {
      return output.answer(.object(("cancelled", .integer(Int64(count)))))
    }
    output.say(
      count == 0
        ? "No invitation through a store is open."
        : "Cancelled \(count == 1 ? "1 invitation" : "\(count) invitations"). "
          + "The next sync with the store tells the device that asks to join.")
  }
}
