import Platform
import PosixPlatform

/// The operations that make up a book.
struct Workload: Sendable {
  /// The operations, one JSON object per line.
  let lines: [UInt8]
  let count: Int

  /// Reads operations from a file.
  init(readingFrom path: Path) throws {
    lines = try Machine.system.disk.contents(of: path, limit: 1 << 30)
    count = lines.count { $0 == 0x0a }
  }
}
