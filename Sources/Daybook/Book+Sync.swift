import Bytes
import Journaling
import Platform
import Syncing

extension Book {
  /// Brings this book and another holder's to the same events.
  ///
  /// Devices met that nobody has admitted yet are admitted as `admission` says, if this device is itself.
  package func sync(
    with peer: PeerAddress, admission: Admission = .never
  ) throws(DaybookError) -> Receipt {
    try prepareToSync()
    let before = holding()
    var talk = try talk(with: peer)
    try settleAfterSync()
    let waiting = try waitingDevices()
    let chosen = try uncut(waiting.filter(admission.admits))
    let mayAdmit = try isAdmitted()
    if mayAdmit, !chosen.isEmpty {
      try admit(chosen)
      // Those who were admitted shall hear of it, and what they wrote counts from now on.
      talk.add(try self.talk(with: peer))
      try settleAfterSync()
    }
    return try receipt(
      talk, since: before, admitted: mayAdmit ? chosen : [],
      couldNotAdmit: !mayAdmit && !chosen.isEmpty)
  }

  /// Makes durable what a crash may have left in doubt, and notes that this device takes part.
  ///
  /// What is sent must not be lost here afterwards, and others can admit a device only by its log.
  func prepareToSync() throws(DaybookError) {
    try withLock { () throws(DaybookError) in
      if file.book != .none { _ = try ownLogForWriting() }
      try wrap(DaybookError.journal) { () throws(JournalError) in try journal.settle() }
    }
    try recordLosses()
    rememberTrust()
    journal.erasures = try commonErasures()
  }

  /// Puts what has come where it belongs, and posts it.
  func settleAfterSync() throws(DaybookError) {
    try reloadJournal()
    try settleShelves()
    // Made anew where it was taken away, with what it had.
    if !forgottenEnds.isEmpty { try rebuild() }
    _ = try view()
    rememberTrust()
    try finishErasing()
  }

  /// One exchange with a peer, with nothing of it folded yet; of a folder the book given is taken while one joins.
  func talk(
    with peer: PeerAddress, joining chosen: UniqueID? = nil
  ) throws(DaybookError) -> Talk {
    defer { endSync() }
    return try wrap(DaybookError.sync) { () throws(SyncError) in
      switch peer {
      case .file(let path): try Talk(reading: path, into: self)
      case .directory(let path): try Talk(in: path, with: self, joining: chosen)
      case .tcp(let host, let port): try Talk(dialling: host, port, for: self)
      }
    }
  }

  /// What is there of the logs, and what is not.
  struct Holding {
    /// How many events of each replica, on all branches of its log.
    var events: [UniqueID: UInt64] = [:]
    /// Events of each replica that are lost, or have lost their bodies.
    var lost: [UniqueID: [ClosedRange<UInt64>]] = [:]
  }

  /// What is held, with the bodies that were found lost when the last sync was begun.
  func holding() -> Holding { Holding(events: heldEvents(), lost: lostEvents(bodiless)) }

  private func heldEvents() -> [UniqueID: UInt64] {
    var held: [UniqueID: UInt64] = [:]
    for (log, end) in journal.logs.merging(journal.aside, uniquingKeysWith: { log, _ in log }) {
      let lineage = journal.lineage(of: log)
      held[lineage.replica, default: 0] += end.sequence - min(end.sequence, lineage.first - 1)
    }
    return held
  }

  private func lostEvents(
    _ bodiless: [UniqueID: [ClosedRange<UInt64>]]
  ) -> [UniqueID: [ClosedRange<UInt64>]] {
    var lost: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for log in journal.logs.keys {
      let ranges = journal.holes(in: log) + (bodiless[log] ?? [])
      if !ranges.isEmpty { lost[journal.lineage(of: log).replica, default: []] += ranges }
    }
    return lost.mapValues { [ClosedRange<UInt64>](joining: $0) }
  }

  /// How many of the events of each replica that were lost are there again.
  private func healed(since before: Holding) throws(DaybookError) -> [(UniqueID, UInt64)] {
    guard !before.lost.isEmpty else { return [] }
    let after = lostEvents(try lostBodies())
    return before.lost.compactMap { replica, ranges in
      let back = ranges.without(after[replica] ?? [])
      return back.isEmpty ? nil : (replica, back.reduce(0) { $0 + UInt64($1.count) })
    }
  }

  func receipt(
    _ talk: Talk, since before: Holding, admitted: [Device] = [],
    couldNotAdmit: Bool = false
  ) throws(DaybookError) -> Receipt {
    try notePeer(talk)
    let devices = try devices()
    let names = Dictionary(devices.map { ($0.replica, $0.listedName) }) { first, _ in first }
    let own = try lastOwnLog
    let grown = heldEvents().compactMap { log, last -> (UniqueID, UInt64)? in
      let news = last - min(last, before.events[log] ?? 0)
      // What was written here meanwhile has not come; a copy's branch of the own log has.
      return news > 0 && (log != own || talk.received.contains(log)) ? (log, news) : nil
    }
    func shares(_ counts: [(UniqueID, UInt64)]) -> [Receipt.Share] {
      counts.map { log, events in
        Receipt.Share(device: names[log] ?? log.hex, replica: log, events: events)
      }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
    }
    return Receipt(
      sent: shares(talk.sent.map { ($0.key, $0.value) }), received: shares(grown),
      healed: shares(try healed(since: before)),
      waiting: devices.filter { $0.standing == .waiting && !$0.isThis }, admitted: admitted,
      couldNotAdmit: couldNotAdmit, standing: try standing(), problems: talk.problems,
      digest: try digest())
  }
}
