import Bytes

/// The result of reading a tail, whether or not the tail counts.
struct TailReading: Sendable {
  var tail: Tail
  /// The end of the log after the last frame, if there is one.
  private(set) var end: LogEnd?
  private(set) var ending = Ending.sound
  private(set) var lastBlock: BlockSecrets?
  private(set) var holes: [ClosedRange<UInt64>] = []
  var newerVersion: UInt8?

  /// The first event that the files before the tail do not hold.
  let start: UInt64
  /// The next expected event; a frame that begins later shows that frames are lost.
  private(set) var next: UInt64
  /// The table after the files before the tail, as far as it is known.
  private let tableBefore: [UniqueID]
  /// Whether events can follow the tail although only the files before it contain the table.
  private let isTableSealed: Bool

  init(first: UInt64, next: UInt64, behind table: [UniqueID], isTableSealed: Bool) {
    (tableBefore, self.isTableSealed) = (table, isTableSealed)
    tail = Tail(first: first, length: 0, isSettled: false, hasHead: false, frameCount: 0)
    (start, self.next) = (next, next)
  }

  /// Whether the tail holds events that the files before it lack, or, if it holds no frame, begins with such an
  /// event.
  var counts: Bool { end == nil ? tail.first >= start : next > start }

  mutating func take(_ frame: Frame, at offset: Int) {
    if frame.firstSequence > next {
      holes.append(next...frame.firstSequence - 1)
    } else if offset > tail.length {
      tail.hasSkippedBytes = true
    }
    next = max(next, frame.lastSequence + 1)
    let joined = end.flatMap { $0.advanced(by: frame) }
    end = joined ?? (frame.start ?? startPastHole(of: frame)).advanced(by: frame)
    tail.hashes[frame.lastSequence] = end?.hash
    tail.length = offset + frame.length
    tail.hasHead = frame.head != nil
    tail.frameCount += 1
    lastBlock = frame.information.blocks.last
  }

  /// Prevents a skipped frame from being removed together with the bytes after the last frame that counts.
  mutating func keep(_ frame: Frame, at offset: Int) {
    tail.length = offset + frame.length
    tail.hasSkippedBytes = true
  }

  /// The end of the log before a frame that does not contain its table and does not join the frame before it.
  ///
  /// The table continues the table of the preceding frames, in this tail and in the files before it. An entry is
  /// unknown if only lost events contain it.
  private mutating func startPastHole(of frame: Frame) -> LogEnd {
    // The table only grows, so the table of a later event begins with the table of an earlier event.
    let before = end.map { $0.table.completed(by: tableBefore) } ?? tableBefore
    let table = frame.table(continuing: before)
    if table.contains(UniqueID.none) || end == nil && !isTableSealed { ending = .unclear }
    return frame.start(withTable: table)
  }
}

extension [UniqueID] {
  /// The table, completed with the entries that are only in another table of the same log.
  fileprivate func completed(by other: [UniqueID]) -> [UniqueID] {
    let filled = zip(self, other).map { $0 == UniqueID.none ? $1 : $0 }
    return filled + dropFirst(filled.count) + other.dropFirst(filled.count)
  }
}

extension Frame {
  /// The table before the frame; an entry is unknown if it is in neither the frame nor the given earlier table.
  func table(continuing earlier: [UniqueID]) -> [UniqueID] {
    if let table = information.knownTable { return table }
    let count = Int(information.tableCount)
    let known = earlier.prefix(count)
    return known + Array(repeating: UniqueID.none, count: count - known.count)
  }
}
