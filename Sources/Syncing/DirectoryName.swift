package import Bytes

/// The name of a file of a directory peer: the events of one log in it, and its digest.
package struct DirectoryName: Hashable, Comparable, Sendable {
  package var events: ClosedRange<UInt64>
  /// The first half of the SHA-256 of the whole file.
  package var digest: UniqueID

  package init(events: ClosedRange<UInt64>, digest: UniqueID) {
    (self.events, self.digest) = (events, digest)
  }

  /// Takes a name as ``string`` writes it, and no other.
  package init?(_ name: String) {
    guard name.utf8.count <= 80, name.hasSuffix(".gz") else { return nil }
    let parts = name.dropLast(3).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let first = UInt64(parts[0]), let last = UInt64(parts[1]),
      let digest = UniqueID(hex: String(parts[2])), first > 0, last >= first, last < 1 << 62
    else { return nil }
    self.init(events: first...last, digest: digest)
    // Signs, missing zeros and the like are seen here.
    guard string == name else { return nil }
  }

  package var string: String {
    "\(Self.padded(events.lowerBound))-\(Self.padded(events.upperBound))-\(digest.hex).gz"
  }

  /// In the order of their first events; of two the one that holds more comes first.
  package static func < (left: DirectoryName, right: DirectoryName) -> Bool {
    (left.events.lowerBound, right.events.upperBound, left.digest)
      < (right.events.lowerBound, left.events.upperBound, right.digest)
  }

  private static func padded(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
  }
}
