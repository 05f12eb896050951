import Bytes

/// The content of a tail that may or may not count.
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
  /// The table after the files before the tail; empty if it is not known.
  private let tableBefore: [UniqueID]

  init(first: UInt64, next: UInt64, behind table: [UniqueID]) {
    tableBefore = table
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

  /// The end of the log before a frame that follows a hole and does not contain its table.
  ///
  /// The table is the log's table before the hole. Entries that the lost events added are unknown, unless the files
  /// before the tail hold these events.
  private mutating func startPastHole(of frame: Frame) -> LogEnd {
    // The table only grows, so the table of a later event begins with the table of an earlier event.
    let before = tableBefore.isEmpty ? end?.table ?? [] : tableBefore
    let known = before.prefix(Int(frame.information.tableCount))
    let lost = Int(frame.information.tableCount) - known.count
    if lost > 0 { ending = .unclear }
    let unknown = UniqueID.none
    return frame.start(withTable: known + Array(repeating: unknown, count: lost))
  }
}
