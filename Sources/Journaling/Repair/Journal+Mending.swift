import Bytes
import Platform

/// How lost events are put back is planned before anything is written.
extension Journal {
  /// What is to be done to the files around a loss with what came for it, or nil where that does not join.
  ///
  /// The files go on until a head ends all that takes the place of sealed ones: only so the new file can replace
  /// the old ones in one step. Where the last of them ends in none, a tail takes the place of all, which outlives
  /// what is damaged; see ``removeNeedless(of:)``.
  mutating func mending(
    _ loss: Loss, of strand: UniqueID, with fillers: [Filler]
  ) throws(JournalError) -> Mending? {
    guard let state = states[strand] else { return nil }
    let folder = strandFolder(strand, state)
    let all = try onDisk { () throws(DiskError) in try folder.segments() }
    let sealed = all.filter { $0.ends(before: loss.events.lowerBound) }
    let names = all.filter { !$0.ends(before: loss.events.lowerBound) }
    var count = Self.fileCount(for: loss, among: names)
    var files: [ReadFile] = []
    while true {
      for name in names[files.count..<count] {
        let file = try read(name, in: folder)
        if let version = file.newerVersion { throw .newer(strand, version: version) }
        files.append(file)
      }
      // A tail may begin with what a sealed file before it holds.
      let first = max(
        files.map(\.name.first).reduce(loss.events.lowerBound, min), sealed.sealedEnd + 1)
      var start = try end(of: strand, at: first - 1)
      if start == nil { start = try fork(of: strand, at: first - 1, fillers) }
      guard let start else { return nil }
      switch splice(loss, files, fillers, after: start) {
      case .spliced(let splice): return try plan(splice, loss, instead: files, of: strand)
      case .unproved(let whole):
        guard count == names.count else {
          count += 1
          continue
        }
        guard let whole else { return nil }
        return try plan(whole, loss, instead: files, of: strand, asTail: true)
      case .unjoined: return nil
      case .contradicted(let event):
        guard let parting = try parting(names, at: loss, before: event, of: strand, for: fillers),
          case .spliced(let splice) = splice(parting.loss, parting.files, fillers, after: start),
          var mending = try plan(splice, parting.loss, instead: parting.files, of: strand)
        else { return nil }
        parting.complete(&mending)
        return mending
      }
    }
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

  /// What putting frames together may come to.
  private enum Attempt {
    case spliced(Splice)
    /// More files may bring the head that is wanted; without it, what has come back wholly is for a tail.
    case unproved(whole: Splice?)
    case unjoined
    /// What is held from an event on does not go on where what came ends.
    case contradicted(UInt64)
  }

  private mutating func splice(
    _ loss: Loss, _ files: [ReadFile], _ fillers: [Filler], after start: LogEnd
  ) -> Attempt {
    var (isUnproved, whole): (Bool, Splice?) = (false, nil)
    for way in Splice.Way.allCases {
      var splice = Splice(
        after: start, missing: loss.events, held: files.flatMap(\.frames), fillers: fillers,
        way: way)
      isUnproved = false
      guard splice.run(&chain), !splice.filled.isEmpty else {
        if let event = splice.contradiction { return .contradicted(event) }
        continue
      }
      // What stays as it is cannot lie between the events of a sealed file.
      let mayBeSealed = splice.leftover.allSatisfy { $0.frame.firstSequence > files.sealedEnd }
      if loss.isEnd {
        // Nothing joins on the far side, so a head has to end what came; the file may have held more.
        let last = splice.filled.last?.upperBound ?? 0
        guard splice.isProved(upTo: last) else { return .unjoined }
        let isSealable = mayBeSealed && splice.drafts.last?.head != nil
        return isSealable ? .spliced(splice) : .unproved(whole: splice)
      }
      if mayBeSealed, splice.isProved(upTo: files.sealedEnd) { return .spliced(splice) }
      isUnproved = true
      if splice.filled == [loss.events] { whole = whole ?? splice }
    }
    return isUnproved ? .unproved(whole: whole) : .unjoined
  }

  /// The files that put-together frames become.
  ///
  /// - Returns: nil where one would be larger than what is read, or a sealed one would hold what nothing proves.
  private mutating func plan(
    _ splice: Splice, _ loss: Loss, instead files: [ReadFile], of strand: UniqueID,
    asTail: Bool = false
  ) throws(JournalError) -> Mending? {
    // Files that begin behind all that was put together stay as they are.
    let end = splice.drafts.last?.end ?? splice.start
    let files = splice.leftover.isEmpty ? files : files.filter { $0.name.first <= end.sequence }
    let leftover = splice.leftover.isEmpty ? [] : files.frames(behind: end)
    let names = files.map(\.name)
    let sealedCount = asTail ? 0 : splice.sealedCount
    let (sealed, rest) = (splice.drafts[..<sealedCount], splice.drafts[sealedCount...])
    // Only a tail may hold what is not proved.
    var written: [Mending.File] = []
    if let first = sealed.first, let last = sealed.last {
      let events = files.sealedEvents(and: first.start.sequence + 1...last.end.sequence)
      var bytes: [UInt8] = []
      for draft in sealed {
        if let original = draft.original {
          bytes += original.bytes
        } else {
          bytes += try encode(draft, of: strand, level: Self.sealedLevel, withTable: true)
        }
      }
      written.append(Mending.File(name: .sealed(events), bytes: bytes))
    }
    let next = leftover.first?.frame.firstSequence
    if let first = rest.first.map({ $0.start.sequence + 1 }) ?? next {
      var bytes: [UInt8] = []
      for draft in rest {
        bytes += try encode(
          draft, of: strand, level: Self.quickLevel, withTable: bytes.isEmpty)
      }
      bytes += leftover.flatMap(\.bytes)
      written.append(Mending.File(name: .tail(first), bytes: bytes))
    }
    // A tail that stays in its place first: it tells the table, which the old one does not where that began with a frame
    // from behind a hole, and once the hole is filled nobody writes it anew.
    if let tail = written.last?.name, tail.isTail, names.contains(tail) { written.reverse() }
    guard written.allSatisfy({ $0.bytes.count <= mendedBytes }) else { return nil }
    return Mending(
      damaged: files.filter(\.isDamaged).map(\.name), written: written,
      replaced: names.filter { name in !written.contains { $0.name == name } },
      filled: splice.filled, bare: splice.bare, leavesHole: splice.filled != [loss.events])
  }

  /// Where a strand that has lost its first event leaves another, as what came for it tells.
  private func fork(
    of strand: UniqueID, at sequence: UInt64, _ fillers: [Filler]
  ) throws(JournalError) -> LogEnd? {
    guard let state = states[strand], state.first == sequence + 1 else { return nil }
    for frame in fillers.map(\.frame)
    where frame.firstSequence <= state.first && state.first <= frame.lastSequence {
      let index = Int(state.first - frame.firstSequence)
      let hash = index == 0 ? frame.information.hash : frame.events[index - 1].hash
      let trunk = try holder(of: hash, at: sequence, in: state.replica)
      if let trunk { return try end(of: trunk, at: sequence) }
    }
    return nil
  }

  mutating func read(
    _ name: SegmentName, in folder: LogFolder
  ) throws(JournalError) -> ReadFile {
    var file = ReadFile(name: name)
    var scan = try onDisk { () throws(DiskError) in try folder.scan(name) }
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed: continue
      case .gap: file.isDamaged = true
      case .frame(let frame, let offset):
        file.frames.append(filler(frame, Array(scan.bytes[offset..<offset + frame.length])))
      }
    }
    file.newerVersion = scan.newerVersion
    return file
  }
}

/// A file with what can be read of it.
struct ReadFile {
  let name: SegmentName
  var frames: [Filler] = []
  var isDamaged = false
  /// The version that ended reading, if it is newer than this program's.
  var newerVersion: UInt8?

  init(name: SegmentName, frames: [Filler] = []) { (self.name, self.frames) = (name, frames) }
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
