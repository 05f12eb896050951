import Bytes
import Platform

/// Plans how lost events are put back, before anything is written.
struct RepairPlanner {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let eraser: BodyEraser

  /// What is to be done to the files around a loss with what came for it, or nil where that does not join.
  ///
  /// The files go on until a head ends all that takes the place of sealed ones: only so the new file can replace
  /// the old ones in one step. Where the last of them ends in none, a tail takes the place of all, which outlives
  /// what is damaged; see ``removeNeedless(of:)``.
  func mending(
    _ loss: Loss, of strand: UniqueID, with fillers: [Filler]
  ) throws(JournalError) -> Mending? {
    guard let state = index.states[strand] else { return nil }
    let folder = store.folder(strand, state)
    let all = try onDisk { () throws(DiskError) in try folder.segments() }
    let sealed = all.filter { $0.ends(before: loss.events.lowerBound) }
    let names = all.filter { !$0.ends(before: loss.events.lowerBound) }
    var count = Self.fileCount(for: loss, among: names)
    var files: [ReadFile] = []
    while true {
      for name in names[files.count..<count] {
        var file = try read(name, in: folder)
        if let version = file.newerVersion { throw .newer(strand, version: version) }
        for frame in file.displaced
        where try !isHeld(frame, of: state.replica) && !frame.isContradicted(by: fillers) {
          file.put(frame)
        }
        files.append(file)
      }
      // A tail may begin with what a sealed file before it holds.
      let first = max(
        files.map(\.name.first).reduce(loss.events.lowerBound, min), sealed.sealedEnd + 1)
      var start = try finder.end(of: strand, at: first - 1)
      if start == nil { start = try fork(of: strand, at: first - 1, fillers) }
      guard let start else { return nil }
      let isLastFile = count == names.count
      let attempt = attempt(loss, files, fillers, after: start, isLastFile: isLastFile)
      switch attempt.action {
      case .leave: return nil
      case .widen: count += 1
      case .seal, .tail: return try plan(attempt, loss, instead: files, of: strand)
      case .part: return try parted(names, at: loss, attempt, of: strand, fillers, after: start)
      }
    }
  }

  /// What is to be done where what is held behind a loss follows other events than what came.
  private func parted(
    _ names: [SegmentName], at loss: Loss, _ attempt: Attempt, of strand: UniqueID,
    _ fillers: [Filler], after start: LogEnd
  ) throws(JournalError) -> Mending? {
    guard let event = attempt.contradiction,
      let parting = try parting(names, at: loss, before: event, of: strand, for: fillers)
    else { return nil }
    let (loss, files) = (parting.loss, parting.files)
    let rest = self.attempt(loss, files, fillers, after: start, isLastFile: true)
    guard rest.action == .seal,
      var mending = try plan(rest, loss, instead: files, of: strand)
    else { return nil }
    parting.complete(&mending)
    return mending
  }

  /// How many of the files from a loss on what came is put together with at first.
  ///
  /// What came must join what lies behind the loss. A sealed file that goes on there holds that itself; else it
  /// takes one file more, and only then: files that are joined do not come apart again.
  private static func fileCount(for loss: Loss, among names: [SegmentName]) -> Int {
    let reached = names.prefix { $0.first <= loss.events.upperBound }
    if case .sealed(let events) = reached.last, events.upperBound > loss.events.upperBound {
      return reached.count
    }
    return min(names.count, reached.count + 1)
  }

  /// What putting frames together has come to.
  private struct Attempt {
    let action: HoleCase.Action
    /// The frames put together; nil where they do not join.
    var splice: Splice?
    /// The first event that is held and does not go on where what came ends.
    var contradiction: UInt64?
  }

  /// Puts frames together in one way after the other, until they can be sealed.
  private func attempt(
    _ loss: Loss, _ files: [ReadFile], _ fillers: [Filler], after start: LogEnd, isLastFile: Bool
  ) -> Attempt {
    var chain = Chain()
    var best: (splice: Splice, found: HoleCase, isWhole: Bool)?
    for way in Splice.Way.allCases {
      var splice = Splice(
        after: start, missing: loss.events, held: files.flatMap(\.frames), fillers: fillers,
        way: way)
      guard splice.run(&chain), let last = splice.filled.last?.upperBound else {
        guard let event = splice.contradiction else { continue }
        return Attempt(action: Self.unjoined(.contradicts).action, contradiction: event)
      }
      // Of what is lost at the end it is not known how much there was.
      let isWhole = loss.isEnd || splice.filled == [loss.events]
      // What stays as it is cannot lie between the events of a sealed file.
      let mayBeSealed = splice.leftover.allSatisfy { $0.frame.firstSequence > files.sealedEnd }
      let isEnded =
        loss.isEnd ? splice.drafts.last?.head != nil : splice.isProved(upTo: files.sealedEnd)
      let found = HoleCase(
        .joins, isProved: !loss.isEnd || splice.isProved(upTo: last),
        isSealable: mayBeSealed && isEnded,
        isLastFile: isLastFile, isWhole: isWhole)
      if found == .sealed { return Attempt(action: found.action, splice: splice) }
      if best.map({ isWhole && !$0.isWhole }) ?? true { best = (splice, found, isWhole) }
    }
    guard let best else { return Attempt(action: Self.unjoined(.apart).action) }
    return Attempt(action: best.found.action, splice: best.splice)
  }

  private static func unjoined(_ joint: HoleCase.Joint) -> HoleCase {
    HoleCase(joint, isProved: false, isSealable: false, isLastFile: false, isWhole: false)
  }

  /// The files that put-together frames become.
  ///
  /// - Returns: nil where one would be larger than what is read.
  private func plan(
    _ attempt: Attempt, _ loss: Loss, instead files: [ReadFile], of strand: UniqueID
  ) throws(JournalError) -> Mending? {
    guard let splice = attempt.splice else { return nil }
    // Files that begin behind all that was put together stay as they are.
    let end = splice.drafts.last?.end ?? splice.start
    let files = splice.leftover.isEmpty ? files : files.filter { $0.name.first <= end.sequence }
    let leftover = splice.leftover.isEmpty ? [] : files.frames(behind: end)
    let names = files.map(\.name)
    let sealedCount = attempt.action == .tail ? 0 : splice.sealedCount
    let (sealed, rest) = (splice.drafts[..<sealedCount], splice.drafts[sealedCount...])
    var written: [Mending.File] = []
    if let first = sealed.first, let last = sealed.last {
      let events = files.sealedEvents(and: first.start.sequence + 1...last.end.sequence)
      var bytes: [UInt8] = []
      for draft in sealed {
        if let original = draft.original {
          bytes += original.bytes
        } else {
          bytes += try draft.packed(for: strand, level: .sealed, withTable: true)
        }
      }
      written.append(Mending.File(name: .sealed(events), bytes: bytes))
    }
    let next = leftover.first?.frame.firstSequence
    if let first = rest.first.map({ $0.start.sequence + 1 }) ?? next {
      var bytes: [UInt8] = []
      for draft in rest {
        bytes += try draft.packed(for: strand, level: .quick, withTable: bytes.isEmpty)
      }
      bytes += leftover.flatMap(\.bytes)
      written.append(Mending.File(name: .tail(first), bytes: bytes))
    }
    // A tail that stays in its place first: it tells the table, which the old one does not where that began with a frame
    // from behind a hole, and once the hole is filled nobody writes it anew.
    if let tail = written.last?.name, tail.isTail, names.contains(tail) { written.reverse() }
    guard written.allSatisfy({ $0.bytes.count <= store.mendedBytes }) else { return nil }
    return Mending(
      damaged: files.filter(\.isDamaged).map(\.name), written: written,
      replaced: names.filter { name in !written.contains { $0.name == name } },
      filled: splice.filled, bare: splice.bare, leavesHole: splice.filled != [loss.events])
  }

  /// Where a strand that has lost its first event leaves another, as what came for it tells.
  private func fork(
    of strand: UniqueID, at sequence: UInt64, _ fillers: [Filler]
  ) throws(JournalError) -> LogEnd? {
    guard let state = index.states[strand], state.first == sequence + 1 else { return nil }
    for frame in fillers.map(\.frame)
    where frame.firstSequence <= state.first && state.first <= frame.lastSequence {
      let index = Int(state.first - frame.firstSequence)
      let hash = index == 0 ? frame.information.hash : frame.events[index - 1].hash
      let trunk = try finder.holder(of: hash, at: sequence, in: state.replica)
      if let trunk { return try finder.end(of: trunk, at: sequence) }
    }
    return nil
  }

  /// Whether a strand of a replica holds a frame's last event.
  private func isHeld(_ frame: Filler, of replica: UniqueID) throws(JournalError) -> Bool {
    guard let last = frame.frame.events.last else { return false }
    return try finder.holder(of: last.hash, at: last.sequence, in: replica) != nil
  }

  func read(
    _ name: SegmentName, in folder: LogFolder
  ) throws(JournalError) -> ReadFile {
    var chain = Chain()
    var file = ReadFile(name: name)
    var scan = try onDisk { () throws(DiskError) in try folder.scan(name) }
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed: continue
      case .gap(let range, _, _):
        file.isDamaged = true
        guard let frame = scan.displaced else { continue }
        file.displaced.append(eraser.filler(frame, Array(scan.bytes[range].prefix(frame.length))))
      case .frame(let frame, let offset):
        file.frames.append(eraser.filler(frame, Array(scan.bytes[offset..<offset + frame.length])))
      }
    }
    file.newerVersion = scan.newerVersion
    return file
  }

  /// The files from a loss on, taken apart at its last hole before an event; nil where what is held behind that is no
  /// branch that can be named.
  func parting(
    _ names: [SegmentName], at loss: Loss, before event: UInt64, of strand: UniqueID,
    for fillers: [Filler]
  ) throws(JournalError) -> Parting? {
    // Where only bodies are missing, nothing follows other events.
    guard let state = index.states[strand], !loss.isEnd,
      let hole = state.losses.events.last(where: { $0.upperBound < event }),
      loss.events.contains(hole.lowerBound)
    else { return nil }
    let folder = store.folder(strand, state)
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
    guard let remains = parting.remains, index.states[remains.strand] == nil else { return nil }
    return parting
  }

  /// The branch that a frame begins where it follows what came or what another strand holds; nil for one whose
  /// beginning stays lost, and where a folder has the branch's name.
  func branch(
    beginningWith frame: Frame, of replica: UniqueID, for fillers: [Filler]
  ) throws(JournalError) -> UniqueID? {
    guard let branch = frame.branch(beginningAt: 0), index.states[branch] == nil else { return nil }
    let (hash, last) = (frame.information.hash, frame.firstSequence - 1)
    let came = fillers.contains { $0.frame.events.contains { $0.hash == hash } }
    if came { return branch }
    return try finder.holder(of: hash, at: last, in: replica) == nil ? nil : branch
  }
}

extension Filler {
  /// Whether one of some frames has another event in the place of one of this frame's.
  fileprivate func isContradicted(by others: [Filler]) -> Bool {
    Splice.disagreement(of: others, with: frame, upTo: frame.events.count) != nil
  }
}

extension SegmentName {
  /// Whether it is a sealed file that holds nothing from an event on.
  fileprivate func ends(before sequence: UInt64) -> Bool {
    if case .sealed(let events) = self { events.upperBound < sequence } else { false }
  }
}

extension [ReadFile] {
  /// The last event that a sealed one of them is named after, or 0.
  fileprivate var sealedEnd: UInt64 { sealed.map(\.upperBound).max() ?? 0 }

  /// The frames that count behind an end.
  fileprivate func frames(behind end: LogEnd) -> [Filler] {
    flatMap(\.frames).filter { $0.frame.firstSequence > end.sequence }
  }

  /// The events that the sealed ones of them, and one more, are named after.
  fileprivate func sealedEvents(and events: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
    sealed.reduce(events) { all, own in
      Swift.min(all.lowerBound, own.lowerBound)...Swift.max(all.upperBound, own.upperBound)
    }
  }

  private var sealed: [ClosedRange<UInt64>] {
    compactMap { if case .sealed(let events) = $0.name { events } else { nil } }
  }
}
