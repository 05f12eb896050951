import Bytes
import Platform

/// Gives what lies behind a hole or a fork its place, once what it follows is found elsewhere.
struct BranchRepairer {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let loader: LogLoader
  let quarantine: Quarantine
  let planner: RepairPlanner
  let repairer: LossRepairer

  /// Gives what follows an event of another strand a folder of its own, as the branch that it is: where it lies, it
  /// waits behind a hole that nothing will ever fill.
  func rootBranches() throws(JournalError) {
    for (strand, state) in index.states.sorted(by: { $0.key < $1.key }) {
      guard let hole = state.losses.events.last, index.strands(of: state.replica).count > 1,
        let frame = try finder.frame(of: strand, at: hole.upperBound + 1),
        frame.firstSequence == hole.upperBound + 1,
        let branch = try planner.branch(beginningWith: frame, of: state.replica, for: [])
      else { continue }
      let folder = store.folder(strand, state)
      let names = try onDisk { () throws(DiskError) in
        try folder.segments().filter { $0.first > hole.lowerBound || $0.reaches(hole.lowerBound) }
      }
      var parting = Parting(
        loss: Loss(events: hole.lowerBound...state.end.sequence, isEnd: true), names: names)
      parting.branch = branch
      for name in names { parting.take(try planner.read(name, in: folder), behind: hole) }
      var mending = Mending(
        damaged: [], written: parting.files.map(\.asFile), replaced: [], filled: [], bare: [],
        leavesHole: false)
      parting.complete(&mending)
      try repairer.carryOut(mending, on: strand)
      try repairer.reread(strand)
    }
  }

  /// Writes tails anew that begin with a frame which does not tell its table, where that is known by now from what it
  /// follows.
  ///
  /// - Returns: Whether there were any.
  func tellTables() throws(JournalError) -> Bool {
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

  /// The strand before a frame of it, or what the strand follows.
  private func start(
    of frame: Frame, in strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> LogEnd? {
    let last = frame.firstSequence - 1
    if last >= state.first { return try finder.end(of: strand, at: last) }
    return try state.trunk.flatMap { trunk throws(JournalError) in
      try finder.end(of: trunk, at: last)
    }
  }

  /// Removes strands of which another one holds all, as when a branch has come back, and what lies behind a hole of one
  /// and is another's.
  func forgetRemains() throws(JournalError) {
    for (strand, state) in index.states.sorted(by: { $0.key < $1.key }) {
      guard let first = try firstNeedless(of: strand, state) else { continue }
      let folder = store.folder(strand, state)
      let files = try onDisk { () throws(DiskError) in
        try folder.segments().filter { $0.first >= first }.map(folder.path(of:))
      }
      // Who reads a file that holds more passes over them there.
      guard !files.isEmpty else { continue }
      try store.remove(files, from: folder)
      index.states[strand] = nil
      if first > state.first { try loader.load(strand, of: state.replica, from: state.shelf) }
    }
  }

  /// Makes room in a branch's folder that holds nothing of the branch, as a misdirected write leaves it.
  ///
  /// The files are kept in quarantine.
  ///
  /// - Returns: Whether it was such a folder.
  func setAsideStrangers(in strand: UniqueID) throws(JournalError) -> Bool {
    guard let state = index.states[strand], state.isRemains, state.trunk == nil else {
      return false
    }
    let folder = store.folder(strand, state)
    let names = try onDisk { () throws(DiskError) in try folder.segments() }
    try quarantine.setAside(names, of: strand, in: folder)
    try store.remove(names.map(folder.path(of:)), from: folder)
    index.states[strand] = nil
    return true
  }

  /// From where on another strand holds all that one holds; nil where none does.
  private func firstNeedless(
    of strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> UInt64? {
    // A branch is another's own where that goes on with what the branch is named by.
    let isTwin = state.trunk.flatMap { index.junction(in: $0, at: state.first - 1)?.next } == strand
    if state.isRemains || isTwin, try isHeld(from: state.first, of: state, strand) {
      return state.first
    }
    guard !state.isRemains, let hole = state.losses.events.last else { return nil }
    let first = hole.upperBound + 1
    return try isHeld(from: first, of: state, strand) ? first : nil
  }

  /// Whether another strand of a replica has lost none of the last events of one.
  private func isHeld(
    from first: UInt64, of state: LogState, _ strand: UniqueID
  ) throws(JournalError) -> Bool {
    guard first <= state.end.sequence else { return false }
    let events = first...state.end.sequence
    for other in index.strands(of: state.replica) where other != strand {
      guard let held = index.states[other], !held.isRemains, held.first <= events.lowerBound,
        !held.losses.all.contains(where: { $0.overlaps(events) })
      else { continue }
      if try finder.hash(in: other, at: events.upperBound) == state.end.hash { return true }
    }
    return false
  }
}

extension SegmentName {
  /// Whether it can hold an event that comes behind its first.
  fileprivate func reaches(_ sequence: UInt64) -> Bool {
    if case .sealed(let events) = self { events.upperBound >= sequence } else { true }
  }
}

extension ReadFile {
  fileprivate var asFile: Mending.File {
    Mending.File(name: name, bytes: frames.flatMap(\.bytes))
  }
}
