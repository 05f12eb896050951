package import Bytes

/// The name of a file of a directory peer: the range of its events, and its digest.
package struct DirectoryName: Hashable, Comparable, Sendable {
  package let events: ClosedRange<UInt64>
  /// The first half of the SHA-256 of the file.
  package let digest: UniqueID
  /// The name of the file in the directory.
  ///
  /// The name differs from ``string`` if a program or file system has changed it.
  package let file: String

  package init(events: ClosedRange<UInt64>, digest: UniqueID) {
    (self.events, self.digest) = (events, digest)
    file = Self.stem(events, digest) + Self.ending
  }

  /// Creates a name for a file whose actual name does not show its range and digest.
  init(events: ClosedRange<UInt64>, digest: UniqueID, file: String) {
    (self.events, self.digest, self.file) = (events, digest, file)
  }

  /// Parses a name in the format of ``string``, or with the changes that copying programs and file systems make.
  ///
  /// Such programs change the name to capitals, or add text after the digest: `… (conflicted copy).gz`,
  /// `….sync-conflict-….gz`, `….gz~`. Whether the file matches its digest is checked later.
  package init?(_ file: String) {
    guard file.utf8.count <= 255, file.utf8.first.map({ $0.isDigit }) == true else { return nil }
    let parts = file.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let first = UInt64(parts[0]), let last = UInt64(parts[1]),
      let digest = UniqueID(hex: parts[2].prefix(32).lowercased()), first > 0, last >= first,
      last < 1 << 62
    else { return nil }
    (events, self.digest, self.file) = (first...last, digest, file)
    // This comparison rejects signs, missing zeros and other deviations.
    let stem = Self.stem(events, digest)
    guard file.lowercased().hasPrefix(stem) else { return nil }
    let rest = file.utf8.dropFirst(stem.utf8.count)
    guard let next = rest.first, !next.isLetterOrDigit else { return nil }
  }

  package var string: String { Self.stem(events, digest) + Self.ending }

  /// Whether the name is unchanged except for its case.
  ///
  /// A file whose name was changed might not contain what the name states. A sealed name that was changed cannot be
  /// opened, so every sealed name here is unchanged.
  var isPlain: Bool { isSealed || file.lowercased() == string }

  private var isSealed: Bool { !file.utf8.starts(with: Self.stem(events).utf8) }

  /// Orders names by the first event.
  ///
  /// If two files have the same first event, the longer file comes first.
  package static func < (left: DirectoryName, right: DirectoryName) -> Bool {
    (left.events.lowerBound, right.events.upperBound, left.digest, left.file)
      < (right.events.lowerBound, left.events.upperBound, right.digest, right.file)
  }

  private static let ending = ".gz"

  private static func stem(_ events: ClosedRange<UInt64>, _ digest: UniqueID) -> String {
    "\(stem(events))-\(digest.hex)"
  }

  /// The first part of each name, with the range of events.
  static func stem(_ events: ClosedRange<UInt64>) -> String {
    "\(padded(events.lowerBound))-\(padded(events.upperBound))"
  }

  private static func padded(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isLetterOrDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
