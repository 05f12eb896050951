package import Bytes
import Journaling
package import Platform
import Syncing

extension Book {
  /// Brings this book and another holder's to the same events.
  ///
  /// Devices met that nobody has admitted yet are admitted as `admission` says, if this device is itself. A machine
  /// that is dialled shows the key that is remembered of it, else the one it is pinned to, else that of a device of the
  /// book, or is not talked to, whoever is to be admitted. Where it is asked for, the receipt compares where both stood
  /// before.
  package func sync(
    with peer: PeerAddress, admission: Admission = .never, pin: Pin? = nil,
    comparing: Bool = false
  ) throws(DaybookError) -> Receipt {
    try refuseEmptied(peer)
    try prepareToSync()
    let known = try contactPin(at: peer)
    let pin = known?.pin ?? pin
    let before = try holdings()
    countsSince = before.counted
    defer { (countsSince, foldedNews) = (nil, [:]) }
    let ours = comparing ? hello.frontier : .nothing
    let offer = comparing ? try offer(of: peer) : nil
    return try tellingWhatCame(since: before) { () throws(DaybookError) in
      let talk: Talk
      do throws(DaybookError) { talk = try self.talk(with: peer, pin: pin) } catch {
        throw known?.explaining(error) ?? error
      }
      var receipt = try conclude(talk, with: peer, pin, admission, since: before)
      if comparing {
        receipt.comparison = try comparison(
          of: ours, with: offer ?? Offer(held: talk.told.heldRanges))
      }
      return receipt
    }
  }

  /// Takes in what a session has brought, and admits devices.
  private func conclude(
    _ first: Talk, with peer: PeerAddress, _ pin: Pin?, _ admission: Admission,
    since before: Holdings
  ) throws(DaybookError) -> Receipt {
    var talk = first
    try settleAfterSync()
    let waiting = try waitingDevices()
    let chosen = try uncut(waiting.filter(admission.admits))
    let mayAdmit = try isAdmitted()
    if mayAdmit, !chosen.isEmpty {
      try admit(chosen, by: peer.admissionRoute, ifWaiting: true)
      // Those who were admitted shall hear of it, and what they wrote counts from now on.
      talk.add(try self.talk(with: peer, pin: pin))
      try settleAfterSync()
    }
    // Where nothing could be left, the last sync is the one before.
    if talk.hasLeftAll { try noteSync(with: talk, at: peer) }
    return try receipt(
      talk, since: try holdings(before, besides: talk), admitted: mayAdmit ? chosen : [],
      couldNotAdmit: !mayAdmit && !chosen.isEmpty)
  }

  /// Syncs; a disk error says whether events have come before it.
  private func tellingWhatCame(
    since before: Holdings, _ sync: () throws(DaybookError) -> Receipt
  ) throws(DaybookError) -> Receipt {
    do throws(DaybookError) { return try sync() } catch {
      guard error.diskFault != nil else { throw error }
      // If the journal cannot be read now, nothing is claimed.
      try? refreshJournal()
      let own = (try? lastOwnLog) ?? nil
      let hasCome = heldEvents().contains { replica, events in
        replica != own && events > before.held[replica] ?? 0
      }
      throw hasCome ? .storedBefore(.arrivals, error) : error
    }
  }

  /// Refuses a remembered folder that was synced with and holds nothing of any book now.
  ///
  /// Most likely the disk that it lies on is not mounted, and what is left in the mount point reaches nobody.
  private func refuseEmptied(_ peer: PeerAddress) throws(DaybookError) {
    guard case .directory(let folder) = peer else { return }
    // A list of peers that cannot be read is told of by whoever needs it.
    let contact = try? contacts().first { $0.address == peer && $0.synced != nil }
    guard let contact, let synced = contact.synced else { return }
    let books = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: machine).books()
    }
    guard books.isEmpty else { return }
    throw .emptiedPeer(contact.name, folder, since: synced)
  }

  /// The books in a folder, where this one is not among them.
  package func strangers(in folder: Path) throws(DaybookError) -> [UniqueID] {
    let books = try wrap(DaybookError.sync) { () throws(SyncError) in
      try DirectoryPeer(at: folder, on: machine).books()
    }
    return books.contains(id) ? [] : books
  }

  /// Makes durable what a crash may have left in doubt, and notes that this device takes part.
  ///
  /// What is sent must not be lost here afterwards, and others can admit a device only by its log.
  func prepareToSync() throws(DaybookError) {
    try withLock { () throws(DaybookError) in
      if file.book != .none { _ = try ownLogForWriting() }
      try wrap(DaybookError.journal) { () throws(JournalError) in try settleJournal() }
    }
    try recordLosses()
    rememberTrust()
    try keepReview()
    journal.erasures = try commonErasures()
    // Nothing that is erased may be sent, so its bytes are removed first.
    try finishErasureLeft()
  }

  /// Puts what has come where it belongs, and posts it.
  func settleAfterSync() throws(DaybookError) {
    try refreshJournal()
    // What comes of a sync is told on, with what others have written meanwhile.
    try wrap(DaybookError.journal) { () throws(JournalError) in try settleUnderLock() }
    try settleShelves()
    // Made anew where it was taken away, with what it had.
    if isViewForgotten { try rebuild() }
    _ = try view()
    // What came back is in the read model again.
    if try gaps().isEmpty { try ViewsBeforeLoss(of: layout, on: machine).remove() }
    rememberTrust()
    try keepReview()
    try finishErasing()
  }

  /// One exchange with a peer, with nothing of it folded yet; of a folder the book given is taken while one joins.
  func talk(
    with peer: PeerAddress, joining chosen: UniqueID? = nil, pin: Pin? = nil,
    proving proof: Proof? = nil, asked: () -> Void = {}
  ) throws(DaybookError) -> Talk {
    if case .tcp(let host, let port) = peer {
      return try talk(with: host, port, pin, proving: proof, asked: asked)
    }
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      switch peer {
      case .file(let path): try Talk(reading: path, into: self)
      case .directory(let path): try Talk(in: path, with: self, joining: chosen)
      case .tcp: preconditionFailure("machines are talked with above")
      }
    }
  }

  private func talk(
    with host: String, _ port: UInt16, _ pin: Pin?, proving proof: Proof?, asked: () -> Void
  ) throws(DaybookError) -> Talk {
    let (identity, guests) = (try identity, try guests())
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      try Talk(dialling: host, port, for: self, as: identity, proving: proof, asked: asked) { key in
        guests.admits(key, pinned: pin)
      }
    }
  }

  /// How many events of each replica are held, on all branches of its log.
  func heldEvents() -> [UniqueID: UInt64] {
    var held: [UniqueID: UInt64] = [:]
    for (log, end) in journal.logs.merging(journal.aside, uniquingKeysWith: { log, _ in log }) {
      let lineage = journal.lineage(of: log)
      held[lineage.replica, default: 0] += end.sequence - min(end.sequence, lineage.first - 1)
    }
    return held
  }
}
