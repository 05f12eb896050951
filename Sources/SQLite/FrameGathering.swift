/// Decides which writes to a write-ahead log can be combined with later writes.
///
/// SQLite writes each frame as a header of 24 bytes and a page, usually directly after the previous frame. Writing all
/// frames of a transaction with one call takes a fifth of the time. No write waits past the header of a transaction's
/// last frame, so the log already contains a transaction when SQLite announces it to other processes. Writes of any
/// other shape do not wait.
struct FrameGathering {
  /// The waiting bytes, to be written at ``start``.
  private(set) var bytes: [UInt8] = []
  private(set) var start: Int64 = 0
  /// The offset at which the latest write ended; nil before the first write.
  private var end: Int64?

  /// The length of a frame header, whose bytes 4 to 7 are zero except in the last frame of a transaction.
  private static let headerLength = 24
  private static let sizeAfterCommit = 4..<8

  /// The size at which the waiting bytes are written.
  ///
  /// Even with one more page, they are shorter than the 128 KiB that SQLite's own VFS writes at once.
  private static let most = 60 << 10

  /// How a write is treated.
  enum Verdict: Equatable {
    /// The write waits.
    case gathered
    /// The write has joined the waiting bytes, all of which must be written now.
    case gatheredAsLast
    /// The waiting bytes must be written now, followed by the write itself.
    case refused
  }

  /// Adds a write if it can wait.
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

  /// Discards the waiting bytes after an attempt to write them, successful or not.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }
}
