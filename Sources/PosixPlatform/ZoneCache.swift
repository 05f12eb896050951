import Glibc
import Platform
import Synchronization

/// Reads time zones from the system's zone files, each only once.
final class ZoneCache: Sendable {
  private let known = Mutex<[String: ZoneRules?]>([:])

  /// The maximum number of names to keep; there are fewer than 600 zones, but a record can contain any text.
  private static let mostKept = 1_000
  private static let sizeLimit = 1 << 18
  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]

  func zone(named name: String) -> ZoneRules? {
    guard Self.isName(name) else { return nil }
    if let known = known.withLock({ $0[name] }) { return known }
    let zone = Self.read(name)
    known.withLock { known in
      if known.count >= Self.mostKept { known = [:] }
      known[name] = .some(zone)
    }
    return zone
  }

  /// Returns whether the text has the form of a name in the time zone database.
  ///
  /// The path of such a name cannot lead out of the folder.
  ///
  /// Names under `right` are excluded, because these zones count leap seconds, which other clocks do not.
  private static func isName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      guard let first = part.first, isLetter(first) else { return false }
      return part.allSatisfy { byte in
        isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || [UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
      }
    }
    return isPlain && text.utf8.count <= 64 && !text.hasPrefix("right/")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private static func read(_ name: String) -> ZoneRules? {
    // As in the C library, the environment can name another folder.
    let named = unsafe getenv("TZDIR").map { unsafe String(cString: $0) }
    for folder in [named].compactMap(\.self) + folders {
      // A missing or unreadable file is treated like an unknown zone.
      if let bytes = try? contents(of: "\(folder)/\(name)"), let zone = ZoneRules(tzif: bytes) {
        return zone
      }
    }
    return nil
  }

  /// Returns the content of a file, which may be a symbolic link, unlike the files of a book.
  private static func contents(of path: String) throws(Errno) -> [UInt8] {
    let descriptor = try answer { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    defer { _ = close(descriptor) }
    try requirePlainFile(descriptor)
    return try readFully(descriptor, at: 0, count: sizeLimit)
  }
}
