import Platform
import PosixPlatform

/// Operations a book is made from.
struct Workload: Sendable {
  /// A JSON object a line.
  let lines: [UInt8]
  /// How many there are.
  let count: Int

  /// Reads them from a file.
  init(readingFrom path: Path) throws {
    lines = try Machine.system.disk.contents(of: path, limit: 1 << 30)
    count = lines.count { $0 == 0x0a }
  }
}
