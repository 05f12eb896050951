import Bytes
import Daybook
package import Phrasing
import Platform
import Syncing

/// Syncs with all remembered peers.
struct SyncRound {
  let context: CommandContext
  private var output: Output { context.output }
  private var receipts: ReceiptPresenter { ReceiptPresenter(context: context) }

  /// Syncs with all remembered peers, and reports each sync as it ends.
  func run(admitting: Bool) throws {
    let book = try context.book()
    let contacts = try book.contactBook.contacts()
    if contacts.isEmpty { throw ConsoleError.noPeers }
    let reachable = contacts.filter { $0.address != nil }
    if reachable.isEmpty { throw ConsoleError.noAddresses }
    var answers: [(name: String, json: JSON)] = []
    var worst = ExitCode.done
    var failure: (any Error)?
    let guests = GuestPresenter(context: context)
    var asking: [Contact] = []
    let isPostponing = if case .admit = guests.greeting { false } else { true }
    try ParallelSync(of: book).run(
      with: reachable, admitting: admitting, postponingGuests: isPostponing
    ) { meeting in
      do {
        if meeting.hasGuests, output.isAnswering {
          // The sync is repeated below, when the user can be asked.
          asking.append(meeting.contact)
          return
        }
        let json = try tell(meeting)
        answers.append((meeting.contact.name, json))
      } catch {
        failure = failure ?? error
      }
      worst = max(worst, context.exit)
      context.exit = .done
    }
    if let failure { throw failure }
    for contact in asking {
      output.say("With \(contact.name.visible):")
      guard let address = contact.address else { continue }
      let receipt = try book.replicator.sync(
        with: address, admission: admitting ? .newcomers : .never, greeting: guests.greeting)
      try receipts.tellChanges(of: receipt)
      receipts.tellRest(of: receipt)
      worst = max(worst, context.exit)
      context.exit = .done
    }
    if output.isJSON { output.answer(.array(answers.sorted { $0.name < $1.name }.map(\.json))) }
    // Report this once instead of for each peer.
    OwnEventNotices(output: output).tellStranded(try book.ownEvents.countOfStranded())
    context.exit = worst
  }

  /// Reports one of several syncs, and returns its result as JSON.
  private func tell(_ meeting: Meeting) throws -> JSON {
    let name = JSON.Member("peer", .string(meeting.contact.name))
    switch meeting.visit {
    case .failed(let error):
      let json = tell(told(error, meeting.contact), of: meeting.contact, name)
      receipts.tell(meeting.stripped)
      return json
    case .done(let receipt):
      output.say("With \(meeting.contact.name.visible):")
      if !output.isJSON { try receipts.tellChanges(of: receipt) }
      receipts.tellRest(of: receipt)
      return .object([name] + (try receipts.json(of: receipt).members ?? []))
    }
  }

  /// Returns the message for a failed sync; a missing folder is not a fault, because a stick may not be plugged in.
  private func told(_ error: DaybookError, _ contact: Contact) -> Told {
    if case .sync(.noFolder(let path)) = error { return .away(path, name: contact.name) }
    guard let path = contact.address?.path, let fault = error.diskFault, fault.path == path,
      fault.reason == .notFound
    else { return error.told }
    return .away(path, name: contact.name)
  }

  private func tell(_ told: Told, of contact: Contact, _ name: JSON.Member) -> JSON {
    context.exit = told.exit
    if !output.isJSON { output.note("\(contact.name.visible): \(told.text)") }
    let fault = JSON.object(("code", .string(told.code)), ("message", .string(told.text)))
    return .object([name, JSON.Member("error", fault)])
  }
}

extension ExitCode: Comparable {
  /// The exit codes from the least to the most severe.
  ///
  /// The first codes require no action from the user; the last codes require immediate attention.
  private static let bySeverity: [ExitCode] = [
    .done, .network, .busy, .usage, .refused, .dataFault, .cannotWrite,
  ]

  private var severity: Int { Self.bySeverity.firstIndex(of: self) ?? 0 }

  package static func < (left: ExitCode, right: ExitCode) -> Bool {
    left.severity < right.severity
  }
}
