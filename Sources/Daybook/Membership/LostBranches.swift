import Bytes
import Crypto
import Journaling

/// Finds where trust events of the second copy count after the logs have lost them.
///
/// Trust counts the events of a lost branch as if the branch were still here. The branch's events may in fact be here,
/// because once all other branches are lost, the trunk continues with these events, and the branch has no log of its
/// own. Conversely, a log that has lost its end may since have continued with another branch. In that case, its lost
/// events are in a branch that never had a log here. Only the chain hashes of earlier events, which the second copy
/// repeats, show this.
final class LostBranches {
  /// The course of a log or branch of the second copy through the logs that are held.
  private struct Course {
    var replica: UniqueID
    /// The last held event, in the log that now contains it; if no event is held, the event before the branch.
    var last: Landmark
    /// The branch that contains the events after `last`; nil if the log of `last` contains them.
    var branch: UniqueID?
  }

  private let store: LogStore
  let tree: LogTree
  private let record: TrustRecord
  /// The events of each log and branch whose hashes the second copy contains, in order.
  private lazy var points = record.points
  /// The results of ``course(of:)``, each of which may take reads of several frames.
  private var courses: [UniqueID: Course] = [:]

  init(store: LogStore, tree: LogTree, record: TrustRecord) {
    (self.store, self.tree, self.record) = (store, tree, record)
  }

  /// The log or branch in which an event of the second copy counts.
  func log(for place: Landmark) throws(DaybookError) -> UniqueID {
    let course = try course(of: place.log)
    guard place.sequence <= course.last.sequence else { return course.branch ?? course.last.log }
    return tree.log(holding: place.sequence, onPathTo: course.last.log)
  }

  /// The name that the next second copy uses for the log or branch of a lost event.
  ///
  /// A branch that the trunk continues with keeps its name, because it has a log again once another branch is received.
  func name(for place: Landmark) throws(DaybookError) -> UniqueID {
    let course = try course(of: place.log)
    return course.branch == nil && !isHeld(place.log) ? place.log : try log(for: place)
  }

  /// The forks of the branches that the given logs of the second copy refer to, and that are not held.
  func forks(on logs: some Sequence<UniqueID>) throws(DaybookError) -> [UniqueID: Fork] {
    for log in logs { _ = try course(of: log) }
    var forks: [UniqueID: Fork] = [:]
    for course in courses.values {
      guard let branch = course.branch else { continue }
      forks[branch] = Fork(trunk: course.last.log, lastShared: course.last.sequence)
    }
    return forks
  }

  /// The replica that wrote a log or branch of the second copy.
  func replica(of id: UniqueID) -> UniqueID {
    var log = id
    while !isHeld(log), let point = trunk(of: log) { log = point.log }
    return tree.replica(of: log)
  }

  /// The event before each of the given branches and before each branch on the way to it, for the next second copy.
  func forkPoints(
    of names: some Sequence<UniqueID>
  ) throws(DaybookError) -> [UniqueID: Landmark] {
    var left: [UniqueID: Landmark] = [:]
    for course in courses.values { if let branch = course.branch { left[branch] = course.last } }
    var found: [UniqueID: Landmark] = [:]
    var waiting = Array(names)
    while let name = waiting.popLast() {
      guard found[name] == nil else { continue }
      var point = try heldForkPoint(of: name)
      if point == nil { point = left[name] }
      if point == nil { point = try forkPoint(of: name, by: replica(of: name)) }
      guard let point else { continue }
      found[name] = point
      waiting.append(point.log)
    }
    return found
  }

  private func heldForkPoint(of branch: UniqueID) throws(DaybookError) -> Landmark? {
    guard let fork = tree.forks[branch] else { return nil }
    let hash = try store.chainHash(of: fork.trunk, at: fork.lastShared)?.prefix16
    // While the event cannot be read, the second copy is the only record of its hash.
    let stored = record.forkPoints[branch].flatMap {
      $0.sequence == fork.lastShared ? $0.hash : nil
    }
    return Landmark(log: fork.trunk, sequence: fork.lastShared, hash: hash ?? stored ?? .none)
  }

  private func isHeld(_ log: UniqueID) -> Bool { store.journal.end(of: log, on: .logs) != nil }
}

// MARK: - Courses

extension LostBranches {
  private func course(of log: UniqueID) throws(DaybookError) -> Course {
    // A damaged copy may contain any number of branches of branches, so recursion must be avoided.
    var way = [log]
    while let last = way.last, courses[last] == nil, let point = trunk(of: last) {
      way.append(point.log)
    }
    var found: Course?
    for log in way.reversed() {
      let course = if let known = courses[log] { known } else { try findCourse(of: log) }
      courses[log] = course
      found = course
    }
    return found ?? Course(replica: log, last: Landmark(log: log, sequence: 0, hash: .none))
  }

  /// Follows a log or branch, whose trunk has been followed, to the last of its events that is held.
  private func findCourse(of log: UniqueID) throws(DaybookError) -> Course {
    let replica =
      trunk(of: log).flatMap { courses[$0.log]?.replica } ?? tree.replica(of: log)
    let point = try forkPoint(of: log, by: replica)
    let first = isHeld(log) ? tree.lineage(of: log).first : 1
    let start = point ?? Landmark(log: log, sequence: first - 1, hash: .none)
    let own = (points[log] ?? []).filter { $0.sequence > start.sequence }
    var last = try lastHeld(of: own, by: replica) ?? start
    // Two branches may share the first events of their first commands.
    if let point, try wholeCommand(upTo: last).sequence <= point.sequence {
      guard try isContinued(point, by: log) else {
        return Course(replica: replica, last: point, branch: log)
      }
      if last.sequence < point.sequence { last = point }
    }
    let later = own.filter { $0.sequence > last.sequence }
    guard let next = later.first, try leaves(last.log, later) else {
      return Course(replica: replica, last: last)
    }
    return Course(
      replica: replica, last: try wholeCommand(upTo: last),
      branch: .branch(of: log, lostWith: next))
  }

  private func lastHeld(
    of points: [Landmark.Mark], by replica: UniqueID
  ) throws(DaybookError) -> Landmark? {
    for mark in points.reversed() {
      var place = Landmark(log: replica, sequence: mark.sequence, hash: mark.hash)
      guard let holder = try tree.holder(of: place), isHeld(holder) else { continue }
      place.log = holder
      return place
    }
    return nil
  }

  /// Whether the given later events, which are not held, cannot be in a log.
  ///
  /// The result is true if the log has another event in one of their places, or has forked before them. If the log
  /// merely ends before them, or cannot be read there, the events may be in the log.
  private func leaves(
    _ log: UniqueID, _ later: [Landmark.Mark]
  ) throws(DaybookError) -> Bool {
    guard let end = store.journal.end(of: log, on: .logs) else { return false }
    for mark in later {
      if mark.sequence > end.sequence { return tree.isForked(log) }
      if try store.chainHash(of: log, at: mark.sequence) != nil { return true }
    }
    return false
  }

  /// The last event of a whole command, at or before an event.
  private func wholeCommand(upTo last: Landmark) throws(DaybookError) -> Landmark {
    guard isHeld(last.log), last.sequence > 0 else { return last }
    let end = try store.landmark(of: last.log, at: last.sequence).commandEnd
    let log = tree.log(holding: end, onPathTo: last.log)
    if end == last.sequence, log == last.log, last.hash != .none { return last }
    let hash = try store.chainHash(of: log, at: end)?.prefix16
    return Landmark(log: log, sequence: end, hash: hash ?? .none)
  }

  /// The event before a branch that has no log here, in the log that has this event now.
  ///
  /// The log differs from the one that the second copy names if the trunk has since forked. If the event is also lost,
  /// it is in the log or branch in which the trunk's lost events count.
  private func forkPoint(
    of branch: UniqueID, by replica: UniqueID
  ) throws(DaybookError) -> Landmark? {
    guard var point = trunk(of: branch) else { return nil }
    var place = point
    place.log = replica
    let holder = try tree.holder(of: place)
    point.log = if let holder, isHeld(holder) { holder } else { try log(for: point) }
    return point
  }

  /// The last event of the trunk of a branch that has no log here, as the second copy names it.
  private func trunk(of branch: UniqueID) -> Landmark? {
    guard !isHeld(branch), let point = record.forkPoints[branch] else { return nil }
    // A branch begins after its trunk. A damaged copy must not cause an endless loop.
    if let before = record.forkPoints[point.log], before.sequence >= point.sequence { return nil }
    return point
  }

  /// Whether a log continues with the first command of a branch.
  private func isContinued(_ point: Landmark, by branch: UniqueID) throws(DaybookError) -> Bool {
    let first = point.sequence + 1
    guard let end = store.journal.end(of: point.log, on: .logs), end.sequence >= first else {
      return false
    }
    var next: UniqueID?
    try store.forEachFrame(of: point.log, from: first, upTo: first) { frame, _ in
      next = frame.branch(beginningAt: Int(first - frame.firstSequence))
    }
    return next == branch
  }
}

extension UniqueID {
  /// An id for a branch that never had a log here, used while the branch is lost.
  fileprivate static func branch(of log: UniqueID, lostWith next: Landmark.Mark) -> UniqueID {
    var writer = CBORWriter()
    writer.text("lost branch v1")
    writer.uniqueID(log)
    writer.unsigned(next.sequence)
    writer.uniqueID(next.hash)
    return SHA256.digest(of: writer.bytes).prefix16
  }
}
