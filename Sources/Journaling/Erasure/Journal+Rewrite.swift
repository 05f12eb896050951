import Bytes
import Platform

/// A file whose frames are packed anew, and that may have grown too large for one.
struct Rewriting {
  /// The file as it was.
  let name: SegmentName
  /// How far files are filled.
  let limit: Int
  /// What the file that is being filled holds so far.
  private(set) var bytes: [UInt8] = []
  /// The last event that was taken.
  private(set) var last: UInt64 = 0
  /// What its block is salted with.
  private(set) var lastBlock: BlockSecrets?
  /// Whether several files take the place of the one.
  private(set) var isDivided = false

  private var first: UInt64

  init(_ name: SegmentName, limit: Int) {
    (self.name, self.limit) = (name, limit)
    first = name.first
  }

  /// Ends the file before a frame that has no room in it any more.
  ///
  /// - Returns: What is to be written beside the old one, which goes on to count.
  mutating func divide(before frame: Frame, _ packed: [UInt8]) -> Mending.File? {
    guard case .sealed(let events) = name, bytes.count + packed.count > limit, last >= first,
      last < frame.firstSequence, frame.firstSequence <= events.upperBound
    else { return nil }
    let file = Mending.File(name: .sealed(first...last), bytes: bytes)
    (first, bytes, isDivided) = (last + 1, [], true)
    return file
  }

  mutating func take(_ frame: Frame, _ packed: [UInt8]) {
    bytes += packed
    last = frame.lastSequence
    lastBlock = frame.information.blocks.last
  }

  /// What is left to be written; where nothing was divided, it takes the old file's place.
  var rest: Mending.File {
    guard isDivided, case .sealed(let events) = name else {
      return Mending.File(name: name, bytes: bytes)
    }
    return Mending.File(name: .sealed(first...events.upperBound), bytes: bytes)
  }
}

extension Journal {
  /// Writes a file anew without the bodies and seeds that are to go.
  mutating func rewrite(
    _ name: SegmentName, _ survey: LogSurvey, _ report: inout StripReport
  ) throws(JournalError) {
    let log = survey.log
    guard let state = states[log] else { return }
    let folder = strandFolder(log, state)
    let old = try onDisk { () throws(DiskError) in try folder.contents(of: name) }
    let level = if case .tail = name { Self.quickLevel } else { Self.sealedLevel }
    var rewriting = Rewriting(name, limit: rewrittenBytes)
    var scan = folder.scan(old, of: name)
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed: continue
      case .gap(let range, _, _): report.damagedBytes += range.count
      case .frame(let frame, let offset):
        let packed =
          strippedUnlessTooLarge(frame, survey, level: level, &report)
          ?? (frame, Array(old[offset..<offset + frame.length]))
        if let full = rewriting.divide(before: frame, packed.bytes) {
          try put(full, in: folder, &report)
        }
        rewriting.take(packed.frame, packed.bytes)
      }
    }
    try put(rewriting.rest, in: folder, &report)
    // The new files lie within its range, and count from now on.
    if rewriting.isDivided { try remove([folder.path(of: name)], from: folder) }
    if state.tail?.first == name.first, case .tail = name {
      states[log]?.tail?.length = rewriting.bytes.count
      states[log]?.tail?.excess = 0
      states[log]?.tail?.isSettled = true
    }
    if rewriting.last == state.end.sequence { states[log]?.lastBlock = rewriting.lastBlock }
  }

  private mutating func put(
    _ file: Mending.File, in folder: LogFolder, _ report: inout StripReport
  ) throws(JournalError) {
    let (disk, path) = (disk, folder.path(of: file.name))
    try writing { () throws(DiskError) in try disk.replace(path, with: file.bytes) }
    report.files.append(path)
  }

  private mutating func strippedUnlessTooLarge(
    _ frame: Frame, _ survey: LogSurvey, level: Int, _ report: inout StripReport
  ) -> (frame: Frame, bytes: [UInt8])? {
    do throws(JournalError) {
      return try stripped(frame, survey.bodies, survey.blocks, level: level)
    } catch {
      report.failure = report.failure ?? error
      return nil
    }
  }

  /// The frame without some bodies and seeds, or nil where it has none of them.
  ///
  /// - Throws: ``JournalError/commandTooLarge(eventCount:byteCount:)`` alone, where it would be larger than frames may be.
  mutating func stripped(
    _ frame: Frame, _ bodies: [UInt64: Landmark], _ blocks: Set<UInt64>, level: Int
  ) throws(JournalError) -> (frame: Frame, bytes: [UInt8])? {
    let going = bodies.filter { $0.key >= frame.firstSequence && $0.key <= frame.lastSequence }
    guard !going.isEmpty || !frame.seededBlocks.isDisjoint(with: blocks) else { return nil }
    guard let bytes = frame.stripped(of: going, salting: blocks, level: level, &chain) else {
      throw .commandTooLarge(eventCount: frame.events.count, byteCount: frame.eventRange.count)
    }
    // The frame was read, so what cannot be read without some bodies is our own fault.
    guard let packed = try? Frame.decode(bytes.span, at: 0, &chain),
      packed.events.map(\.hash) == frame.events.map(\.hash), packed.length == bytes.count
    else { preconditionFailure("stripping leaves the chain as it was") }
    return (packed, bytes)
  }
}
