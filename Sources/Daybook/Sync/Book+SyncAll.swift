import Platform
import ReadModel
import Synchronization

/// How a sync with one of the remembered peers went.
package struct Meeting: Sendable {
  package var contact: Contact
  package var visit: Book.Visit
}

extension Book {
  /// One visit of a peer: what it came to, or why it failed.
  package enum Visit: Sendable {
    case done(Receipt)
    case failed(DaybookError)
  }

  /// Syncs with peers that are remembered, with all at once where the machine can, and tells of each as it ends.
  ///
  /// Each has a book of its own over the same folder, as another process would; so who cannot be reached keeps
  /// nobody waiting.
  package func sync(
    withAll contacts: [Contact], admitting: Bool, met: (Meeting) -> Void
  ) throws(DaybookError) {
    // Once for all of them.
    _ = try view()
    guard let beside = machine.beside, contacts.count > 1 else {
      for contact in contacts { met(Meeting(contact: contact, visit: visit(contact, admitting))) }
      return
    }
    let ended = Mutex<[Meeting]>([])
    for contact in contacts {
      let opening = Opening(of: self)
      beside {
        let meeting = opening.meet(contact, admitting)
        ended.withLock { $0.append(meeting) }
      }
    }
    var count = 0
    while count < contacts.count {
      let news = ended.withLock { ended in
        defer { ended = [] }
        return ended
      }
      if news.isEmpty {
        machine.timekeeper.pause(milliseconds: Self.lookMilliseconds)
      } else {
        // The other books wrote to the same folder, and this one is asked about it.
        try reloadFile()
        try refreshJournal()
      }
      for meeting in news { met(meeting) }
      count += news.count
    }
  }

  /// How often it is looked whether a sync has ended.
  private static let lookMilliseconds: Int64 = 2

  fileprivate func visit(_ contact: Contact, _ admitting: Bool) -> Visit {
    do throws(DaybookError) {
      guard let address = contact.address else { throw .noAddress(contact.name) }
      return .done(try sync(with: address, admission: admitting ? .always : .never))
    } catch {
      return .failed(error)
    }
  }

  /// What it takes to open the same book on another thread.
  package struct Opening: Sendable {
    private let folder: Path
    private let machine: Machine
    private let place: ReadModel.Place
    private let witness: Path?

    package init(of book: Book) {
      (folder, machine) = (book.layout.folder, book.machine)
      (place, witness) = (book.place, book.witness)
    }

    package func open() throws(DaybookError) -> Book {
      try Book(at: folder, on: machine, view: place, witness: witness)
    }

    fileprivate func meet(_ contact: Contact, _ admitting: Bool) -> Meeting {
      do throws(DaybookError) {
        let book = try open()
        return Meeting(contact: contact, visit: book.visit(contact, admitting))
      } catch {
        return Meeting(contact: contact, visit: .failed(error))
      }
    }
  }
}
