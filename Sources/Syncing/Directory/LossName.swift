import Bytes
import Journaling

/// The name of an empty file of a directory peer that says: whoever left what follows has lost these events.
///
/// Without it, files that are missing before others are still to come.
struct LossName: Hashable {
  /// The events that are lost, the last of them told by its chain hash, which the next event follows.
  let events: ClosedRange<UInt64>
  let end: Digest

  init(events: ClosedRange<UInt64>, end: Digest) { (self.events, self.end) = (events, end) }

  /// Takes a name as ``string`` writes it, in small letters or capitals.
  init?(_ file: String) {
    let name = file.lowercased()
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard file.utf8.count <= 255, parts.count == 3, parts[2].hasSuffix(Self.ending),
      let first = UInt64(parts[0]), let last = UInt64(parts[1]), first > 0, last >= first,
      last < 1 << 62, let end = Digest(hex: String(parts[2].dropLast(Self.ending.utf8.count)))
    else { return nil }
    self.init(events: first...last, end: end)
    guard string == name else { return nil }
  }

  /// The last of the events, as what follows it tells.
  func place(of replica: UniqueID) -> Place {
    Place(log: replica, sequence: events.upperBound, hash: end)
  }

  var string: String { "\(DirectoryName.stem(events))-\(end.hex)\(Self.ending)" }

  private static let ending = ".lost"
}
