import Bytes
import Platform

/// Replaces lost events with frames that peers sent.
///
/// Frames are accepted if the hash chain joins them to the events on both sides, or if they end in a head.
struct LossRepairer {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let loader: LogLoader
  let lossKeeper: LossKeeper
  let quarantine: Quarantine
  let flusher: Flusher
  let planner: RepairPlanner

  /// Fills the holes of a strand with received frames.
  ///
  /// - Returns: Whether a hole was filled, at least in part.
  func heal(_ strand: UniqueID, with fillers: [Filler]) throws(JournalError) -> Bool {
    guard let state = index.states[strand] else { return false }
    var healed = false
    for loss in try losses(of: strand, state, fillers) {
      let fitting = fillers.filter { loss.events.overlaps($0.events) }
      guard !fitting.isEmpty,
        let plan = try planner.plan(for: loss, of: strand, with: fitting)
      else { continue }
      if loss.isEnd, let last = plan.filled.last?.upperBound {
        // Only the end of the log showed that these events are lost.
        let left = [loss.events.lowerBound...last].without(plan.filled)
        index.states[strand]?.losses.add(events: left)
      }
      try apply(plan, on: strand)
      healed = true
      // If the events after the loss were moved away, the later losses were moved with them.
      if plan.orphan != nil { break }
    }
    guard healed else { return false }
    try reread(strand)
    return true
  }

  /// Reads the given strand again after its files have been rewritten, and keeps its known losses.
  func reread(_ strand: UniqueID) throws(JournalError) {
    guard let state = index.states.removeValue(forKey: strand) else { return }
    try loader.load(strand, of: state.replica, from: state.shelf)
    // A known hole may have been filled, or may now be after the end.
    let events = index.states[strand]?.events ?? state.events
    for hole in state.losses.events.within(events)
    where try !finder.isReadable(hole, in: strand, upTo: events.upperBound) {
      index.states[strand]?.losses.add(events: [hole])
    }
    index.states[strand]?.losses.add(bodies: state.losses.bodies)
    index.states[strand]?.losses.keepOrigins(state.losses.origins)
  }

  /// The losses of the given strand, each of which is repaired as a unit.
  private func losses(
    of strand: UniqueID, _ state: LogState, _ fillers: [Filler]
  ) throws(JournalError) -> [Loss] {
    let bodiless = try state.losses.bodies.map { range throws(JournalError) in
      try commands(of: strand, around: range)
    }
    let holes = try healedTogether(state.losses.events, of: strand, state)
    let inside = holes + [ClosedRange<UInt64>](joining: bodiless)
    var losses = inside.map { Loss(events: $0, isEnd: false) }
    if let lost = state.ending.lost {
      let last = fillers.map(\.frame.lastSequence).reduce(lost.upperBound, max)
      losses.append(Loss(events: lost.lowerBound...last, isEnd: true))
    }
    return losses
  }

  /// Carries out the given plan.
  ///
  /// After a crash, the old files, the new files, or both are in use.
  func apply(
    _ plan: RepairPlan, on strand: UniqueID
  ) throws(JournalError) {
    guard let state = index.states[strand] else { return }
    let folder = store.folder(strand, state)
    // The name of a new file may cover events that remain lost. Until now, the names of the old files showed that loss.
    if plan.leavesHole { try lossKeeper.saveHoles() }
    try quarantine.setAside(plan.damaged, of: strand, in: folder)
    if let orphan = plan.orphan { try keep(orphan, of: state) }
    for file in plan.written {
      try store.writing { () throws(DiskError) in
        try store.disk.replace(folder.path(of: file.name), with: file.bytes)
      }
    }
    try store.remove(plan.replaced.map(folder.path(of:)), from: folder)
    index.states[strand]?.losses.remove(plan.filled)
    index.states[strand]?.losses.add(bodies: plan.bare)
  }

  /// Writes the rest of a branch into a separate folder, before that rest is removed from the old folder.
  private func keep(
    _ orphan: RepairPlan.OrphanedBranch, of state: LogState
  ) throws(JournalError) {
    let folder = store.folder(orphan.strand, of: state.replica, state.shelf)
    try store.writing { () throws(DiskError) in
      try store.disk.makeDirectories(folder.path)
      for file in orphan.files {
        try store.disk.replace(folder.path(of: file.name), with: file.bytes)
      }
    }
    try loader.load(orphan.strand, of: state.replica, from: state.shelf)
    try flusher.settleNames(of: [orphan.strand])
  }

  /// The holes that are filled together.
  ///
  /// All holes of a tail are filled together, because few of the frames between them end in a head or contain the
  /// table.
  private func healedTogether(
    _ holes: [ClosedRange<UInt64>], of strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> [ClosedRange<UInt64>] {
    guard holes.count > 1 else { return holes }
    let folder = store.folder(strand, state)
    let names = try onDisk { () throws(DiskError) in try folder.segments() }
    var joined: [ClosedRange<UInt64>] = []
    for hole in holes {
      if let last = joined.last, let file = names.last(where: { $0.first <= last.upperBound }),
        file.isTail, file == names.last(where: { $0.first <= hole.lowerBound })
      {
        joined[joined.count - 1] = last.lowerBound...hole.upperBound
      } else {
        joined.append(hole)
      }
    }
    return joined
  }

  /// The given range, extended to whole commands.
  private func commands(
    of strand: UniqueID, around range: ClosedRange<UInt64>
  ) throws(JournalError) -> ClosedRange<UInt64> {
    var (first, last) = (range.lowerBound, range.upperBound)
    let before = try finder.frame(of: strand, at: first)?.events.last {
      $0.isCommandStart && $0.sequence <= first
    }
    if let before { first = before.sequence }
    let behind = try finder.frame(of: strand, at: last)?.events.last {
      $0.isCommandStart && $0.sequence <= last
    }
    if let behind { last = max(last, behind.sequence + behind.more) }
    return first...last
  }
}
