/// Which of the writes to a write-ahead log can wait for the ones behind them.
///
/// SQLite writes each frame as a header of 24 bytes and a page, most of them behind the one before. To hand over
/// all of a transaction with one call takes a fifth of the time. Nothing waits longer than the header of the
/// transaction's last frame, so that what SQLite tells others to be there is there; and what is of another shape
/// than this does not wait at all.
struct FrameGathering {
  /// What waits, to be written at ``start``.
  private(set) var bytes: [UInt8] = []
  private(set) var start: Int64 = 0
  /// Where the latest write ended; nil before the first one.
  private var end: Int64?

  /// The length of a frame's header, in which bytes 4 to 7 are zero unless the frame is a transaction's last.
  private static let headerLength = 24
  private static let sizeAfterCommit = 4..<8

  /// From so much on it is handed over: with one page more it is still less than SQLite's 128 KiB for one write.
  private static let most = 60 << 10

  /// What becomes of a write.
  enum Verdict: Equatable {
    /// It waits.
    case gathered
    /// It waits, and all that waits is to be written now.
    case gatheredAsLast
    /// What waits is to be written now, and behind that the write itself.
    case refused
  }

  /// Takes in a write, if it can wait.
  mutating func add(_ written: Span<UInt8>, at offset: Int64) -> Verdict {
    defer { end = offset + Int64(written.count) }
    guard offset == end else { return .refused }
    let isHeader = written.count == Self.headerLength
    guard isHeader || !bytes.isEmpty else { return .refused }
    if bytes.isEmpty { start = offset }
    unsafe written.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    let isLast = isHeader && Self.sizeAfterCommit.contains { written[$0] != 0 }
    return isLast || bytes.count >= Self.most ? .gatheredAsLast : .gathered
  }

  /// Notes that what waited has been handed over, with success or without.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }
}
