import Bytes
import Platform

/// Divides the strands of forked replicas into branches.
struct BranchSurveyor {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder

  /// Finds the branches of every replica that has more than one strand.
  func findBranches(reading cache: SegmentCache? = nil) throws(JournalError) {
    (index.branches, index.unplaced) = ([:], [:])
    let forked = Set(index.states.filter { $0.key != $0.value.replica }.map(\.value.replica))
    for replica in forked.sorted() { try findBranches(of: replica, reading: cache) }
  }

  private func findBranches(
    of replica: UniqueID, reading cache: SegmentCache?
  ) throws(JournalError) {
    try findTrunks(of: replica, reading: cache)
    var children: [UniqueID: [(fork: UInt64, child: UniqueID)]] = [:]
    for child in index.strands(of: replica) {
      // The events that the strand follows may be lost. Until those events are found, the strand is not a log.
      guard let state = index.states[child], let trunk = state.trunk else { continue }
      children[trunk, default: []].append((state.first - 1, child))
    }
    if index.states[replica] != nil, !children.isEmpty {
      try cut(replica, as: Lineage(replica: replica), children)
    }
    try noteUnplaced(of: replica)
  }

  /// Finds the strands that belong to no log, and whose events no other strand holds.
  private func noteUnplaced(of replica: UniqueID) throws(JournalError) {
    let placed = Set(index.branches.values.map(\.strand)).union([replica])
    for strand in index.strands(of: replica) where !placed.contains(strand) {
      guard let state = index.states[strand], state.first <= state.end.sequence else { continue }
      let last = state.end.sequence
      guard try finder.holder(of: state.end.hash, at: last, in: replica) == strand else { continue }
      index.unplaced[strand] = state.first...last
    }
  }

  /// Finds the strand from which each strand of the given replica forks.
  ///
  /// Branch points that are already known are not read again.
  func findTrunks(
    of replica: UniqueID, reading cache: SegmentCache? = nil
  ) throws(JournalError) {
    let strands = index.strands(of: replica)
    let forks = Set(
      strands.compactMap { $0 == replica ? nil : index.states[$0].map { $0.first - 1 } })
    for strand in strands { try findBranchPoints(in: strand, at: forks, cache) }
    for strand in strands where strand != replica {
      guard let state = index.states[strand] else { continue }
      let trunk = state.base.flatMap { base in
        strands.first { index.branchPoint(in: $0, at: state.first - 1)?.hash == base }
      }
      index.states[strand]?.trunk = trunk
    }
  }

  private func findBranchPoints(
    in strand: UniqueID, at forks: Set<UInt64>, _ cache: SegmentCache?
  ) throws(JournalError) {
    var chain = Chain()
    guard let state = index.states[strand] else { return }
    let first = strand == state.replica ? 0 : state.first
    let unknown = forks.filter {
      $0 >= first && $0 < state.end.sequence && state.branchPoints[$0] == nil
    }
    guard !unknown.isEmpty else { return }
    let folder = store.folder(strand, state)
    // After the folder was listed, another process may have sealed a tail and so removed a file.
    for attempt in 1...8 {
      var survey = BranchPointSearch(
        unknown, of: state.replica, endingWith: state.end.table)
      do throws(DiskError) {
        for segment in try folder.segments() {
          guard let least = survey.begin(segment) else { continue }
          var scan = folder.scan(try folder.contents(of: segment, keptIn: cache), of: segment)
          while let step = scan.next(from: least, &chain) {
            if case .frame(let frame, _) = step { survey.take(frame) }
          }
        }
        index.states[strand]?.branchPoints.merge(survey.found) { _, new in new }
        return
      } catch {
        guard error.reason == .notFound, attempt < 8 else { throw .disk(error) }
      }
    }
  }

  /// Divides the given strand into branches where its children fork from it, and then divides the children.
  private func cut(
    _ strand: UniqueID, as lineage: Lineage,
    _ children: [UniqueID: [(fork: UInt64, child: UniqueID)]]
  ) throws(JournalError) {
    guard let state = index.states[strand] else { return }
    var children = children
    var (log, lineage) = (strand, lineage)
    let leaving = children[strand] ?? []
    for fork in Set(leaving.map(\.fork)).sorted() {
      // If damage hides the event, no branch begins there yet.
      let branchPoint = index.branchPoint(in: strand, at: fork)
      guard let end = branchPoint?.end else { continue }
      let (id, here) = (branchPoint?.next, leaving.filter { $0.fork == fork }.map(\.child))
      // If a frame restored lost events together with later events, the later events also have a strand of their own
      // until that strand is removed. If that strand then continues differently, it would have the id of the branch
      // that continues here, so neither that strand nor any strand that forks from it belongs to a log.
      var isHeldFurther = false
      if let id, here.contains(id) { isHeldFurther = try continues(state, in: id) }
      let others = isHeldFurther ? here : here.filter { $0 != id }
      guard !others.isEmpty else { continue }
      add(log, lineage, in: strand, upTo: end)
      let next = Lineage(
        replica: state.replica, fork: Fork(trunk: log, lastShared: fork))
      // The folder of that strand holds the rest of this strand and later events, so later children fork from that
      // strand instead.
      if isHeldFurther, let id { children[id, default: []] += leaving.filter { $0.fork > fork } }
      for child in others.sorted() { try cut(child, as: next, children) }
      guard fork < state.end.sequence, !isHeldFurther else { return }
      guard let id else {
        // The first command after the fork is lost.
        index.unplaced[strand] = fork + 1...state.end.sequence
        return
      }
      (log, lineage) = (id, next)
    }
    add(log, lineage, in: strand, upTo: state.end)
  }

  /// Whether the folder of another strand holds the end of a strand, and later events.
  private func continues(_ state: LogState, in id: UniqueID) throws(JournalError) -> Bool {
    guard let other = index.states[id], other.end.sequence > state.end.sequence else {
      return false
    }
    return try finder.hash(in: id, at: state.end.sequence) == state.end.hash
  }

  private func add(
    _ log: UniqueID, _ lineage: Lineage, in strand: UniqueID, upTo end: LogEnd
  ) {
    let own = lineage.first...max(lineage.first, end.sequence)
    let holes = index.states[strand]?.losses.events.within(own) ?? []
    index.branches[log] = Branch(lineage: lineage, strand: strand, end: end, holes: holes)
  }
}
