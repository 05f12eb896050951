package import Bytes
import Journaling

/// The name of an empty file of a directory peer.
///
/// The file states that the device that created it has lost a range of events.
///
/// Without such a file, missing events are expected to arrive later.
package struct LossName: Hashable, Sendable {
  /// The lost events.
  package let events: ClosedRange<UInt64>
  /// The chain hash of the last lost event, which the event after it contains.
  package let end: Digest

  init(events: ClosedRange<UInt64>, end: Digest) { (self.events, self.end) = (events, end) }

  /// Parses a name in the format of ``string``, in lowercase or capital letters.
  package init?(_ file: String) {
    let name = file.lowercased()
    guard file.utf8.count <= 255, name.hasSuffix(Self.ending) else { return nil }
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let first = UInt64(parts[0]), let last = UInt64(parts[1]), first > 0,
      last >= first,
      last < 1 << 62, let end = Digest(hex: String(parts[2].dropLast(Self.ending.utf8.count)))
    else { return nil }
    self.init(events: first...last, end: end)
    guard string == name else { return nil }
  }

  /// The place of the last lost event.
  func place(of replica: UniqueID) -> Place {
    Place(log: replica, sequence: events.upperBound, hash: end)
  }

  var string: String { "\(DirectoryName.stem(events))-\(end.hex)\(Self.ending)" }

  private static let ending = ".lost"
}
