import Bytes

/// What the file that grows tells, before it is known whether it counts.
struct TailReading: Sendable {
  var tail: Tail
  /// The log behind the last frame, if there is one.
  private(set) var end: LogEnd?
  private(set) var ending = Ending.sound
  private(set) var lastBlock: BlockSecrets?
  private(set) var holes: [ClosedRange<UInt64>] = []
  var newerVersion: UInt8?

  /// The first event that the files before it do not hold.
  let start: UInt64
  /// The event that is expected: frames that are lost show in the numbers of those behind them.
  private(set) var next: UInt64

  init(first: UInt64, next: UInt64) {
    tail = Tail(first: first, length: 0, isSettled: false, hasHead: false, frameCount: 0)
    (start, self.next) = (next, next)
  }

  /// Whether it says anything that the files before it do not, or said so before it lost all.
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

  /// Keeps a frame that is passed over from being cut off as what lies behind the last one.
  mutating func keep(_ frame: Frame, at offset: Int) {
    tail.length = offset + frame.length
    tail.hasSkippedBytes = true
  }

  /// The log before a frame that follows a hole and does not tell its table.
  ///
  /// It is the one before the hole, unless events that are lost have added to it: these stay unknown.
  private mutating func startPastHole(of frame: Frame) -> LogEnd {
    let known = end?.table.prefix(Int(frame.information.tableCount)) ?? []
    let lost = Int(frame.information.tableCount) - known.count
    if lost > 0 { ending = .unclear }
    let unknown = UniqueID.none
    return frame.start(withTable: known + Array(repeating: unknown, count: lost))
  }
}
