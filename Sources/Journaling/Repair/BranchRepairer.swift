import Bytes
import Platform

/// Moves the events after a hole or a fork into the right strand once the events before them are found elsewhere.
struct BranchRepairer {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let loader: LogLoader
  let quarantine: Quarantine
  let planner: RepairPlanner
  let repairer: LossRepairer

  /// Moves events that follow an event of another strand into the folder of their branch.
  ///
  /// Until these events are moved, they follow a hole that no frame can fill.
  func reattachBranches() throws(JournalError) {
    for (strand, state) in index.states.sorted(by: { $0.key < $1.key }) {
      guard let hole = state.losses.events.last, index.strands(of: state.replica).count > 1,
        let frame = try firstFrame(after: hole, in: strand),
        let branch = try planner.branch(beginningWith: frame, of: state.replica, for: [])
      else { continue }
      try moveEvents(after: hole, of: strand, state, to: branch)
    }
  }

  /// Moves the events after a hole into a folder of their own if the log forks in the part of the hole that was filled.
  ///
  /// It is unknown which of the branches these events follow, because the part was filled with the events that were
  /// received first.
  ///
  /// - Returns: Whether events were moved.
  func detachDoubtfulEvents() throws(JournalError) -> Bool {
    var isNews = false
    for (strand, state) in index.states.sorted(by: { $0.key < $1.key }) {
      guard let hole = doubtfulHole(of: strand, state),
        let frame = try firstFrame(after: hole, in: strand)
      else { continue }
      let branch = UniqueID.branch(firstCommandHash: frame.information.hash)
      guard index.states[branch] == nil else { continue }
      try moveEvents(after: hole, of: strand, state, to: branch)
      isNews = true
    }
    return isNews
  }

  /// The first hole of a strand from whose filled part another strand forks.
  private func doubtfulHole(of strand: UniqueID, _ state: LogState) -> ClosedRange<UInt64>? {
    state.losses.events.first { hole in
      guard let origin = state.losses.origins[hole.upperBound] else { return false }
      return index.states.values.contains { other in
        other.trunk == strand && origin <= other.first && other.first < hole.lowerBound
      }
    }
  }

  /// The frame that begins directly after a hole.
  private func firstFrame(
    after hole: ClosedRange<UInt64>, in strand: UniqueID
  ) throws(JournalError) -> Frame? {
    let frame = try finder.frame(of: strand, at: hole.upperBound + 1)
    return frame.flatMap { $0.firstSequence == hole.upperBound + 1 ? $0 : nil }
  }

  /// Moves the events of a strand after a hole into the folder of a branch.
  private func moveEvents(
    after hole: ClosedRange<UInt64>, of strand: UniqueID, _ state: LogState, to branch: UniqueID
  ) throws(JournalError) {
    let folder = store.folder(strand, state)
    let names = try onDisk { () throws(DiskError) in
      try folder.segments().filter { $0.first > hole.lowerBound || $0.reaches(hole.lowerBound) }
    }
    var split = ForkSplit(
      loss: Loss(events: hole.lowerBound...state.end.sequence, isEnd: true), names: names)
    split.branch = branch
    for name in names { split.take(try planner.read(name, in: folder), behind: hole) }
    var plan = RepairPlan(
      damaged: [], written: split.files.map(\.asFile), replaced: [], filled: [], bare: [],
      leavesHole: false)
    split.complete(&plan)
    try repairer.apply(plan, on: strand)
    try repairer.reread(strand)
  }

  /// Adds the table to tails that lack it, once the events before them have made it known.
  ///
  /// - Returns: Whether a tail was rewritten.
  func addMissingTables() throws(JournalError) -> Bool {
    var chain = Chain()
    var isNews = false
    for (strand, state) in index.states.sorted(by: { $0.key < $1.key })
    where state.ending == .unclear {
      guard let tail = state.tail else { continue }
      let (folder, name) = (store.folder(strand, state), SegmentName.tail(tail.first))
      guard let first = try planner.read(name, in: folder).frames.first, first.frame.start == nil,
        let start = try start(of: first.frame, in: strand, state), start.joins(first.frame)
      else { continue }
      let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: name) }
      var draft = FrameDraft(after: start)
      guard bytes.starts(with: first.bytes), draft.append(first.frame, &chain) else { continue }
      let told = try draft.packed(for: strand, level: .quick, withTable: true)
      try store.writing { () throws(DiskError) in
        try store.disk.replace(folder.path(of: name), with: told + bytes[first.bytes.count...])
      }
      try repairer.reread(strand)
      isNews = true
    }
    return isNews
  }

  /// The log end before the given frame of the given strand, read from the strand or its trunk.
  private func start(
    of frame: Frame, in strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> LogEnd? {
    let last = frame.firstSequence - 1
    if last >= state.first { return try finder.end(of: strand, at: last) }
    return try state.trunk.flatMap { trunk throws(JournalError) in
      try finder.end(of: trunk, at: last)
    }
  }

  /// Removes strands whose events are all in another strand as well, and the events after a strand's last hole if they
  /// are in another strand as well.
  func removeHeldElsewhere() throws(JournalError) {
    for (strand, state) in index.states.sorted(by: { $0.key < $1.key }) {
      guard let first = try firstNeedless(of: strand, state) else { continue }
      try removeEvents(of: strand, state, from: first)
    }
  }

  /// Removes branches whose events are all in their trunks as well.
  ///
  /// If the event before a branch was lost, its trunk is known only after the events that have arrived have been stored
  /// and the branches have been found.
  ///
  /// - Returns: Whether a branch was removed.
  func removeTwins() throws(JournalError) -> Bool {
    var isNews = false
    for (strand, state) in index.states.sorted(by: { $0.key < $1.key })
    where isTwin(strand, state) {
      guard try isHeld(from: state.first, of: state, strand) else { continue }
      try removeEvents(of: strand, state, from: state.first)
      isNews = true
    }
    return isNews
  }

  /// Removes the files that contain only events of a strand starting at the given event.
  private func removeEvents(
    of strand: UniqueID, _ state: LogState, from first: UInt64
  ) throws(JournalError) {
    let folder = store.folder(strand, state)
    let files = try onDisk { () throws(DiskError) in
      try folder.segments().filter { $0.first >= first }.map(folder.path(of:))
    }
    // A file that also contains other events is kept. Readers skip the events that are also in another strand.
    guard !files.isEmpty else { return }
    try store.remove(files, from: folder)
    index.states[strand] = nil
    if first > state.first { try loader.load(strand, of: state.replica, from: state.shelf) }
  }

  /// Whether the trunk of a branch continues with the first command of the branch, so that both hold the same events.
  private func isTwin(_ strand: UniqueID, _ state: LogState) -> Bool {
    state.trunk.flatMap { index.branchPoint(in: $0, at: state.first - 1)?.next } == strand
  }

  /// Empties the folder of a branch if it holds only frames that a misdirected write left there.
  ///
  /// The files are copied into quarantine.
  ///
  /// - Returns: Whether the folder was emptied.
  func setAsideMisdirected(in strand: UniqueID) throws(JournalError) -> Bool {
    guard let state = index.states[strand], state.isOrphaned, state.trunk == nil else {
      return false
    }
    let folder = store.folder(strand, state)
    let names = try onDisk { () throws(DiskError) in try folder.segments() }
    try quarantine.setAside(names, of: strand, in: folder)
    try store.remove(names.map(folder.path(of:)), from: folder)
    index.states[strand] = nil
    return true
  }

  /// The event starting at which all events of a strand are in another strand as well; nil if there is none.
  private func firstNeedless(
    of strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> UInt64? {
    if state.isOrphaned || isTwin(strand, state), try isHeld(from: state.first, of: state, strand) {
      return state.first
    }
    guard !state.isOrphaned, let hole = state.losses.events.last else { return nil }
    let first = hole.upperBound + 1
    return try isHeld(from: first, of: state, strand) ? first : nil
  }

  /// Whether another strand of the replica contains all events of the strand starting at the given event.
  private func isHeld(
    from first: UInt64, of state: LogState, _ strand: UniqueID
  ) throws(JournalError) -> Bool {
    guard first <= state.end.sequence else { return false }
    let events = first...state.end.sequence
    for other in index.strands(of: state.replica) where other != strand {
      guard let held = index.states[other], !held.isOrphaned, held.first <= events.lowerBound,
        !held.losses.all.contains(where: { $0.overlaps(events) })
      else { continue }
      if try finder.hash(in: other, at: events.upperBound) == state.end.hash { return true }
    }
    return false
  }
}

extension SegmentName {
  /// Whether the file can hold an event at or after the given sequence.
  fileprivate func reaches(_ sequence: UInt64) -> Bool {
    if case .sealed(let events) = self { events.upperBound >= sequence } else { true }
  }
}

extension ReadFile {
  fileprivate var asFile: RepairPlan.File {
    RepairPlan.File(name: name, bytes: frames.flatMap(\.bytes))
  }
}
