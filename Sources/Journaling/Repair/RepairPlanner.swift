import Bytes
import Platform

/// Plans how received frames replace lost events.
///
/// The planner writes no files.
struct RepairPlanner {
  let store: SegmentStore
  let index: LogIndex
  let finder: FrameFinder
  let eraser: BodyEraser

  /// The plan for a loss, or nil if the received frames do not continue the events around it.
  ///
  /// Files are included until a head ends the events that replace sealed files, because only then can one new file
  /// replace the old files in one step. If the last file does not end in a head, a tail replaces all of the files. A
  /// crash can leave both the tail and the old files; ``CoveredFileRemover`` then keeps the tail.
  func plan(
    for loss: Loss, of strand: UniqueID, with fillers: [Filler]
  ) throws(JournalError) -> RepairPlan? {
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
      // A tail may begin with events that are also in a sealed file before it.
      let first = max(
        files.map(\.name.first).reduce(loss.events.lowerBound, min), sealed.sealedEnd + 1)
      var start = try finder.end(of: strand, at: first - 1)
      if start == nil { start = try fork(of: strand, at: first - 1, fillers) }
      guard let start else {
        // If the event before the files is lost, the files follow a hole, so both holes are filled together.
        guard let hole = state.losses.events.first(where: { $0.contains(first - 1) }) else {
          return nil
        }
        let events = hole.lowerBound...loss.events.upperBound
        return try plan(for: Loss(events: events, isEnd: loss.isEnd), of: strand, with: fillers)
      }
      let isLastFile = count == names.count
      let attempt = attempt(loss, files, fillers, after: start, isLastFile: isLastFile)
      switch attempt.action {
      case .leave: return nil
      case .widen: count += 1
      case .seal, .tail: return try assemble(attempt, loss, instead: files, of: strand)
      case .part: return try parted(names, at: loss, attempt, of: strand, fillers, after: start)
      }
    }
  }

  /// The plan for a loss that is followed by events other than the received events, where the log has forked.
  private func parted(
    _ names: [SegmentName], at loss: Loss, _ attempt: Attempt, of strand: UniqueID,
    _ fillers: [Filler], after start: LogEnd
  ) throws(JournalError) -> RepairPlan? {
    guard let event = attempt.contradiction,
      let split = try split(names, at: loss, before: event, of: strand, for: fillers)
    else { return nil }
    let (loss, files) = (split.loss, split.files)
    let rest = self.attempt(loss, files, fillers, after: start, isLastFile: true)
    guard rest.action == .seal,
      var plan = try assemble(rest, loss, instead: files, of: strand)
    else { return nil }
    split.complete(&plan)
    return plan
  }

  /// The number of files, starting at the loss, to include in the first attempt.
  ///
  /// The received frames must join the events after the loss. If a sealed file extends beyond the loss, it contains
  /// these events; otherwise the next file is included. No more files than necessary are included, because joined files
  /// are not divided again.
  private static func fileCount(for loss: Loss, among names: [SegmentName]) -> Int {
    let reached = names.prefix { $0.first <= loss.events.upperBound }
    if case .sealed(let events) = reached.last, events.upperBound > loss.events.upperBound {
      return reached.count
    }
    return min(names.count, reached.count + 1)
  }

  /// The result of joining frames.
  private struct Attempt {
    let action: HoleCase.Action
    /// The joined frames; nil if they do not join.
    var merger: FrameMerger?
    /// The first stored event that does not follow the received events.
    var contradiction: UInt64?
  }

  /// Joins the given frames with one strategy after another, until the result can be sealed.
  private func attempt(
    _ loss: Loss, _ files: [ReadFile], _ fillers: [Filler], after start: LogEnd, isLastFile: Bool
  ) -> Attempt {
    var chain = Chain()
    var best: (merger: FrameMerger, found: HoleCase, isWhole: Bool)?
    for strategy in FrameMerger.Strategy.allCases {
      var merger = FrameMerger(
        after: start, missing: loss.events, held: files.flatMap(\.frames), fillers: fillers,
        strategy: strategy)
      guard merger.run(&chain), let last = merger.filled.last?.upperBound else {
        guard let event = merger.contradiction else { continue }
        return Attempt(action: Self.unjoined(.contradicts).action, contradiction: event)
      }
      // At the end of a log, it is not known how many events were lost.
      let isWhole = loss.isEnd || merger.filled == [loss.events]
      // Frames that are not changed cannot be between the events of a sealed file.
      let mayBeSealed = merger.leftover.allSatisfy { $0.frame.firstSequence > files.sealedEnd }
      let isEnded =
        loss.isEnd ? merger.drafts.last?.head != nil : merger.isProved(upTo: files.sealedEnd)
      let found = HoleCase(
        .joins, isProved: !loss.isEnd || merger.isProved(upTo: last),
        isSealable: mayBeSealed && isEnded,
        isLastFile: isLastFile, isWhole: isWhole)
      if found == .sealed { return Attempt(action: found.action, merger: merger) }
      if best.map({ isWhole && !$0.isWhole }) ?? true { best = (merger, found, isWhole) }
    }
    guard let best else { return Attempt(action: Self.unjoined(.apart).action) }
    return Attempt(action: best.found.action, merger: best.merger)
  }

  private static func unjoined(_ joint: HoleCase.Joint) -> HoleCase {
    HoleCase(joint, isProved: false, isSealable: false, isLastFile: false, isWhole: false)
  }

  /// Returns the plan that writes the joined frames.
  ///
  /// - Returns: nil if a file would be too large to read.
  private func assemble(
    _ attempt: Attempt, _ loss: Loss, instead files: [ReadFile], of strand: UniqueID
  ) throws(JournalError) -> RepairPlan? {
    guard let merger = attempt.merger else { return nil }
    // Files that begin after the joined frames are not changed.
    let end = merger.drafts.last?.end ?? merger.start
    let files = merger.leftover.isEmpty ? files : files.filter { $0.name.first <= end.sequence }
    let leftover = merger.leftover.isEmpty ? [] : files.frames(behind: end)
    let names = files.map(\.name)
    let sealedCount =
      attempt.action == .tail ? 0 : Self.sealedCount(of: merger, filling: loss, instead: names)
    let (sealed, rest) = (merger.drafts[..<sealedCount], merger.drafts[sealedCount...])
    var written: [RepairPlan.File] = []
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
      written.append(RepairPlan.File(name: .sealed(events), bytes: bytes))
    }
    let next = leftover.first?.frame.firstSequence
    if let first = rest.first.map({ $0.start.sequence + 1 }) ?? next {
      var bytes: [UInt8] = []
      var end: UInt64?
      for draft in rest {
        // The first frame after a gap needs the table, because lost events may have added logs to it.
        let isFirst = end != draft.start.sequence
        bytes += try draft.packed(for: strand, level: .quick, withTable: isFirst)
        end = draft.end.sequence
      }
      bytes += leftover.flatMap(\.bytes)
      written.append(RepairPlan.File(name: .tail(first), bytes: bytes))
    }
    // A tail that keeps its name is written first. The new tail contains the table, which the old tail lacks if it
    // began with a frame after a hole. Once the hole is filled, nothing would cause the tail to be rewritten.
    if let tail = written.last?.name, tail.isTail, names.contains(tail) { written.reverse() }
    guard written.allSatisfy({ $0.bytes.count <= store.mendedBytes }) else { return nil }
    return RepairPlan(
      damaged: files.filter(\.isDamaged).map(\.name), written: written,
      replaced: names.filter { name in !written.contains { $0.name == name } },
      filled: merger.filled, bare: merger.bare, leavesHole: merger.filled != [loss.events])
  }

  /// The number of joined drafts to write to a sealed file.
  ///
  /// If the old tail began with events of the sealed file and ended with events of the new tail, a crash could leave
  /// the sealed file next to the old tail, which would then begin inside the sealed file and have a hole. Therefore,
  /// the new tail gets the name and all events of the old tail, and replaces it in one step. If another hole remains,
  /// the events after it stay in a file of their own, because they may turn out to belong to a branch.
  private static func sealedCount(
    of merger: FrameMerger, filling loss: Loss, instead names: [SegmentName]
  ) -> Int {
    let count = merger.sealedCount
    guard merger.filled == [loss.events], count < merger.drafts.count,
      let tail = names.last(where: \.isTail)?.first
    else { return count }
    let before = merger.drafts[..<count].prefix { $0.end.sequence < tail }.count
    let begins = before < count && merger.drafts[before].start.sequence + 1 == tail
    return begins ? before : count
  }

  /// The log end at which the given strand forks from its trunk, taken from the received frames.
  ///
  /// The log end is needed if the strand has lost its first event.
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

  /// Whether a strand of the given replica holds the last event of the given frame.
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

  /// Splits the files, starting at the given loss, at the last hole before the given event.
  ///
  /// - Returns: The divided files, or nil if there is no such hole or a strand already has the id of the new branch.
  func split(
    _ names: [SegmentName], at loss: Loss, before event: UInt64, of strand: UniqueID,
    for fillers: [Filler]
  ) throws(JournalError) -> ForkSplit? {
    // If only bodies are missing, the log has not forked there.
    guard let state = index.states[strand], !loss.isEnd,
      let hole = state.losses.events.last(where: { $0.upperBound < event }),
      loss.events.contains(hole.lowerBound)
    else { return nil }
    let folder = store.folder(strand, state)
    let last = fillers.map(\.frame.lastSequence).reduce(loss.events.upperBound, max)
    var split = ForkSplit(
      loss: Loss(events: loss.events.lowerBound...last, isEnd: true), names: names)
    for name in names {
      let file = try read(name, in: folder)
      let first = file.frames.first { $0.frame.firstSequence > hole.upperBound }
      if let first, split.orphan == nil {
        split.branch = try branch(beginningWith: first.frame, of: state.replica, for: fillers)
      }
      split.take(file, behind: hole)
    }
    guard let orphan = split.orphan, index.states[orphan.strand] == nil else { return nil }
    return split
  }

  /// The branch that begins with a frame, if the event before the frame was received or is in another strand.
  ///
  /// - Returns: The branch, or nil if that event remains lost or the branch already has a folder.
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
  /// Whether one of the given frames contains a different event at a sequence of this frame.
  fileprivate func isContradicted(by others: [Filler]) -> Bool {
    FrameMerger.disagreement(of: others, with: frame, upTo: frame.events.count) != nil
  }
}

extension SegmentName {
  /// Whether the file is a sealed file that ends before the given event.
  fileprivate func ends(before sequence: UInt64) -> Bool {
    if case .sealed(let events) = self { events.upperBound < sequence } else { false }
  }
}

extension [ReadFile] {
  /// The last event in the names of the sealed files, or 0.
  fileprivate var sealedEnd: UInt64 { sealed.map(\.upperBound).max() ?? 0 }

  /// The frames after the given log end.
  fileprivate func frames(behind end: LogEnd) -> [Filler] {
    flatMap(\.frames).filter { $0.frame.firstSequence > end.sequence }
  }

  /// The smallest range that contains the ranges of the sealed files and the given range.
  fileprivate func sealedEvents(and events: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
    sealed.reduce(events) { all, own in
      Swift.min(all.lowerBound, own.lowerBound)...Swift.max(all.upperBound, own.upperBound)
    }
  }

  private var sealed: [ClosedRange<UInt64>] {
    compactMap { if case .sealed(let events) = $0.name { events } else { nil } }
  }
}
