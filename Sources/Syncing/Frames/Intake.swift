package import Bytes
import Journaling

/// Passes received frames to a store in portions that fit into memory.
package struct Intake {
  private let holder: any Holder
  /// The maximum size of staged frames, in bytes; frames are stored before they exceed it.
  private let stagedLimit: Int
  /// The size of the frames that are waiting to be stored.
  private(set) var stagedBytes = 0
  /// The decompressed size of the staged frames.
  private var contentBytes = 0
  /// The number of staged events.
  private var stagedEvents: UInt64 = 0
  /// The logs with staged frames.
  private var stagedLogs: Set<UniqueID> = []
  /// The logs that accept no more events.
  private var blocked: Set<UniqueID> = []
  package private(set) var problems: [SyncProblem] = []
  /// The number of events received and stored, by log.
  package private(set) var received: [UniqueID: UInt64] = [:]
  /// The number of received events, including events that were already stored.
  package private(set) var arrived: UInt64 = 0
  /// The frontier after frames were last stored.
  package private(set) var frontier: Frontier

  package init(_ holder: any Holder, stagedLimit: Int = Portion.stagedBytes) {
    (self.holder, self.stagedLimit) = (holder, stagedLimit)
    frontier = holder.hello.frontier
  }

  /// Resets all counts, and starts from the current content of the store.
  mutating func startOver() { self = Intake(holder, stagedLimit: stagedLimit) }

  /// Stages a frame, unless its log accepts no more events.
  ///
  /// - Returns: Whether the earlier frames were stored.
  @discardableResult
  package mutating func take(_ frame: [UInt8], of log: UniqueID) throws(SyncError) -> Bool {
    guard !blocked.contains(log) else { return false }
    let isFull = isFull(for: frame)
    if isFull { try commit() }
    // When the earlier frames were stored, the log may have been found to accept no more events.
    guard !blocked.contains(log) else { return isFull }
    do throws(SyncError) {
      try stage(frame, of: log)
    } catch {
      guard case .journal(let confined) = error, confined.isConfined else { throw error }
      blocked.insert(log)
      try note(confined)
    }
    return isFull
  }

  /// Stores the given frame on its own.
  ///
  /// If the frame is refused for any reason, its log accepts no more events.
  mutating func takeAlone(_ frame: [UInt8], of log: UniqueID) throws(SyncError) {
    guard !blocked.contains(log) else { return }
    do throws(SyncError) {
      try stage(frame, of: log)
      try commit()
    } catch {
      stagedLogs = []
      blocked.insert(log)
      try note(try error.blamed())
    }
  }

  /// Stages a frame, and stores the earlier frames first if there are enough of them.
  ///
  /// Frames end in heads, so all events before a frame have been proved.
  mutating func stage(_ frame: [UInt8], of log: UniqueID) throws(SyncError) {
    if isFull(for: frame) { try commit() }
    try inJournal { () throws(JournalError) in try holder.stage(frame, of: log) }
    stagedBytes += frame.count
    contentBytes += holder.contentCount(of: frame)
    stagedLogs.insert(log)
    let events = Self.eventCount(of: frame)
    stagedEvents += events
    arrived += events
  }

  /// The maximum number of events in a frame: each event takes at least two bytes, and the content takes at most 4 MiB.
  private static let mostEvents: UInt64 = 2 << 20

  /// The number of events in a frame, as stated in the frame, but at most the number that fits into the largest frame.
  private static func eventCount(of frame: [UInt8]) -> UInt64 {
    min(FrameLabel(frame.span, at: 0).map { UInt64($0.events.count) } ?? 0, mostEvents)
  }

  /// Whether the given frame would exceed the limits for staged frames: size, decompressed size, or number of
  /// events.
  private func isFull(for frame: [UInt8]) -> Bool {
    guard stagedBytes > 0 else { return false }
    return stagedBytes + frame.count > stagedLimit
      || contentBytes + holder.contentCount(of: frame) > Portion.stagedContentBytes
      || stagedEvents + Self.eventCount(of: frame) > Portion.stagedEvents
  }

  @discardableResult
  package mutating func commit() throws(SyncError) -> Frontier {
    (stagedBytes, contentBytes, stagedEvents) = (0, 0, 0)
    try holder.checkPeer()
    let before = holder.hello.frontier
    frontier = try store()
    // Events that other sessions have stored in the meantime are not included.
    for (log, count) in frontier.growth(since: before) where stagedLogs.contains(log) {
      received[log, default: 0] += count
    }
    stagedLogs = []
    return frontier
  }

  private mutating func store() throws(SyncError) -> Frontier {
    // Each error concerns one log, whose frames are then discarded. The other logs' frames must still be stored.
    while true {
      do throws(JournalError) {
        return try holder.commit()
      } catch {
        guard error.isConfined else { throw .journal(error) }
        if let log = error.stoppedLog { blocked.insert(log) }
        try note(error)
      }
    }
  }

  private mutating func note(_ error: JournalError) throws(SyncError) {
    // No store has this many logs.
    guard problems.count < Limit.frontierPlaces else { throw .journal(error) }
    problems.append(.log(error))
  }

  /// Removes and returns the problems so far, for callers that report them file by file.
  mutating func takeProblems() -> [SyncProblem] {
    defer { problems = [] }
    return problems
  }

  /// Stores the events that an interrupted sync has received, if there are any.
  package mutating func salvage() throws(SyncError) {
    if stagedBytes > 0 { try commit() }
  }
}
