import Bytes

/// What a journal knows of its logs without reading their files.
///
/// A strand is cut where others leave it. The first piece bears the strand's name, each further one the name of the
/// branch that begins there; so it does not matter which branch came first.
final class LogIndex {
  /// The strands, each under the id of its folder.
  var states: [UniqueID: LogState] = [:]
  /// The logs of the replicas that forked; any other replica's log is its one strand.
  var branches: [UniqueID: Branch] = [:]

  /// Where a log stands among those of its replica.
  func lineage(of log: UniqueID) -> Lineage {
    branches[log]?.lineage ?? Lineage(replica: log)
  }

  /// Where each branch of a forked log begins.
  var forks: [UniqueID: Fork] { branches.compactMapValues(\.lineage.fork) }

  /// The events of a log that are lost, below its end.
  func holes(in log: UniqueID) -> [ClosedRange<UInt64>] {
    branches[log]?.holes ?? states[log]?.losses.events ?? []
  }

  /// The events that are lost of what lies in one folder.
  func holes(inStrand strand: UniqueID) -> [ClosedRange<UInt64>] {
    states[strand]?.losses.events ?? []
  }

  /// Whether a replica's log forked.
  func isForked(_ replica: UniqueID) -> Bool { branches[replica] != nil }

  /// The strand in whose folder a log's events lie.
  func strand(of log: UniqueID) -> UniqueID { branches[log]?.strand ?? log }

  /// The log that an event of a strand belongs to, or, beyond its end, its last one.
  func log(in strand: UniqueID, at sequence: UInt64) -> UniqueID {
    let mine = branches.filter { $0.value.strand == strand && $0.value.lineage.first <= sequence }
    return mine.max { $0.value.lineage.first < $1.value.lineage.first }?.key ?? strand
  }

  /// Where a log ends, or nil for one without events.
  func end(of log: UniqueID) -> LogEnd? {
    if let branch = branches[log] { return branch.isEmpty ? nil : branch.end }
    return states[log]?.end
  }

  /// Where a log on a shelf ends, or nil where the shelf has none of it.
  ///
  /// The same as a look into ``ends(on:)``, which is put together anew each time.
  func end(of log: UniqueID, on shelf: LogShelf) -> LogEnd? {
    guard let state = states[strand(of: log)], state.shelf == shelf else { return nil }
    // A strand that waits for what it follows is no log yet.
    return branches[log] != nil || log == state.replica ? end(of: log) : nil
  }

  /// The ends of the logs on a shelf.
  func ends(on shelf: LogShelf) -> [UniqueID: LogEnd] {
    var ends: [UniqueID: LogEnd] = [:]
    for (strand, state) in states where state.shelf == shelf {
      // Strands of a forked log are told of by their branches.
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

  /// The strands of a replica, each behind the one that it leaves.
  func strands(of replica: UniqueID) -> [UniqueID] {
    let mine = states.filter { $0.value.replica == replica }
    return mine.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }.map(\.key)
  }

  /// What a strand is at one of its own events, or before the replica's first, as far as that was looked for.
  func junction(in strand: UniqueID, at sequence: UInt64) -> Junction? {
    guard let state = states[strand] else { return nil }
    let least = strand == state.replica ? 0 : state.first
    if sequence == state.end.sequence, sequence >= least {
      return Junction(hash: state.end.hash, end: state.end)
    }
    return state.junctions[sequence]
  }

  /// What the references in a log lead to, at a frame's start; the fork is that of a strand not stored yet.
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

  /// The last event of each strand of a replica, behind what it has lost, too.
  func ends(of replica: UniqueID) -> [Place] {
    strands(of: replica).compactMap { strand in
      guard let state = states[strand], leadsToEnd(strand, state) else { return nil }
      return Place(log: replica, sequence: state.end.sequence, hash: state.end.hash)
    }
  }

  /// Whether a strand has an end, and it can be told what leads there: of one whose beginning is not known it cannot.
  func leadsToEnd(_ strand: UniqueID, _ state: LogState) -> Bool {
    state.end.sequence > 0 && (strand == state.replica || branches[strand] != nil)
  }

  /// Whether events may follow a log's end as it is on the disk.
  func isSound(_ log: UniqueID) -> Bool {
    states[strand(of: log)]?.ending.isSound ?? true
  }

  /// Takes down who writes which log where that is known already, so that no first event need be read for it.
  func note(openings: some Sequence<Opening>) {
    for opening in openings {
      let replica = UniqueID.replica(
        publicKey: opening.publicKey, incarnation: opening.incarnation)
      states[replica]?.publicKey = opening.publicKey
    }
  }

  /// The events of each strand that are known to have lost their bodies though no `erase` that counts took them.
  var bodiless: [UniqueID: [ClosedRange<UInt64>]] {
    states.mapValues(\.losses.bodies).filter { !$0.value.isEmpty }
  }

  /// Remembers, until the journal is opened again, which events have lost their bodies in this way.
  func note(bodiless found: [UniqueID: [ClosedRange<UInt64>]]) {
    for strand in states.keys { states[strand]?.losses.forgetBodies() }
    for (log, ranges) in found {
      states[strand(of: log)]?.losses.add(bodies: ranges)
    }
  }

  /// Refuses to write where a newer version has written.
  func refuseNewer() throws(JournalError) {
    for (log, state) in states.sorted(by: { $0.key < $1.key }) {
      if let version = state.newerVersion { throw .newer(log, version: version) }
    }
  }

  /// Whether all that lies in the logs' folders is known to be durable, where no flush has failed since.
  var isSettled: Bool {
    states.values.allSatisfy { $0.isNamed && $0.tail?.isSettled ?? true }
  }

  /// Hears that all of it is, from whoever wrote it last.
  func noteSettled() {
    for strand in states.keys {
      states[strand]?.isNamed = true
      states[strand]?.tail?.isSettled = true
    }
  }

  /// Whether the end of some log is not read but recalled, so that nothing may be written to it.
  var isRecalled: Bool { states.values.contains { $0.isRecalled } }
}
