import Bytes
import Platform

/// Puts lost events back from whoever holds them: accepted where the chain joins on both sides, or a head ends
/// what came.
struct LossRepairer {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let loader: LogLoader
  let lossKeeper: LossKeeper
  let quarantine: Quarantine
  let flusher: Flusher
  let planner: RepairPlanner

  /// Writes the files of a strand anew that lost events, with what came for them.
  ///
  /// - Returns: Whether anything came back.
  func heal(_ strand: UniqueID, with fillers: [Filler]) throws(JournalError) -> Bool {
    guard let state = index.states[strand] else { return false }
    var healed = false
    for loss in try losses(of: strand, state, fillers) {
      let fitting = fillers.filter { loss.events.overlaps($0.events) }
      guard !fitting.isEmpty,
        let mending = try planner.mending(loss, of: strand, with: fitting)
      else { continue }
      try carryOut(mending, on: strand)
      healed = true
      // Nothing is held behind it any more.
      if mending.remains != nil { break }
    }
    guard healed else { return false }
    try reread(strand)
    return true
  }

  /// Reads a strand whose files were written anew; what is known to be lost of it stays so.
  func reread(_ strand: UniqueID) throws(JournalError) {
    guard let state = index.states.removeValue(forKey: strand) else { return }
    try loader.load(strand, of: state.replica, from: state.shelf)
    // What was no part of the log may have lain behind its end.
    let events = index.states[strand]?.events ?? state.events
    for hole in state.losses.events.within(events)
    where try !finder.isReadable(hole, in: strand, upTo: events.upperBound) {
      index.states[strand]?.losses.add(events: [hole])
    }
    index.states[strand]?.losses.add(bodies: state.losses.bodies)
  }

  /// What a strand has lost, in the pieces in which it is mended.
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

  /// Does what a plan says; after a crash in between, the old files or the new ones count, or both.
  func carryOut(
    _ mending: Mending, on strand: UniqueID
  ) throws(JournalError) {
    guard let state = index.states[strand] else { return }
    let folder = store.folder(strand, state)
    // A new file's name may cover what stays lost, which the names of the old ones told.
    if mending.leavesHole { try lossKeeper.saveHoles() }
    try quarantine.setAside(mending.damaged, of: strand, in: folder)
    if let remains = mending.remains { try keep(remains, of: state) }
    for file in mending.written {
      try store.writing { () throws(DiskError) in
        try store.disk.replace(folder.path(of: file.name), with: file.bytes)
      }
    }
    try store.remove(mending.replaced.map(folder.path(of:)), from: folder)
    index.states[strand]?.losses.remove(mending.filled)
    index.states[strand]?.losses.add(bodies: mending.bare)
  }

  /// Writes what is left of a branch into a folder of its own, before it goes from where it was.
  private func keep(
    _ remains: Mending.Remains, of state: LogState
  ) throws(JournalError) {
    let folder = store.folder(remains.strand, of: state.replica, state.shelf)
    try store.writing { () throws(DiskError) in
      try store.disk.makeDirectories(folder.path)
      for file in remains.files {
        try store.disk.replace(folder.path(of: file.name), with: file.bytes)
      }
    }
    try loader.load(remains.strand, of: state.replica, from: state.shelf)
    try flusher.settleNames(of: [remains.strand])
  }

  /// Holes as they are filled: those of a tail as one, since few of the frames between them end in a head or tell
  /// the table.
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

  /// The whole commands that events of a range belong to.
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
