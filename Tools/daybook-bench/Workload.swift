import Platform
import PosixPlatform

/// Operations a book is made from.
struct Workload: Sendable {
  /// A JSON object a line.
  let lines: [UInt8]

  /// Reads them from a file.
  init(readingFrom path: Path) throws {
    lines = try Machine.system.disk.contents(of: path, limit: 1 << 30)
  }
}
