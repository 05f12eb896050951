import Bytes
import Platform

/// What lies behind a hole or a fork, once what it follows is found elsewhere: nothing of it is lost then but its place.
extension Journal {
  /// Gives what follows an event of another strand a folder of its own, as the branch that it is: where it lies, it
  /// waits behind a hole that nothing will ever fill.
  mutating func rootBranches() throws(JournalError) {
    for (strand, state) in states.sorted(by: { $0.key < $1.key }) {
      guard let hole = state.losses.events.last, strands(of: state.replica).count > 1,
        let frame = try frame(of: strand, at: hole.upperBound + 1),
        frame.firstSequence == hole.upperBound + 1,
        let branch = try branch(beginningWith: frame, of: state.replica, for: [])
      else { continue }
      let folder = strandFolder(strand, state)
      let names = try onDisk { () throws(DiskError) in
        try folder.segments().filter { $0.first > hole.lowerBound || $0.reaches(hole.lowerBound) }
      }
      var parting = Parting(
        loss: Loss(events: hole.lowerBound...state.end.sequence, isEnd: true), names: names)
      parting.branch = branch
      for name in names { parting.take(try read(name, in: folder), behind: hole) }
      var mending = Mending(
        damaged: [], written: parting.files.map(\.asFile), replaced: [], filled: [], bare: [],
        leavesHole: false)
      parting.complete(&mending)
      try carryOut(mending, on: strand)
      try reread(strand)
    }
  }

  /// Writes tails anew that begin with a frame which does not tell its table, where that is known by now from what it
  /// follows.
  ///
  /// - Returns: Whether there were any.
  mutating func tellTables() throws(JournalError) -> Bool {
    var isNews = false
    for (strand, state) in states.sorted(by: { $0.key < $1.key }) where state.ending == .unclear {
      guard let tail = state.tail else { continue }
      let (disk, folder, name) = (disk, strandFolder(strand, state), SegmentName.tail(tail.first))
      guard let first = try read(name, in: folder).frames.first, first.frame.start == nil,
        let start = try start(of: first.frame, in: strand, state), start.joins(first.frame)
      else { continue }
      let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: name) }
      var draft = FrameDraft(after: start)
      guard bytes.starts(with: first.bytes), draft.append(first.frame, &chain) else { continue }
      let told = try encode(draft, of: strand, level: Self.quickLevel, withTable: true)
      try writing { () throws(DiskError) in
        try disk.replace(folder.path(of: name), with: told + bytes[first.bytes.count...])
      }
      try reread(strand)
      isNews = true
    }
    return isNews
  }

  /// The strand before a frame of it, or what the strand follows.
  private func start(
    of frame: Frame, in strand: UniqueID, _ state: LogState
  ) throws(JournalError) -> LogEnd? {
    let last = frame.firstSequence - 1
    if last >= state.first { return try end(of: strand, at: last) }
    return try state.trunk.flatMap { trunk throws(JournalError) in try end(of: trunk, at: last) }
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
