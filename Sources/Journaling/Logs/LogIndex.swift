import Bytes

/// What a journal keeps in memory about its logs.
///
/// A *strand* consists of the events in one folder: the log of a replica as it was first received, or the events that
/// follow a fork of it. Where other strands fork from a strand, it is divided into *branches*. The first branch has the
/// id of the strand; the id of each other branch is derived from its first command. Therefore, the ids do not depend on
/// which branch was received first.
final class LogIndex {
  /// The strands, by the ids of their folders.
  var states: [UniqueID: LogState] = [:]
  /// The branches of the replicas that have forked.
  ///
  /// Every other replica has one log, which is its only strand.
  var branches: [UniqueID: Branch] = [:]
  /// The events of each strand that belong to no log, because events that connect them to a log are lost.
  var unplaced: [UniqueID: ClosedRange<UInt64>] = [:]

  /// The holes of each strand according to the file `holes`, which can differ from the holes that were found.
  var recordedHoles: [UniqueID: [ClosedRange<UInt64>]] = [:]

  /// The replica that wrote a log, and the fork that the log begins at.
  func lineage(of log: UniqueID) -> Lineage {
    branches[log]?.lineage ?? Lineage(replica: log)
  }

  /// The fork at which each branch begins.
  var forks: [UniqueID: Fork] { branches.compactMapValues(\.lineage.fork) }

  /// The unreadable events before the end of the given log.
  func holes(in log: UniqueID) -> [ClosedRange<UInt64>] {
    branches[log]?.holes ?? states[log]?.losses.events ?? []
  }

  /// The unreadable events before the end of the given strand.
  func holes(inStrand strand: UniqueID) -> [ClosedRange<UInt64>] {
    states[strand]?.losses.events ?? []
  }

  /// Whether the log of the given replica has forked.
  func isForked(_ replica: UniqueID) -> Bool { branches[replica] != nil }

  /// The strand that holds the events of the given log.
  func strand(of log: UniqueID) -> UniqueID { branches[log]?.strand ?? log }

  /// The log that contains the given event of the given strand.
  ///
  /// If the event is after the end of the strand, the result is the last log of the strand.
  func log(in strand: UniqueID, at sequence: UInt64) -> UniqueID {
    let mine = branches.filter { $0.value.strand == strand && $0.value.lineage.first <= sequence }
    return mine.max { $0.value.lineage.first < $1.value.lineage.first }?.key ?? strand
  }

  /// The end of the given log, or nil if it has no events.
  func end(of log: UniqueID) -> LogEnd? {
    if let branch = branches[log] { return branch.isEmpty ? nil : branch.end }
    return states[log]?.end
  }

  /// The end of a log, or nil if the log is not on the shelf.
  ///
  /// This is faster than a lookup in ``ends(on:)``, which is computed on each call.
  func end(of log: UniqueID, on shelf: LogShelf) -> LogEnd? {
    guard let state = states[strand(of: log)], state.shelf == shelf else { return nil }
    // An orphaned strand is not a log until the events before it are found.
    return branches[log] != nil || log == state.replica ? end(of: log) : nil
  }

  /// The ends of the logs on a shelf.
  func ends(on shelf: LogShelf) -> [UniqueID: LogEnd] {
    var ends: [UniqueID: LogEnd] = [:]
    for (strand, state) in states where state.shelf == shelf {
      // The branches replace the strands of a forked log.
      if branches[state.replica] == nil, strand == state.replica { ends[strand] = state.end }
    }
    for (log, branch) in branches where states[branch.strand]?.shelf == shelf && !branch.isEmpty {
      ends[log] = branch.end
    }
    return ends
  }

  /// The ends of all logs.
  var allEnds: [UniqueID: LogEnd] {
    ends(on: .logs).merging(ends(on: .aside)) { first, _ in first }
  }

  /// The strands of the given replica, each after the strand from which it forks.
  func strands(of replica: UniqueID) -> [UniqueID] {
    let mine = states.filter { $0.value.replica == replica }
    return mine.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }.map(\.key)
  }

  /// Whether another strand begins after the same event as the given strand, so that the two form a fork.
  func hasSibling(_ strand: UniqueID, _ state: LogState) -> Bool {
    states.contains { other, held in
      other != strand && held.replica == state.replica && held.first == state.first
        && held.before == state.before
    }
  }

  /// The branch point at the given event of the given strand, or before the replica's first event, if it has been
  /// searched for.
  func branchPoint(in strand: UniqueID, at sequence: UInt64) -> BranchPoint? {
    guard let state = states[strand] else { return nil }
    let least = strand == state.replica ? 0 : state.first
    if sequence == state.end.sequence, sequence >= least {
      return BranchPoint(hash: state.end.hash, end: state.end)
    }
    return state.branchPoints[sequence]
  }

  /// Returns the scope that resolves the references in the given frame of the given log.
  func scope(
    of frame: borrowing Frame, in log: UniqueID, leaving fork: Fork? = nil,
    table: [UniqueID]? = nil
  ) -> ReferenceScope {
    let strand = strand(of: log)
    let known = table ?? states[strand]?.end.table ?? []
    let start =
      frame.information.knownTable
      ?? Array(known.prefix(Int(frame.information.tableCount)))
    var forks = forks
    if let fork { forks[strand] = fork }
    return ReferenceScope(of: self.log(in: strand, at: .max), table: start, forks: forks)
  }

  /// The last event of each strand of the given replica, even if events before it are lost.
  func ends(of replica: UniqueID) -> [Place] {
    strands(of: replica).compactMap { strand in
      guard let state = states[strand], leadsToEnd(strand, state) else { return nil }
      return Place(log: replica, sequence: state.end.sequence, hash: state.end.hash)
    }
  }

  /// The log or branch whose last event is the last event of a strand; the replica if the strand belongs to no log.
  func log(endingIn strand: UniqueID, _ state: LogState) -> UniqueID {
    let branch = branches.first { _, branch in
      branch.strand == strand && !branch.isEmpty && branch.end.hash == state.end.hash
    }
    return branch?.key ?? state.replica
  }

  /// Whether the given strand has events and a known beginning.
  func leadsToEnd(_ strand: UniqueID, _ state: LogState) -> Bool {
    state.end.sequence > 0 && (strand == state.replica || branches[strand] != nil)
  }

  /// Whether the given log's last event can be read and its table is known, so events can be appended.
  func isSound(_ log: UniqueID) -> Bool {
    states[strand(of: log)]?.ending.isSound ?? true
  }

  /// Adds the keys of logs, so their first events need not be read.
  func note(openings: some Sequence<Opening>) {
    for opening in openings {
      let replica = UniqueID.replica(
        publicKey: opening.publicKey, incarnation: opening.incarnation)
      states[replica]?.publicKey = opening.publicKey
    }
  }

  /// The events of each strand in the book that belong to no log.
  var unplacedInBook: [UniqueID: ClosedRange<UInt64>] {
    unplaced.filter { states[$0.key]?.shelf == .logs }
  }

  /// The events of each replica in the book that belong to no log.
  var unplacedByReplica: [UniqueID: [ClosedRange<UInt64>]] {
    var events: [UniqueID: [ClosedRange<UInt64>]] = [:]
    for (strand, range) in unplacedInBook {
      guard let state = states[strand] else { continue }
      events[state.replica, default: []].append(range)
    }
    return events.mapValues { [ClosedRange<UInt64>](joining: $0) }
  }

  /// The events of each strand that have lost their bodies, although no `erase` in effect removed them.
  var bodiless: [UniqueID: [ClosedRange<UInt64>]] {
    states.mapValues(\.losses.bodies).filter { !$0.value.isEmpty }
  }

  /// Sets ``bodiless``.
  func note(bodiless found: [UniqueID: [ClosedRange<UInt64>]]) {
    for strand in states.keys { states[strand]?.losses.forgetBodies() }
    for (log, ranges) in found {
      states[strand(of: log)]?.losses.add(bodies: ranges)
    }
  }

  /// Throws if a newer version of the program has written to a log.
  func refuseNewer() throws(JournalError) {
    for (log, state) in states.sorted(by: { $0.key < $1.key }) {
      if let version = state.newerVersion { throw .newer(log, version: version) }
    }
  }

  /// Whether all files of the logs are known to be durable, provided that no flush has failed.
  var isSettled: Bool {
    states.values.allSatisfy { $0.isNamed && $0.tail?.isSettled ?? true }
  }

  /// Records that all files are durable.
  func noteSettled() {
    for strand in states.keys {
      states[strand]?.isNamed = true
      states[strand]?.tail?.isSettled = true
    }
  }

  /// Whether the end of any log was taken from a cache; if so, that log must not be written to.
  var isRecalled: Bool { states.values.contains { $0.isRecalled } }
}
