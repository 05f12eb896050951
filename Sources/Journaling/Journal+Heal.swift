import Bytes
import Crypto
import Platform

/// A frame that somebody sent for events that are lost here.
struct Filler: Sendable {
  var frame: Frame
  var bytes: [UInt8]
}

/// Lost events come back from whoever holds them: accepted where the chain joins on both sides, or a head ends
/// what came.
extension Journal {
  /// Stages a frame for a hole.
  mutating func fill(
    _ strand: UniqueID, with frame: Frame, _ bytes: [UInt8]
  ) throws(JournalError) {
    guard let state = states[strand] else { throw .unknownLog(strand) }
    let key: PublicKey
    if frame.firstSequence == 1 {
      // The replica's id vouches for the key; the frames behind need it before this one is stored.
      key = try frame.openingKey(of: state.replica)
      states[state.replica]?.publicKey = key
    } else {
      key = try publicKey(of: state.replica)
    }
    try frame.checkHead(of: state.replica, by: key)
    let staged = fillers[strand, default: []]
    // Whoever sends the same once more takes no more memory.
    let isStaged = staged.contains {
      $0.frame.firstSequence == frame.firstSequence
        && $0.frame.events.last?.hash == frame.events.last?.hash
    }
    if isStaged { return }
    let arrived = try stripArriving(frame, bytes, of: strand, after: state.end, open: nil)
    let size = staged.reduce(frame.content.count) { $0 + $1.frame.content.count }
    guard size <= Limit.fileBytes else { throw .unproved(strand, sequence: frame.firstSequence) }
    fillers[strand, default: []].append(Filler(frame: arrived.frame, bytes: arrived.bytes))
  }

  /// Writes the files of a strand anew that lost events, with what came for them.
  ///
  /// - Returns: Whether anything came back.
  mutating func heal(_ strand: UniqueID, with fillers: [Filler]) throws(JournalError) -> Bool {
    guard let state = states[strand] else { return false }
    let folder = strandFolder(strand, state)
    var healed = false
    let bodiless = try state.bodiless.map { range throws(JournalError) in
      try commands(of: strand, around: range)
    }
    var missing = Self.healedTogether(state.holes, in: state.tail) + [ClosedRange<UInt64>](joining: bodiless)
    if let lost = state.lostEnd {
      let last = fillers.map(\.frame.lastSequence).reduce(lost.upperBound, max)
      missing.append(lost.lowerBound...last)
    }
    for hole in missing {
      let fitting = fillers.filter {
        $0.frame.firstSequence <= hole.upperBound && $0.frame.lastSequence >= hole.lowerBound
      }
      guard !fitting.isEmpty else { continue }
      if try heal(hole, in: strand, folder, with: fitting) { healed = true }
    }
    guard healed else { return false }
    let (holes, bodies) = (states[strand]?.holes ?? [], states[strand]?.bodiless ?? [])
    states[strand] = nil
    try load(strand, of: state.replica, from: state.shelf)
    let seen = states[strand]?.holes ?? []
    states[strand]?.holes = [ClosedRange<UInt64>](joining: holes + seen)
    states[strand]?.bodiless = bodies
    return true
  }

  private mutating func heal(
    _ hole: ClosedRange<UInt64>, in strand: UniqueID, _ folder: LogFolder, with fillers: [Filler]
  ) throws(JournalError) -> Bool {
    guard let (splice, files) = try splice(hole, in: strand, folder, with: fillers) else {
      return false
    }
    // The new file's name may cover what stays lost, which the names of the old ones told.
    if splice.filled != [hole] { try saveHoles() }
    try setAside(files.filter(\.isDamaged).map(\.name), of: strand, in: folder)
    try write(splice, of: strand, in: folder, instead: files.map(\.name))
    let holes = states[strand]?.holes.without(splice.filled) ?? []
    let bodiless = states[strand]?.bodiless.without(splice.filled) ?? []
    states[strand]?.holes = holes
    states[strand]?.bodiless = bodiless
    return true
  }

  /// Holes as they are filled: those of a tail as one, since few of the frames between them end in a head or tell
  /// the table.
  private static func healedTogether(
    _ holes: [ClosedRange<UInt64>], in tail: Tail?
  ) -> [ClosedRange<UInt64>] {
    guard let tail, let first = holes.firstIndex(where: { $0.lowerBound >= tail.first }),
      let last = holes.last
    else { return holes }
    return holes[..<first] + [holes[first].lowerBound...last.upperBound]
  }

  /// The whole commands that events of a range belong to.
  private func commands(
    of strand: UniqueID, around range: ClosedRange<UInt64>
  ) throws(JournalError) -> ClosedRange<UInt64> {
    var (first, last) = (range.lowerBound, range.upperBound)
    let before = try frame(of: strand, at: first)?.events.last {
      $0.isCommandStart && $0.sequence <= first
    }
    if let before { first = before.sequence }
    let behind = try frame(of: strand, at: last)?.events.last {
      $0.isCommandStart && $0.sequence <= last
    }
    if let behind { last = max(last, behind.sequence + behind.more) }
    return first...last
  }

  /// What the files around a hole become with what came for it, and these files.
  ///
  /// They go on until a head ends all that takes the place of sealed files: only so the new file can replace the
  /// old one in one step.
  private mutating func splice(
    _ hole: ClosedRange<UInt64>, in strand: UniqueID, _ folder: LogFolder, with fillers: [Filler]
  ) throws(JournalError) -> (Splice, [ReadFile])? {
    let names = try onDisk { () throws(DiskError) in
      try folder.segments().filter { name in
        if case .sealed(let events) = name { events.upperBound >= hole.lowerBound } else { true }
      }
    }
    // One file more, which what came must join.
    var count = min(names.count, names.prefix { $0.first <= hole.upperBound }.count + 1)
    while true {
      var files: [ReadFile] = []
      for name in names.prefix(count) {
        do throws(DiskError) {
          files.append(try read(name, in: folder))
        } catch {
          throw .disk(error)
        }
      }
      if let version = files.compactMap(\.newerVersion).first {
        throw .newer(strand, version: version)
      }
      let first = files.map(\.name.first).reduce(hole.lowerBound, min)
      var start = try end(of: strand, at: first - 1)
      if start == nil { start = try fork(of: strand, at: first - 1, fillers) }
      guard let start else { return nil }
      for takesMore in [false, true] {
        var splice = Splice(
          after: start, missing: hole, held: files.flatMap(\.frames), fillers: fillers,
          takesMore: takesMore)
        guard splice.run(&chain), !splice.filled.isEmpty else { return nil }
        if hole.lowerBound == states[strand]?.lostEnd?.lowerBound {
          // Nothing joins on the far side, so a head has to end it; the file may have held more.
          return splice.drafts.last?.head == nil ? nil : (splice, files)
        }
        if splice.isProved(upTo: files.sealedEnd) { return (splice, files) }
      }
      guard count < names.count else { return nil }
      count += 1
    }
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

  private mutating func read(
    _ name: SegmentName, in folder: LogFolder
  ) throws(DiskError) -> ReadFile {
    var file = ReadFile(name: name)
    var scan = FileScan(try folder.contents(of: name))
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed: continue
      case .gap: file.isDamaged = true
      case .frame(let frame, let offset):
        let bytes = Array(scan.bytes[offset..<offset + frame.length])
        file.frames.append(Filler(frame: frame, bytes: bytes))
      }
    }
    file.newerVersion = scan.newerVersion
    return file
  }

  /// Puts sealed files, and a tail for what no head proves, in the place of others.
  private mutating func write(
    _ splice: Splice, of strand: UniqueID, in folder: LogFolder, instead names: [SegmentName]
  ) throws(JournalError) {
    let sealedCount = (splice.drafts.lastIndex { $0.head != nil } ?? -1) + 1
    var written: Set<SegmentName> = []
    if sealedCount > 0 {
      let sealed = splice.drafts[..<sealedCount]
      var bytes: [UInt8] = []
      for draft in sealed {
        if let original = draft.original {
          bytes += original
        } else {
          bytes += try encode(draft, of: strand, level: Self.sealedLevel, withTable: true)
        }
      }
      let covered = names.compactMap { name in
        if case .sealed(let events) = name { events } else { nil }
      }
      let first = min(sealed[0].start.sequence + 1, covered.map(\.lowerBound).min() ?? .max)
      let last = max(sealed[sealedCount - 1].end.sequence, covered.map(\.upperBound).max() ?? 0)
      try put(bytes, as: .sealed(first...last), in: folder)
      written.insert(.sealed(first...last))
    }
    if sealedCount < splice.drafts.count {
      var bytes: [UInt8] = []
      let rest = splice.drafts[sealedCount...]
      for (index, draft) in rest.enumerated() {
        bytes += try encode(draft, of: strand, level: Self.quickLevel, withTable: index == 0)
      }
      let name = SegmentName.tail(rest[rest.startIndex].start.sequence + 1)
      try put(bytes, as: name, in: folder)
      written.insert(name)
    }
    let disk = disk
    for name in names where !written.contains(name) {
      try writing { () throws(DiskError) in try disk.remove(folder.path(of: name)) }
    }
  }

  private mutating func put(
    _ bytes: [UInt8], as name: SegmentName, in folder: LogFolder
  ) throws(JournalError) {
    let disk = disk
    try writing { () throws(DiskError) in try disk.replace(folder.path(of: name), with: bytes) }
  }
}

/// A file with what can be read of it.
private struct ReadFile {
  var name: SegmentName
  var frames: [Filler] = []
  var isDamaged = false
  var newerVersion: UInt8?
}

extension [ReadFile] {
  /// The last event that a sealed one of them is named after, or 0.
  fileprivate var sealedEnd: UInt64 {
    reduce(0) { end, file in
      if case .sealed(let events) = file.name { Swift.max(end, events.upperBound) } else { end }
    }
  }
}
