import Bytes
import Daybook
import Phrasing
import Platform
import Syncing

/// Joins a book through a sealed store, and continues a join that waits for the inviting device.
struct JoinThroughStore {
  let context: CommandContext
  private var output: Output { context.output }

  /// Begins a join, or continues it if it was begun with the same invitation.
  func begin(_ invitation: StoreInvitation, folder words: String?, _ isSure: Bool) throws {
    var invitation = invitation
    if let words {
      guard invitation.address.place.folder != nil else {
        throw ConsoleError.badValue(
          "--folder", words, "The store of the invitation is in a bucket, not in a folder.")
      }
      invitation.address.place = .folder(context.environment.path(words))
    }
    let question = "This device already has a book. Merge it into the other book?"
    let result: (book: Book, step: StoreJoining.Step)
    do throws(DaybookError) {
      result = try StoreJoining.begin(
        at: context.opener.folder, by: invitation, on: context.machine,
        deviceName: context.environment.hostName, view: context.environment.view,
        witness: context.environment.witness
      ) { _ in isSure || output.confirms(question) }
    } catch {
      switch error {
      case .declined where !context.environment.streams.isInputTerminal:
        throw ConsoleError.needsYes(question)
      case .sync(.noFolder(let path)): throw DaybookError.storeJoin(.noStore(path))
      default: throw error
      }
    }
    try tell(result)
  }

  /// Continues a join that waits, as a part of `daybook sync`.
  ///
  /// - Returns: Whether the sync is complete, because the book was joined or there is no book yet.
  /// - Throws: An error of the join.
  func resume() throws -> Bool {
    let result = try StoreJoining.resume(
      at: context.opener.folder, on: context.machine, view: context.environment.view,
      witness: context.environment.witness)
    guard let result else { return false }
    // A device that has a book of its own syncs it with its own peers while it waits.
    if case .waiting = result.step, result.book.id != .none,
      try result.book.contactBook.contacts().contains(where: { $0.address != nil })
    {
      output.note(
        "this device waits to join another book. Run 'daybook sync' on the inviting device, "
          + "and then again on this one.")
      return false
    }
    try tell(result)
    return true
  }

  private func tell(_ result: (book: Book, step: StoreJoining.Step)) throws {
    switch result.step {
    case .joined(let receipt):
      try JoinBook(context: context).tell((result.book, receipt))
      output.say("'daybook sync' now syncs with the store.")
    case .waiting: try tellWaiting(result.book)
    }
  }

  private func tellWaiting(_ book: Book) throws {
    let words = try book.core.localDevice.shownKey.words
    let place =
      try StoreJoining.pending(at: context.opener.folder, on: context.machine)?
      .invitation.address.place.location.string ?? ""
    // The device has not joined, so a script must not continue as if it had.
    context.exit = .network
    if output.isJSON {
      return output.answer(
        .object(
          ("isWaiting", .boolean(true)), ("store", .string(place)),
          ("fingerprint", .string(words))))
    }
    output.say(
      "Asked to join the book through \(place.visible). This device has not joined yet.\n"
        + "Next, run 'daybook sync' on the inviting device, and then 'daybook sync' on this one.\n"
        + "The inviting device may ask its user to compare these words: \(words)")
  }
}
