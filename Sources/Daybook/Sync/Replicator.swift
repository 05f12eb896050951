package import Bytes
import Domain
import Journaling
package import Platform
package import Syncing

/// Syncs the book with a peer.
package struct Replicator {
  let store: LogStore
  let localDevice: LocalDevice
  let projector: Projector
  let deviceList: DeviceList
  let admin: DeviceAdmin
  let shelves: ShelfKeeper
  let settler: SyncSettler
  let contactBook: ContactBook
  let peerNotes: PeerNotes
  let receipts: ReceiptBuilder
  let holdingsReader: HoldingsReader
  let exchange: PeerExchange

  /// Syncs with a peer, so that both hold the same events afterwards.
  ///
  /// Unknown devices are admitted according to `admission`, if this device is itself admitted. A machine that is dialed
  /// must show the key that is remembered for it; if there is none, the key in `pin`; and if that is nil, the key of a
  /// device of the book. Otherwise, the connection is refused, regardless of `admission`. If `comparing` is set, the
  /// receipt compares the events that both sides held before the sync. Devices that join through a sealed store by an
  /// invitation of this device are received according to `greeting`.
  package func sync(
    with peer: PeerAddress, admission: Admission = .never, pin: Pin? = nil,
    comparing: Bool = false, greeting: GuestGreeting = .admit
  ) throws(DaybookError) -> Receipt {
    try settler.prepareToSync()
    let peer = try exchange.resolved(peer, knowing: contactBook)
    let emptied = emptiedFault(of: peer)
    let known = try contactBook.contactPin(at: peer)
    let pin = known?.pin ?? pin
    let before = try holdingsReader.holdings()
    let ours = comparing ? exchange.replica.hello.frontier : .nothing
    let offer = comparing ? try offer(of: peer) : nil
    return try projector.replayer.countingNews(behind: before.counted) { () throws(DaybookError) in
      try tellingWhatCame(since: before) { () throws(DaybookError) in
        let syncOutcome: SyncOutcome
        do throws(DaybookError) {
          syncOutcome = try exchange.run(with: peer, pin: pin, refusingEmpty: emptied)
        } catch {
          // Without the note, only a report is missing, so the reason why the sync failed matters more.
          if error.isRejectionOfKey { try? noteRejection(true, by: peer) }
          let explained = contactBook.explainingRevocation(error, at: peer)
          throw known?.explaining(explained) ?? explained
        }
        var receipt = try conclude(
          syncOutcome, with: peer, pin, admission, greeting, since: before)
        // The sync has succeeded, and the next sync repeats this note.
        try? noteRejection(false, by: peer)
        if comparing {
          receipt.comparison = try comparison(
            of: ours, with: offer ?? Offer(held: syncOutcome.told.heldRanges))
        }
        return receipt
      }
    }
  }

  /// Notes whether a machine has rejected the key of this device.
  private func noteRejection(_ isRejecting: Bool, by peer: PeerAddress) throws(DaybookError) {
    let notes = RejectionNotes(localDevice: localDevice, projector: projector)
    try notes.note(isRejecting, by: peer, of: contactBook)
  }

  /// Folds received events, admits devices, and builds the receipt.
  private func conclude(
    _ first: SyncOutcome, with peer: PeerAddress, _ pin: Pin?, _ admission: Admission,
    _ greeting: GuestGreeting, since before: Holdings
  ) throws(DaybookError) -> Receipt {
    var syncOutcome = first
    try settler.settleAfterSync()
    try noteWaiting(in: first, at: peer)
    let waiting = try deviceList.waitingDevices()
    let chosen = try shelves.uncut(waiting.filter(admission.admits))
    let mayAdmit = try deviceList.isAdmitted()
    let guests = try exchange.storeDesk.receive(first.knocks, greeting: greeting, at: peer)
    let isAdmitting = mayAdmit && !chosen.isEmpty
    if isAdmitting {
      try admin.admit(chosen, by: peer.admissionRoute, ifWaiting: true)
    }
    if isAdmitting || guests.contains(where: { $0.fate != .waiting }) {
      // The admitted devices must receive their admissions, and their events take effect from now on.
      let second = try exchange.run(with: peer, pin: pin)
      syncOutcome.add(second)
      try settler.settleAfterSync()
      try noteWaiting(in: second, at: peer)
    }
    // If the peer could not be given all events, the sync is not considered finished.
    if syncOutcome.hasLeftAll { try contactBook.noteSync(with: syncOutcome, at: peer) }
    var receipt = try receipts.receipt(
      syncOutcome, since: try holdingsReader.holdings(before, besides: syncOutcome),
      admitted: mayAdmit ? chosen : [],
      couldNotAdmit: !mayAdmit && !chosen.isEmpty)
    receipt.guests = guests
    return receipt
  }

  /// Notes how many objects of a sealed store waited for a key.
  private func noteWaiting(
    in syncOutcome: SyncOutcome, at peer: PeerAddress
  ) throws(DaybookError) {
    guard case .store = peer, let count = syncOutcome.waitingCount else { return }
    try contactBook.noteWaiting(count, at: peer)
  }

  /// Runs a sync.
  ///
  /// If the disk fails, the error states whether events were stored before the failure.
  private func tellingWhatCame(
    since before: Holdings, _ sync: () throws(DaybookError) -> Receipt
  ) throws(DaybookError) -> Receipt {
    do throws(DaybookError) { return try sync() } catch {
      guard error.diskFault != nil else { throw error }
      // If the journal cannot be read now, the error does not claim that events were stored.
      try? store.refreshJournal()
      let own = (try? localDevice.lastOwnLog) ?? nil
      let hasCome = store.heldEvents().contains { replica, events in
        replica != own && events > before.held[replica] ?? 0
      }
      throw hasCome ? .storedBefore(.arrivals, error) : error
    }
  }

  /// The error for a remembered folder that contained a book at an earlier sync but now contains none; nil if the
  /// folder may be empty.
  ///
  /// Most likely its disk is not mounted. Files written to the mount point would not reach any device.
  private func emptiedFault(of peer: PeerAddress) -> DaybookError? {
    // A damaged list of peers is reported when it is needed.
    let contact = try? contactBook.contacts().first { contact in
      contact.synced != nil && contact.address?.isSame(as: peer) == true
    }
    return contact.flatMap { contact in
      contact.synced.map { .emptiedPeer(contact.name, peer, since: $0) }
    }
  }

  /// The address to remember for a peer; for a folder with a sealed store of this book, this is the store.
  ///
  /// - Throws: ``SyncError/isSealed(_:)`` if the folder contains only stores that this device cannot open.
  package func discovered(_ peer: PeerAddress) throws(DaybookError) -> PeerAddress {
    guard case .directory(let folder) = peer else { return peer }
    return try exchange.discovered(in: folder) ?? peer
  }

  /// The books in a folder, if this book is not among them.
  package func strangers(in folder: Path) throws(DaybookError) -> [UniqueID] {
    let books = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: store.machine).books()
    }
    return books.contains(store.file.book) ? [] : books
  }

  /// Writes the events of the book to a file from which other devices can sync.
  ///
  /// Events that the device `peer` is known to hold are omitted. The device is given by name, id or the first words of
  /// its fingerprint.
  package func writeBundle(
    to path: Path, since peer: String? = nil
  ) throws(DaybookError) -> Bundle.Receipt {
    try settler.prepareToSync()
    let frontier = try peer.map(knownFrontier) ?? .nothing
    let guest = BookReplica(of: exchange.replica)
    var receipt = try wrap(DaybookError.sync) { () throws(SyncError) in
      try Bundle.write(to: path, from: guest, since: frontier, on: store.machine)
    }
    receipt.withheld = guest.withheld
    return receipt
  }

  /// The events that a device is known to hold: the events of its last statement or, without a statement, the events
  /// that its log lists as seen.
  private func knownFrontier(_ name: String) throws(DaybookError) -> Frontier {
    let device = try deviceList.device(called: name)
    if let met = try peerNotes.peers().peers[device.replica] { return met.frontier }
    return Frontier(try placesSeen(by: device.replica))
  }

  /// The places that the log of a device lists as seen, and the log itself.
  private func placesSeen(by device: UniqueID) throws(DaybookError) -> [Place] {
    var seen: [UniqueID: UInt64] = [:]
    let causality = try projector.posting().causality
    if let author = causality.number(of: device) {
      for log in store.journal.logs.keys {
        guard let other = causality.number(of: log) else { continue }
        seen[log] = causality.lastSeen(of: other, by: author)
      }
    }
    seen[device] = store.journal.end(of: device, on: .logs)?.sequence
    var places: [Place] = []
    for (log, sequence) in seen.sorted(by: { $0.key < $1.key }) where sequence > 0 {
      let last = min(sequence, store.journal.end(of: log, on: .logs)?.sequence ?? 0)
      let hash = try wrap(DaybookError.journal) { () throws(JournalError) in
        try store.journal.hash(of: log, at: last)
      }
      guard let hash else { continue }
      places.append(Place(log: store.journal.lineage(of: log).replica, sequence: last, hash: hash))
    }
    return places
  }

  /// Stores the events in copies of logs.
  func take(_ copies: LogCopies) throws(DaybookError) -> Receipt {
    try settler.prepareToSync()
    let before = try holdingsReader.holdings()
    return try projector.replayer.countingNews(behind: before.counted) { () throws(DaybookError) in
      let syncOutcome = try wrap(DaybookError.sync) { () throws(SyncError) in
        try SyncOutcome(taking: copies, into: exchange.replica)
      }
      try settler.settleAfterSync()
      return try receipts.receipt(syncOutcome, since: before)
    }
  }
}
