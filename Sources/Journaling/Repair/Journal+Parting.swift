import Bytes
import Platform

/// What is left of a branch whose beginning is lost keeps nobody's events away: where what came for the loss is proved,
/// and what is held behind it follows other events, the log has forked, and the two go apart.
extension Journal {
  /// The files from a loss on, taken apart at its last hole before an event; nil where what is held behind that is no
  /// branch that can be named.
  mutating func parting(
    _ names: [SegmentName], at loss: Loss, before event: UInt64, of strand: UniqueID,
    for fillers: [Filler]
  ) throws(JournalError) -> Parting? {
    // Where only bodies are missing, nothing follows other events.
    guard let state = states[strand], !loss.isEnd,
      let hole = state.losses.events.last(where: { $0.upperBound < event }),
      loss.events.contains(hole.lowerBound)
    else { return nil }
    let folder = strandFolder(strand, state)
    let last = fillers.map(\.frame.lastSequence).reduce(loss.events.upperBound, max)
    var parting = Parting(
      loss: Loss(events: loss.events.lowerBound...last, isEnd: true), names: names)
    for name in names {
      let file = try read(name, in: folder)
      let first = file.frames.first { $0.frame.firstSequence > hole.upperBound }
      if let first, parting.remains == nil {
        parting.branch = try branch(beginningWith: first.frame, of: state.replica, for: fillers)
      }
      parting.take(file, behind: hole)
    }
    guard let remains = parting.remains, states[remains.strand] == nil else { return nil }
    return parting
  }

  /// The branch that a frame begins where it follows what came or what another strand holds; nil for one whose
  /// beginning stays lost, and where a folder has the branch's name.
  func branch(
    beginningWith frame: Frame, of replica: UniqueID, for fillers: [Filler]
  ) throws(JournalError) -> UniqueID? {
    guard let branch = frame.branch(beginningAt: 0), states[branch] == nil else { return nil }
    let (hash, last) = (frame.information.hash, frame.firstSequence - 1)
    let came = fillers.contains { $0.frame.events.contains { $0.hash == hash } }
    if came { return branch }
    return try holder(of: hash, at: last, in: replica) == nil ? nil : branch
  }

  /// Removes strands of which another one holds all, as when a branch has come back, and what lies behind a hole of one
  /// and is another's.
  mutating func forgetRemains() throws(JournalError) {
    for (strand, state) in states.sorted(by: { $0.key < $1.key }) {
      guard let first = try firstNeedless(of: strand, state) else { continue }
      let folder = strandFolder(strand, state)
      let files = try onDisk { () throws(DiskError) in
        try folder.segments().filter { $0.first >= first }.map(folder.path(of:))
      }
      // Who reads a file that holds more passes over them there.
      guard !files.isEmpty else { continue }
      try remove(files, from: folder)
      states[strand] = nil
      if first > state.first { try load(strand, of: state.replica, from: state.shelf) }
    }
  }

  /// Makes room in a branch's folder that holds nothing of the branch, as a misdirected write leaves it.
  ///
  /// The files are kept in quarantine.
  ///
  /// - Returns: Whether it was such a folder.
  mutating func setAsideStrangers(in strand: UniqueID) throws(JournalError) -> Bool {
    guard let state = states[strand], state.isRemains, state.trunk == nil else { return false }
    let folder = strandFolder(strand, state)
    let names = try onDisk { () throws(DiskError) in try folder.segments() }
    try setAside(names, of: strand, in: folder)
    try remove(names.map(folder.path(of:)), from: folder)
    states[strand] = nil
    return true
  }

  /// From where on another strand holds all that one holds; nil where none does.
  private func firstNeedless(
    of strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> UInt64? {
    // A branch is another's own where that goes on with what the branch is named by.
    let isTwin = state.trunk.flatMap { junction(in: $0, at: state.first - 1)?.next } == strand
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
    for other in strands(of: state.replica) where other != strand {
      guard let held = states[other], !held.isRemains, held.first <= events.lowerBound,
        !held.losses.all.contains(where: { $0.overlaps(events) })
      else { continue }
      if try hash(in: other, at: events.upperBound) == state.end.hash { return true }
    }
    return false
  }
}

/// The files of a strand, taken apart at a loss.
struct Parting {
  /// What is lost when nothing is held behind it.
  let loss: Loss
  /// What they were called.
  let names: [SegmentName]
  /// The files with what is held before the loss, called after that.
  private(set) var files: [ReadFile] = []
  /// The branch that what is held behind it begins, where that is known.
  var branch: UniqueID?
  /// What is held behind it.
  private(set) var remains: Mending.Remains?
  private var damaged: [SegmentName] = []

  init(loss: Loss, names: [SegmentName]) { (self.loss, self.names) = (loss, names) }

  /// Takes a file, some of whose frames may lie behind a hole.
  mutating func take(_ file: ReadFile, behind hole: ClosedRange<UInt64>) {
    let place =
      file.frames.firstIndex { $0.frame.firstSequence > hole.upperBound } ?? file.frames.count
    let (before, behind) = (file.frames[..<place], file.frames[place...])
    if file.isDamaged { damaged.append(file.name) }
    if let last = before.last {
      var name = file.name
      if case .sealed(let events) = name {
        name = .sealed(events.lowerBound...max(events.lowerBound, last.frame.lastSequence))
      }
      files.append(ReadFile(name: name, frames: Array(before)))
    }
    if let first = behind.first {
      let isWhole = before.isEmpty && !file.isDamaged
      let name = isWhole ? file.name : .tail(first.frame.firstSequence)
      // What is lost may have been several commands; if it was one, this is the branch's own name.
      let strand =
        remains?.strand ?? branch ?? .branch(firstCommandHash: first.frame.information.hash)
      let before = remains?.files ?? []
      remains = Mending.Remains(
        strand: strand, files: before + [Mending.File(name: name, bytes: behind.flatMap(\.bytes))])
    }
  }

  /// Adds to a plan what becomes of the files as they were.
  func complete(_ mending: inout Mending) {
    let written = mending.written.map(\.name)
    mending.damaged = damaged
    mending.replaced = names.filter { !written.contains($0) }
    mending.remains = remains
  }
}
