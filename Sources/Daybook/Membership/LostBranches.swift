import Bytes
import Journaling

/// Finds the branches that the second copy of the trust events names, after the logs have lost them.
///
/// Trust counts the events of a lost branch as if the branch were still there. Its events may in fact be there: once all
/// other branches are lost, the trunk continues with them, and the branch has no log of its own.
final class LostBranches {
  let store: LogStore
  let tree: LogTree
  /// The event before each branch in the second copy, in its trunk.
  let forkPoints: [UniqueID: Landmark]
  /// The results of ``log(for:)``, each of which may take reads of several frames.
  private var known: [UniqueID: UniqueID] = [:]

  init(store: LogStore, tree: LogTree, forkPoints: [UniqueID: Landmark]) {
    (self.store, self.tree, self.forkPoints) = (store, tree, forkPoints)
  }

  /// The log that now contains the events of a log or branch of the second copy, or the same id if it is lost.
  func log(for id: UniqueID) throws(DaybookError) -> UniqueID {
    if let known = known[id] { return known }
    let log = try findLog(for: id)
    known[id] = log
    return log
  }

  private func findLog(for id: UniqueID) throws(DaybookError) -> UniqueID {
    guard let point = try forkPoint(of: id), try isContinued(point, by: id) else { return id }
    return point.log
  }

  /// The forks of the branches that are lost.
  func forks() throws(DaybookError) -> [UniqueID: Fork] {
    var forks: [UniqueID: Fork] = [:]
    for branch in forkPoints.keys {
      guard let point = try forkPoint(of: branch), try !isContinued(point, by: branch) else {
        continue
      }
      forks[branch] = Fork(trunk: point.log, lastShared: point.sequence)
    }
    return forks
  }

  /// The replica that wrote a log or branch of the second copy.
  func replica(of id: UniqueID) -> UniqueID {
    guard !isHeld(id), let trunk = trunk(of: id)?.log else { return tree.replica(of: id) }
    return replica(of: trunk)
  }

  /// The event before each of the given branches and before each branch on the way to it, for the second copy.
  func forkPoints(
    of branches: some Sequence<UniqueID>
  ) throws(DaybookError) -> [UniqueID: Landmark] {
    var found: [UniqueID: Landmark] = [:]
    var waiting = Array(branches)
    while let branch = waiting.popLast() {
      guard found[branch] == nil else { continue }
      var point = try heldForkPoint(of: branch)
      if point == nil { point = try forkPoint(of: branch) }
      guard let point else { continue }
      found[branch] = point
      waiting.append(point.log)
    }
    return found
  }

  private func heldForkPoint(of branch: UniqueID) throws(DaybookError) -> Landmark? {
    guard let fork = tree.forks[branch] else { return nil }
    let hash = try store.chainHash(of: fork.trunk, at: fork.lastShared)?.prefix16
    // While the event cannot be read, the second copy is the only record of its hash.
    let stored = forkPoints[branch].flatMap { $0.sequence == fork.lastShared ? $0.hash : nil }
    return Landmark(log: fork.trunk, sequence: fork.lastShared, hash: hash ?? stored ?? .none)
  }

  /// The event before a branch that has no log here, in the log that contains this event now.
  ///
  /// That is another log than the second copy names if the trunk has forked since. If the event is lost too, it is the
  /// log that the second copy names.
  private func forkPoint(of branch: UniqueID) throws(DaybookError) -> Landmark? {
    guard !isHeld(branch), var point = trunk(of: branch) else { return nil }
    var place = point
    place.log = replica(of: branch)
    let holder = try tree.holder(of: place)
    point.log = if let holder { holder } else { try log(for: point.log) }
    return point
  }

  /// The last event of a branch's trunk, as the second copy names it.
  private func trunk(of branch: UniqueID) -> Landmark? {
    guard let point = forkPoints[branch] else { return nil }
    // A branch begins after its trunk. A damaged copy must not lead in circles.
    if let before = forkPoints[point.log], before.sequence >= point.sequence { return nil }
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

  private func isHeld(_ log: UniqueID) -> Bool { store.journal.end(of: log, on: .logs) != nil }
}
