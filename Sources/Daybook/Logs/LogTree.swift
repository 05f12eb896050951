import Bytes
import Domain
import Journaling

/// The forks of the logs, and the events that references identify.
///
/// A device that has not seen a fork names the log by the id of the replica. A device that has seen the fork names each
/// branch by the branch's own id. Therefore, events that an event's author saw in one log may be in several logs here.
/// Such events are found by their chain hashes, in the named log and in all branches that follow it. Without forks, no
/// lookup is necessary.
final class LogTree {
  /// A part of a log: all events up to a sequence.
  struct Reach: Hashable {
    var log: UniqueID
    var upTo: UInt64
  }

  /// Returns the first 16 bytes of the chain hash at an event of the log or branch itself, or nil.
  typealias HashLookup = (_ log: UniqueID, _ sequence: UInt64) throws(DaybookError) -> UniqueID?

  let forks: [UniqueID: Fork]
  private let lineages: [UniqueID: Lineage]
  private let ends: [UniqueID: UInt64]
  private let branches: [UniqueID: [UniqueID]]
  private let hash: HashLookup

  /// Creates a tree of logs, each with the last of its own events.
  init(_ logs: [UniqueID: (lineage: Lineage, end: UInt64)], hash: @escaping HashLookup) {
    let branching = logs.filter { $0.value.lineage.fork != nil }
    forks = branching.compactMapValues(\.lineage.fork)
    lineages = branching.mapValues(\.lineage)
    ends = branching.isEmpty ? [:] : logs.mapValues(\.end)
    var branches: [UniqueID: [UniqueID]] = [:]
    for (branch, fork) in forks { branches[fork.trunk, default: []].append(branch) }
    self.branches = branches.mapValues { $0.sorted() }
    self.hash = hash
  }

  /// The replica that wrote a log.
  ///
  /// If the log is not here, the result is the log's own id.
  func replica(of log: UniqueID) -> UniqueID { lineages[log]?.replica ?? log }

  func lineage(of log: UniqueID) -> Lineage { lineages[log] ?? Lineage(replica: log) }

  /// Whether branches follow a log.
  func isForked(_ log: UniqueID) -> Bool { branches[log] != nil }

  /// Whether a log is part of a forked log.
  func isPartOfFork(_ log: UniqueID) -> Bool { isForked(log) || forks[log] != nil }

  /// The trunks of a log, from the first one on, followed by the log itself.
  func path(of log: UniqueID) -> [UniqueID] {
    var path = [log]
    while let last = path.last, let fork = forks[last] { path.append(fork.trunk) }
    return path.reversed()
  }

  /// A log and all branches that follow it, each after its trunk.
  func subtree(of log: UniqueID) -> [UniqueID] {
    var found = [log]
    var next = 0
    while next < found.count {
      found += branches[found[next]] ?? []
      next += 1
    }
    return found
  }

  /// The logs in an order in which every trunk comes before its branches.
  func ordered(_ logs: some Sequence<UniqueID>) -> [UniqueID] {
    let sorted = logs.sorted()
    guard !forks.isEmpty else { return sorted }
    return sorted.enumerated().map { (path(of: $1).count, $0, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

extension LogTree {
  /// The log or branch that contains the event with the given sequence and chain hash, among the named log and its
  /// branches.
  func holder(of landmark: Landmark) throws(DaybookError) -> UniqueID? {
    try firstLog(from: landmark.log, with: landmark.sequence) { $0 == landmark.hash }
  }

  /// Whether any log of a replica contains the event that added an entity.
  func holdsAdd(
    of entity: UniqueID, at sequence: UInt64, by replica: UniqueID
  ) throws(DaybookError) -> Bool {
    try firstLog(from: replica, with: sequence) { UniqueID(ofEntityAddedBy: $0) == entity } != nil
  }

  /// The first log, among the named log and its branches, whose event with the given sequence has the given hash.
  private func firstLog(
    from log: UniqueID, with sequence: UInt64, where isWanted: (_ hash: UniqueID) -> Bool
  ) throws(DaybookError) -> UniqueID? {
    for log in subtree(of: log) where holds(sequence, log) {
      if let hash = try hash(log, sequence), isWanted(hash) { return log }
    }
    return nil
  }

  /// Whether a log contains any event with this sequence.
  func holdsAny(_ log: UniqueID, _ sequence: UInt64) throws(DaybookError) -> Bool {
    try hash(log, sequence) != nil
  }

  /// Whether the event with the given sequence cannot be read in the named log or in one of its branches.
  func hasHole(at sequence: UInt64, in log: UniqueID) throws(DaybookError) -> Bool {
    for log in subtree(of: log) where holds(sequence, log) {
      if try !holdsAny(log, sequence) { return true }
    }
    return false
  }

  private func holds(_ sequence: UInt64, _ log: UniqueID) -> Bool {
    // Without forks, the ends are unknown and not needed.
    guard let end = ends[log] else { return true }
    return sequence >= lineage(of: log).first && sequence <= end
  }

  /// The log or branch that contains the last event that an author has seen.
  ///
  /// If the event is not held, the result is the named log, because only the part that all branches share is certain.
  func end(of seen: Landmark) throws(DaybookError) -> UniqueID {
    guard isForked(seen.log) else { return seen.log }
    return try holder(of: seen) ?? seen.log
  }

  /// The events that an author has seen, given the last event.
  func resolve(_ seen: Landmark) throws(DaybookError) -> (end: UniqueID, reaches: [Reach]) {
    let last = try end(of: seen)
    let upTo = isForked(last) ? min(seen.sequence, ends[last] ?? 0) : seen.sequence
    return (last, reaches(through: last, upTo: upTo))
  }

  /// All events up to an event of a log, including those of its trunks.
  func reaches(through log: UniqueID, upTo sequence: UInt64) -> [Reach] {
    var reaches = [Reach(log: log, upTo: sequence)]
    var log = log
    var upTo = sequence
    while let fork = forks[log] {
      // An event before the branch begins is in its trunk.
      upTo = min(upTo, fork.lastShared)
      reaches.append(Reach(log: fork.trunk, upTo: upTo))
      log = fork.trunk
    }
    return reaches.reversed()
  }

  /// The log, on the path to the end of a given log, that contains the event with a given sequence.
  func log(holding sequence: UInt64, onPathTo end: UniqueID) -> UniqueID {
    var log = end
    while let fork = forks[log], sequence <= fork.lastShared { log = fork.trunk }
    return log
  }
}
