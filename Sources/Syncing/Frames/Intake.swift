package import Bytes
import Journaling

/// Gives a holder what comes from elsewhere, in portions it can keep in memory.
package struct Intake {
  private let holder: any Holder
  /// Staged frames are committed before they come to more than this.
  private let stagedLimit: Int
  /// How many bytes wait to be stored.
  private(set) var stagedBytes = 0
  /// What is staged, unpacked.
  private var contentBytes = 0
  /// How many events are staged.
  private var stagedEvents: UInt64 = 0
  /// The logs of which something is staged.
  private var stagedLogs: Set<UniqueID> = []
  /// Logs that stay as they are from some event on.
  private var blocked: Set<UniqueID> = []
  package private(set) var problems: [SyncProblem] = []
  /// How many events of each log have come and are on the disk.
  package private(set) var received: [UniqueID: UInt64] = [:]
  /// How many events have come, new or not.
  package private(set) var arrived: UInt64 = 0
  /// What is held since the last commit.
  package private(set) var frontier: Frontier

  package init(_ holder: any Holder, stagedLimit: Int = Limit.stagedBytes) {
    (self.holder, self.stagedLimit) = (holder, stagedLimit)
    frontier = holder.hello.frontier
  }

  /// Stages a frame, unless its log has come to a stop, and tells whether it committed those before.
  @discardableResult
  package mutating func take(_ frame: [UInt8], of log: UniqueID) throws(SyncError) -> Bool {
    guard !blocked.contains(log) else { return false }
    let isFull = isFull(for: frame)
    if isFull { try commit() }
    // What is stored may have shown that the log takes nothing more.
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

  /// Stores a frame by itself; where it is refused, whatever the reason, its log has come to a stop.
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

  /// Stages a frame; when there are enough of them, commits those before.
  ///
  /// Frames end in heads, so that between them nothing is unproved.
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

  /// No frame holds as many: each event takes at least two bytes of the content, which has 4 MiB at most.
  private static let mostEvents: UInt64 = 2 << 20

  /// How many events a frame holds, as it says itself; of one that lies, no more than fit into the largest.
  private static func eventCount(of frame: [UInt8]) -> UInt64 {
    min(FrameLabel(frame.span, at: 0).map { UInt64($0.events.count) } ?? 0, mostEvents)
  }

  /// Whether so much is staged that a frame would make it too much, packed or unpacked or by its events.
  private func isFull(for frame: [UInt8]) -> Bool {
    guard stagedBytes > 0 else { return false }
    return stagedBytes + frame.count > stagedLimit
      || contentBytes + holder.contentCount(of: frame) > Limit.stagedContentBytes
      || stagedEvents + Self.eventCount(of: frame) > Limit.stagedEvents
  }

  @discardableResult
  package mutating func commit() throws(SyncError) -> Frontier {
    (stagedBytes, contentBytes, stagedEvents) = (0, 0, 0)
    try holder.checkPeer()
    let before = holder.hello.frontier
    frontier = try store()
    // What others have brought meanwhile has not come by this way.
    for (log, count) in frontier.growth(since: before) where stagedLogs.contains(log) {
      received[log, default: 0] += count
    }
    stagedLogs = []
    return frontier
  }

  private mutating func store() throws(SyncError) -> Frontier {
    // Each failure is that of one log, which is forgotten then; the others must not suffer for it.
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
    // Nobody holds so many logs of which what comes is of no use.
    guard problems.count < Limit.frontierPlaces else { throw .journal(error) }
    problems.append(.log(error))
  }

  /// Hands over what has been found wrong so far, for whoever takes file by file.
  mutating func takeProblems() -> [SyncProblem] {
    defer { problems = [] }
    return problems
  }

  /// Commits what an interrupted sync has brought, if it has brought anything.
  package mutating func salvage() throws(SyncError) {
    if stagedBytes > 0 { try commit() }
  }
}
