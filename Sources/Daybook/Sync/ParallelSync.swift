package import Journaling
import Platform
import ReadModel
import Synchronization

/// The result of a sync with one of the remembered peers.
package struct Meeting: Sendable {
  /// The result of one visit, which is a receipt or an error.
  package enum Visit: Sendable {
    case done(Receipt)
    case failed(DaybookError)
  }

  package var contact: Contact
  package var visit: Visit
  /// The data that a failed visit had removed while erasing bodies.
  package var stripped = StripReport()
  /// Whether a device asks to join, and the user has to be asked about it.
  package var hasGuests: Bool {
    guard case .done(let receipt) = visit else { return false }
    return receipt.guests.contains { $0.fate == .waiting }
  }

  fileprivate init(
    of book: Book, with contact: Contact, _ admitting: Bool, _ postponing: Bool
  ) {
    self.contact = contact
    do throws(DaybookError) {
      guard let address = contact.address else { throw .noAddress(contact.name) }
      visit = .done(
        try book.replicator.sync(
          with: address, admission: admitting ? .newcomers : .never,
          greeting: postponing ? .later : .admit))
    } catch {
      visit = .failed(error)
      stripped = book.eraser.takeReport()
    }
  }

  fileprivate init(with contact: Contact, failing error: DaybookError) {
    (self.contact, visit) = (contact, .failed(error))
  }
}

/// Syncs a book with several peers.
package struct ParallelSync {
  private let book: Book

  package init(of book: Book) { self.book = book }

  /// Syncs with remembered peers, all at once if the machine has threads, and reports each result when that sync ends.
  ///
  /// Each sync opens the same folder as a separate book, as another process would. Therefore, an unreachable peer does
  /// not delay the others. With `postponingGuests`, devices that join through a sealed store wait for the user's answer.
  package func run(
    with contacts: [Contact], admitting: Bool, postponingGuests postponing: Bool = false,
    met: (Meeting) -> Void
  ) throws(DaybookError) {
    // Update the read model once for all syncs.
    _ = try book.core.projector.view()
    guard let beside = book.machine.beside, contacts.count > 1 else {
      for contact in contacts { met(Meeting(of: book, with: contact, admitting, postponing)) }
      return
    }
    let ended = Mutex<[Meeting]>([])
    for queue in Self.queues(of: contacts) {
      let opening = BookOpening(of: book)
      beside {
        for contact in queue {
          let meeting = opening.meet(contact, admitting, postponing)
          ended.withLock { $0.append(meeting) }
        }
      }
    }
    var count = 0
    while count < contacts.count {
      let news = ended.withLock { ended in
        defer { ended = [] }
        return ended
      }
      if news.isEmpty {
        book.machine.timekeeper.pause(milliseconds: Self.lookMilliseconds)
      } else {
        // The other books have written to the same folder, so read `book.json` again.
        try book.core.store.folder.reloadFile()
        try book.core.store.refreshJournal()
      }
      for meeting in news { met(meeting) }
      count += news.count
    }
  }

  /// Divides the peers into queues; the syncs of one queue run one after another.
  ///
  /// All peers that the user may have to log in to share a queue, because two programs cannot ask for a password at
  /// once.
  private static func queues(of contacts: [Contact]) -> [[Contact]] {
    let logins = contacts.filter { if case .ssh? = $0.address { true } else { false } }
    let others = contacts.filter { if case .ssh? = $0.address { false } else { true } }
    return others.map { [$0] } + (logins.isEmpty ? [] : [logins])
  }

  /// The interval at which to check whether a sync has ended, in milliseconds.
  private static let lookMilliseconds: Int64 = 2
}

/// The arguments for opening the same book on another thread.
package struct BookOpening: Sendable {
  private let folder: Path
  private let machine: Machine
  private let place: ReadModel.Place
  private let witness: Path?

  package init(of book: Book) {
    (folder, machine) = (book.layout.folder, book.machine)
    (place, witness) = (book.core.projector.place, book.core.localDevice.witness)
  }

  package func open() throws(DaybookError) -> Book {
    try Book(at: folder, on: machine, view: place, witness: witness)
  }

  fileprivate func meet(_ contact: Contact, _ admitting: Bool, _ postponing: Bool) -> Meeting {
    do throws(DaybookError) {
      return Meeting(of: try open(), with: contact, admitting, postponing)
    } catch {
      return Meeting(with: contact, failing: error)
    }
  }
}
