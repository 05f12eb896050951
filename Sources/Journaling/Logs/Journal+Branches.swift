package import Bytes
import Platform

/// The logs of a replica that forked, as its strands make them.
///
/// A strand is cut where others leave it. The first piece bears the strand's name, each further one the name of the
/// branch that begins there; so it does not matter which branch came first.
extension Journal {
  /// Where a log stands among those of its replica.
  package func lineage(of log: UniqueID) -> Lineage {
    branches[log]?.lineage ?? Lineage(replica: log)
  }

  /// Where each branch of a forked log begins.
  package var forks: [UniqueID: Fork] { branches.compactMapValues(\.lineage.fork) }

  /// The events of a log that are lost, below its end.
  package func holes(in log: UniqueID) -> [ClosedRange<UInt64>] {
    branches[log]?.holes ?? states[log]?.losses.events ?? []
  }

  /// The events that are lost of what lies in one folder.
  package func holes(inStrand strand: UniqueID) -> [ClosedRange<UInt64>] {
    states[strand]?.losses.events ?? []
  }

  /// Whether a replica's log forked.
  package func isForked(_ replica: UniqueID) -> Bool { branches[replica] != nil }

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
  /// The same as a look into ``logs`` or ``aside``, which are put together anew for whoever asks for them.
  package func end(of log: UniqueID, on shelf: Shelf) -> LogEnd? {
    guard let state = states[strand(of: log)], state.shelf == shelf else { return nil }
    // A strand that waits for what it follows is no log yet.
    return branches[log] != nil || log == state.replica ? end(of: log) : nil
  }

  /// The ends of the logs on a shelf.
  func ends(on shelf: Shelf) -> [UniqueID: LogEnd] {
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

  /// The strands of a replica, each behind the one that it leaves.
  func strands(of replica: UniqueID) -> [UniqueID] {
    let mine = states.filter { $0.value.replica == replica }
    return mine.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }.map(\.key)
  }

  /// Finds the logs of every replica that has more than one strand.
  mutating func findBranches() throws(JournalError) {
    branches = [:]
    let forked = Set(states.filter { $0.key != $0.value.replica }.map(\.value.replica))
    for replica in forked.sorted() { try findBranches(of: replica) }
  }

  private mutating func findBranches(of replica: UniqueID) throws(JournalError) {
    try findTrunks(of: replica)
    var children: [UniqueID: [(fork: UInt64, child: UniqueID)]] = [:]
    for child in strands(of: replica) {
      // What it follows may be lost: it waits for that to come back.
      guard let state = states[child], let trunk = state.trunk else { continue }
      children[trunk, default: []].append((state.first - 1, child))
    }
    guard states[replica] != nil, !children.isEmpty else { return }
    try cut(replica, as: Lineage(replica: replica), children)
  }

  /// Finds which strand each strand of a replica leaves; what was read of them before is not read again.
  mutating func findTrunks(of replica: UniqueID) throws(JournalError) {
    let strands = strands(of: replica)
    let forks = Set(strands.compactMap { $0 == replica ? nil : states[$0].map { $0.first - 1 } })
    for strand in strands { try findJunctions(in: strand, at: forks) }
    for strand in strands where strand != replica {
      guard let state = states[strand] else { continue }
      let trunk = state.base.flatMap { base in
        strands.first { junction(in: $0, at: state.first - 1)?.hash == base }
      }
      states[strand]?.trunk = trunk
    }
  }

  private mutating func findJunctions(
    in strand: UniqueID, at forks: Set<UInt64>
  ) throws(JournalError) {
    guard let state = states[strand] else { return }
    let first = strand == state.replica ? 0 : state.first
    let unknown = forks.filter {
      $0 >= first && $0 < state.end.sequence && state.junctions[$0] == nil
    }
    guard !unknown.isEmpty else { return }
    let folder = strandFolder(strand, state)
    // A file listed may be gone a moment later, sealed by another process.
    for attempt in 1...8 {
      var survey = JunctionSurvey(unknown, of: state.replica)
      do throws(DiskError) {
        for segment in try folder.segments() {
          guard let least = survey.begin(segment) else { continue }
          var scan = folder.scan(try contents(of: segment, in: folder), of: segment)
          while let step = scan.next(from: least, &chain) {
            if case .frame(let frame, _) = step { survey.take(frame) }
          }
        }
        states[strand]?.junctions.merge(survey.found) { _, new in new }
        return
      } catch {
        guard error.reason == .notFound, attempt < 8 else { throw .disk(error) }
      }
    }
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

  /// The strand that holds an event with a hash as its own.
  func holder(
    of hash: Digest, at sequence: UInt64, in replica: UniqueID
  ) throws(JournalError) -> UniqueID? {
    for strand in strands(of: replica) {
      if try self.hash(in: strand, at: sequence) == hash { return strand }
    }
    return nil
  }

  /// The chain hash of a strand at one of its own events, or before the replica's first.
  func hash(in strand: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    guard let state = states[strand], sequence <= state.end.sequence else { return nil }
    if sequence == 0 { return strand == state.replica ? Chain.zero(of: strand) : nil }
    guard sequence >= state.first else { return nil }
    if sequence == state.end.sequence { return state.end.hash }
    if let hash = state.tail?.hashes[sequence] { return hash }
    return try record(of: strand, at: sequence)?.hash
  }

  /// Cuts a strand into logs where its children leave it, and so on down the tree.
  private mutating func cut(
    _ strand: UniqueID, as lineage: Lineage,
    _ children: [UniqueID: [(fork: UInt64, child: UniqueID)]]
  ) throws(JournalError) {
    guard let state = states[strand] else { return }
    var children = children
    var (log, lineage) = (strand, lineage)
    let leaving = children[strand] ?? []
    for fork in Set(leaving.map(\.fork)).sorted() {
      // Damage can hide what the log was there; then nothing leaves it yet.
      let junction = junction(in: strand, at: fork)
      guard let end = junction?.end else { continue }
      // What came back in one frame with what was lost before it has a strand of its own, too, until that is removed.
      let others = leaving.filter { $0.fork == fork }.map(\.child).filter { child in
        child != junction?.next
          || states[child].map { $0.end.sequence > state.end.sequence } ?? false
      }
      guard !others.isEmpty else { continue }
      add(log, lineage, in: strand, upTo: end)
      let next = Lineage(
        replica: state.replica, fork: Fork(trunk: log, lastShared: fork))
      let id = junction?.next
      var isHeldFurther = false
      if let id, others.contains(id) {
        isHeldFurther = try hash(in: id, at: state.end.sequence) == state.end.hash
        // Its own folder holds all that follows here, and more: whatever leaves that leaves it there.
        if isHeldFurther { children[id, default: []] += leaving.filter { $0.fork > fork } }
      }
      for child in others.sorted() { try cut(child, as: next, children) }
      guard fork < state.end.sequence, let id, !isHeldFurther else { return }
      (log, lineage) = (id, next)
    }
    add(log, lineage, in: strand, upTo: state.end)
  }

  private mutating func add(
    _ log: UniqueID, _ lineage: Lineage, in strand: UniqueID, upTo end: LogEnd
  ) {
    let own = lineage.first...max(lineage.first, end.sequence)
    let holes = states[strand]?.losses.events.within(own) ?? []
    branches[log] = Branch(lineage: lineage, strand: strand, end: end, holes: holes)
  }

  /// A strand at one of its events, or before its first.
  func end(of strand: UniqueID, at sequence: UInt64) throws(JournalError) -> LogEnd? {
    guard let state = states[strand] else { return nil }
    if sequence == state.end.sequence { return state.end }
    if sequence == 0 { return .zero(of: state.replica) }
    if sequence == state.first - 1 { return try frame(of: strand, at: state.first)?.start }
    // A frame of a tail tells the table only by what stands before it in the file.
    let folder = strandFolder(strand, state)
    return try onDisk { () throws(DiskError) in
      for segment in try folder.segments().reversed() where segment.first <= sequence {
        var scan = try folder.scan(segment)
        var chain = Chain()
        var before: LogEnd?
        // Each sealed frame tells the table, so those before need not be unpacked.
        let wanted = segment.isTail ? 0 : sequence
        while let step = scan.next(from: wanted, &chain) {
          guard case .frame(let frame, _) = step else { continue }
          guard let start = before.flatMap({ $0.joins(frame) ? $0 : nil }) ?? frame.start else {
            continue
          }
          if frame.firstSequence <= sequence, sequence <= frame.lastSequence {
            return frame.end(before: Int(sequence - frame.firstSequence) + 1, after: start)
          }
          before = start.advanced(by: frame)
        }
      }
      return nil
    }
  }
}
