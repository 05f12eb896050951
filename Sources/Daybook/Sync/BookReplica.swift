package import Bytes
package import Crypto
package import Journaling
package import Platform
package import Syncing

/// A book as one side of a single sync.
///
/// A book can take part in several syncs at once.
///
/// Received frames wait in memory, and the lock of the folder is held only while they are stored. Therefore, a slow
/// peer does not delay other writers, and two books that sync with each other cannot deadlock.
package final class BookReplica: Holder {
  package let local: SyncReplica
  /// The key that the peer has shown, if any.
  private let key: PublicKey?
  /// Received frames that are not stored yet.
  private var arrivals: ArraySlice<Arrival> = []
  /// The decoded frames, if frames are decoded on another thread.
  private var prefetched: FramePrefetcher?
  private let beside: Machine.Beside?
  /// The routes of frames that have been looked up so far, by log.
  private var routes: [UniqueID: Route] = [:]
  /// The amount that is stored but not folded yet.
  private var portion: FoldPortion
  /// Counts received events that were already held.
  private var replays = ReplayMeter()
  /// The replicas whose events the peer has partly lost.
  private var lostElsewhere: Set<UniqueID> = []
  /// While frames are sent, the time of the last check that the peer may still take part.
  private var lastLook: Int64 = 0
  /// The state of the logs at the last successful check of the peer.
  private var checkedState: [String]?
  /// The events that were sent, received and withheld.
  private var exchange = Exchange()

  /// The sent events, by replica.
  package var departures: [UniqueID: [ClosedRange<UInt64>]] { exchange.sent }

  /// The sent events of replicas that have forked, by log.
  var departedBranches: [UniqueID: [ClosedRange<UInt64>]] { exchange.branches }

  /// The replicas with new events from the peer, including logs that are set aside.
  var brought: Set<UniqueID> { exchange.brought }

  /// The number of events withheld because no head proves them to other devices, by replica.
  package var withheld: [UniqueID: UInt64] { exchange.withheld }

  /// Starts one side of a sync with a peer.
  ///
  /// With `beside`, received frames are decoded on another thread. They are folded in portions that fit the memory
  /// limit of the book, so more events take longer but need no more memory.
  package init(
    of local: SyncReplica, with key: PublicKey? = nil, beside: Machine.Beside? = nil
  ) {
    (self.local, self.key, self.beside) = (local, key, beside)
    portion = FoldPortion(upTo: .postable(within: local.projector.memoryLimit))
    prefetched = beside.map { FramePrefetcher(beside: $0) }
  }

  package var hello: Hello { local.hello }

  package func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    try wrap(SyncError.journal) { () throws(JournalError) in
      try local.store.journal.landmarks(for: other.places)
    }
  }

  package func holdsEvent(at place: Place) throws(SyncError) -> Bool {
    try wrap(SyncError.journal) { () throws(JournalError) in
      try local.store.journal.holdsEvent(at: place)
    }
  }

  package func ends(of replica: UniqueID) -> [Place] { local.store.journal.ends(of: replica) }

  package func frames(
    of replica: UniqueID, lackedBy places: [Place]
  ) throws(SyncError) -> FrameStream {
    if let failure = local.eraser.erasureFailure { throw .disk(failure) }
    let keys = try local.localDevice.exportKeys(of: replica)
    let export = try wrap(SyncError.journal) { () throws(JournalError) in
      try local.access.settleUnderLock()
      return OpenExport(try local.store.journal.export(of: replica, lackedBy: places, keys: keys))
    }
    // If the peer has several branches of a log, it is unknown which events of a frame are new to the peer.
    let held = places.count == 1 ? places[0].sequence : try reach(of: replica, by: places) ?? 0
    return FrameStream { () throws(SyncError) in
      guard let frame = try export.next() else {
        self.exchange.withheld[replica] = export.withheld > 0 ? export.withheld : nil
        return nil
      }
      try self.checkPeerMeanwhile()
      self.noteDeparture(frame, of: replica, behind: held)
      return frame
    }
  }

  package func checkPeer() throws(SyncError) {
    if let key { try local.peerAllowList.check(key) }
  }

  package func hear(of other: Frontier) {
    lostElsewhere = Set(other.places.filter { !$0.islands.isEmpty }.map(\.log))
  }

  package func hear(ofLossesIn replicas: Set<UniqueID>) { lostElsewhere = replicas }

  package func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError) {
    guard frame.count <= Syncing.Limit.frameBytes, FrameLabel(frame.span, at: 0) != nil else {
      throw .refused(replica, .envelope)
    }
    let number = prefetched?.add(frame, holding: contentCount(of: frame))
    arrivals.append(Arrival(replica: replica, frame: frame, number: number))
    if number == nil { local.store.journal.prefetch(frame) }
  }

  package func commit() throws(JournalError) -> Frontier {
    do throws(JournalError) {
      try storeArrivals()
    } catch {
      local.store.isSettled = false
      // After an error that concerns only one log, the lock is kept, because another call stores the other logs.
      if !error.isConfined { end() }
      throw error
    }
    local.store.releaseSyncLock()
    foldPortion()
    // Logs that this commit admits become part of the book, so that the frontier includes them. If this fails, the end
    // of the sync fails in the same way and reports the error.
    if exchange.hasLogsAside { try? local.shelves.settleShelves() }
    return local.store.frontier
  }

  /// Ends this side of the sync, and releases the lock.
  ///
  /// Received frames that were not stored are discarded.
  package func end() {
    forgetArrivals()
    local.judge.erasureJudge = nil
    guard local.store.syncLock != nil else { return }
    local.store.isSettled = false
    local.store.journal.forgetReceived()
    local.store.releaseSyncLock()
  }

  package func hasErased(from replica: UniqueID) -> Bool { local.judge.hasErased(from: replica) }

  package func verdict(on frame: [UInt8], of replica: UniqueID) -> Verdict {
    local.judge.verdict(on: frame, of: replica)
  }

  package func acceptsHead(of frame: [UInt8], of replica: UniqueID) -> Bool {
    local.store.journal.acceptsHead(of: frame, of: replica)
  }

  package func hasBodiesBeyond(_ frame: [UInt8], of replica: UniqueID) -> Bool {
    local.judge.hasBodiesBeyond(frame, of: replica)
  }

  package func erasureState(of replica: UniqueID) -> UniqueID? {
    local.judge.erasureState(of: replica)
  }
}

// MARK: - Receiving

extension BookReplica {
  private func storeArrivals() throws(JournalError) {
    guard !arrivals.isEmpty || local.store.syncLock != nil else { return }
    local.judge.erasureJudge = nil
    // As soon as events are stored, they can be sent to other peers, together with all other stored events. Therefore,
    // everything must be durable first.
    try local.access.holdSyncLock()
    try receiveArrivals()
    if local.store.journal.isHealing { try forgetPosted() }
    _ = try local.store.journal.commit()
    // No other process can write now, so what this process has read of the folder is current.
    local.store.diskState = local.store.layout.diskState(on: local.store.machine.disk)
    local.store.settledState = local.store.diskState
  }

  private func foldPortion() {
    guard portion.takeWhole() else { return }
    // An error here occurs again, and is reported, when the received events are folded at the end.
    _ = try? local.projector.view()
  }

  private func forgetPosted() throws(JournalError) {
    do throws(DaybookError) {
      try local.projector.forgetView()
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      preconditionFailure("removing files throws no other errors: \(error)")
    }
  }

  /// Passes received frames to the journal, up to the first frame that it refuses.
  private func receiveArrivals() throws(JournalError) {
    let held = local.store.heldEventCount
    while let arrival = arrivals.popFirst() {
      if routes[arrival.replica] == .stopped { continue }
      do throws(JournalError) {
        let shelf = try shelf(for: arrival)
        try local.ownLogKeeper.leaveOwnLog(before: arrival.frame, of: arrival.replica)
        // A frame that cannot be read is refused below.
        let frame =
          arrival.number.flatMap { prefetched?.take($0) ?? nil }
          ?? local.store.journal.received(arrival.frame)
        var charge: QuotaAccounts.Charge?
        if shelf == .logs, let frame { charge = try local.quotas.weigh(frame, of: arrival.replica) }
        let news = try local.store.journal.receive(
          arrival.frame, of: arrival.replica, on: shelf,
          acrossHoles: lostElsewhere.contains(arrival.replica), prefetched: frame,
          branchLimit: charge?.branchLimit ?? .max)
        charge?.news.logs += news.branchCount
        if news.isNew { exchange.brought.insert(arrival.replica) }
        if news.isNew, let charge { take(charge) }
        if let frame { try meter(frame, of: arrival.replica, isNew: news.isNew, holding: held) }
      } catch {
        // After a frame that its log does not accept, skip the log's other frames. After a forged frame, discard all.
        if error.isConfined {
          routes[arrival.replica] = .stopped
        } else {
          forgetArrivals()
          local.store.journal.forgetReceived()
        }
        throw error
      }
    }
    forgetArrivals()
  }

  /// Counts the new events of a frame for the quota and the next fold.
  func take(_ charge: QuotaAccounts.Charge) {
    local.quotas.take(charge)
    portion.add(Quota(events: charge.news.events, bytes: charge.news.bytes))
  }

  private func meter(
    _ frame: borrowing Frame, of replica: UniqueID, isNew: Bool, holding held: UInt64
  ) throws(JournalError) {
    let count = UInt64(frame.events.count)
    if isNew {
      replays.pay(forNew: count)
    } else if replays.add(count, holding: held) {
      throw .replayed(replica)
    }
  }

  private func forgetArrivals() {
    (arrivals, routes) = ([], [:])
    prefetched = beside.map { FramePrefetcher(beside: $0) }
  }

  /// The shelf for a log, based on its first received frame.
  private func shelf(for arrival: Arrival) throws(JournalError) -> LogShelf {
    if case .onto(let known) = routes[arrival.replica] { return known }
    let shelf: LogShelf
    do throws(DaybookError) {
      shelf = try local.shelves.shelf(for: arrival.replica, firstFrame: arrival.frame)
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // If trust cannot be computed, no new device is trusted.
      shelf = .aside
    }
    routes[arrival.replica] = .onto(shelf)
    if shelf == .aside { exchange.hasLogsAside = true }
    return shelf
  }
}

// MARK: - Sending

extension BookReplica {
  /// The interval at which the peer is checked while frames are sent, in milliseconds.
  private static let lookMilliseconds: Int64 = 1_000

  /// Checks from time to time whether another device has revoked the peer.
  private func checkPeerMeanwhile() throws(SyncError) {
    guard let key else { return }
    let now = local.store.machine.timekeeper.monotonicMilliseconds()
    guard now - lastLook >= Self.lookMilliseconds else { return }
    lastLook = now
    let state = local.store.layout.diskState(on: local.store.machine.disk)
    guard state == nil || state != checkedState else { return }
    // The book may already have read the change, but the export has not.
    if state != nil, state == local.store.diskState {
      try local.peerAllowList.check(key)
    } else {
      try local.peerAllowList.checkBeside(key)
    }
    checkedState = state
  }

  /// Records that a frame was sent to a peer that already holds the log up to an event.
  private func noteDeparture(_ frame: [UInt8], of replica: UniqueID, behind held: UInt64) {
    guard let label = FrameLabel(frame.span, at: 0) else { return }
    let first = max(label.events.lowerBound, held + 1)
    guard first <= label.events.upperBound else { return }
    let events = first...label.events.upperBound
    exchange.sent.add(events, of: replica)
    guard local.store.journal.isForked(replica), let read = local.store.journal.received(frame)
    else {
      return
    }
    // Branches can have the same sequences, so the events are also recorded for each branch.
    let logs = (try? local.store.journal.logs(holding: read, of: replica)) ?? [:]
    for (log, range) in logs { exchange.branches.add(range, of: log) }
  }
}

/// Holds an export, which cannot be copied, so that a closure can use it.
private final class OpenExport {
  private var export: ReplicaExport

  init(_ export: consuming ReplicaExport) { self.export = export }

  var withheld: UInt64 { export.withheld }

  func next() throws(SyncError) -> [UInt8]? {
    do throws(JournalError) { return try export.next() } catch { throw .journal(error) }
  }
}

/// The events that were sent or withheld as unproved, by replica, and the replicas whose events were received.
private struct Exchange {
  var sent: [UniqueID: [ClosedRange<UInt64>]] = [:]
  var branches: [UniqueID: [ClosedRange<UInt64>]] = [:]
  var withheld: [UniqueID: UInt64] = [:]
  var brought: Set<UniqueID> = []
  /// Whether logs of the peer are set aside until a device admits them.
  var hasLogsAside = false
}

extension [UniqueID: [ClosedRange<UInt64>]] {
  mutating func add(_ events: ClosedRange<UInt64>, of log: UniqueID) {
    self[log] = [ClosedRange<UInt64>](joining: (self[log] ?? []) + [events])
  }
}

/// The destination of the received frames of a log.
private enum Route: Equatable {
  case onto(LogShelf)
  /// The log accepts no more frames.
  case stopped
}

/// A received frame that is not stored yet.
private struct Arrival {
  let replica: UniqueID
  let frame: [UInt8]
  /// The number of the frame in the prefetcher; nil if the prefetcher does not contain the frame.
  let number: Int?
}
