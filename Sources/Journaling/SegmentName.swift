/// The name of a segment file, which tells the events in it.
package enum SegmentName: Hashable, Sendable {
  case sealed(ClosedRange<UInt64>)
  /// The file that grows, by its first event.
  case tail(UInt64)

  /// Takes a name as ``string`` writes it, and no other.
  package init?(_ name: String) {
    guard name.utf8.count <= 64, name.hasSuffix(".gz") else { return nil }
    let parts = name.dropLast(3).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first.flatMap({ UInt64($0) }), first > 0,
      first < Limit.lastSequence
    else { return nil }
    if parts.count == 2 {
      guard let last = UInt64(parts[1]), last >= first, last < Limit.lastSequence else {
        return nil
      }
      self = .sealed(first...last)
    } else {
      self = .tail(first)
    }
    // Signs, missing zeros and the like are seen here.
    guard string == name else { return nil }
  }

  package var first: UInt64 {
    switch self {
    case .sealed(let events): events.lowerBound
    case .tail(let first): first
    }
  }

  /// The events that may lie in it.
  var events: ClosedRange<UInt64> {
    switch self {
    case .sealed(let events): events
    case .tail(let first): first...Limit.lastSequence
    }
  }

  var isTail: Bool {
    if case .tail = self { true } else { false }
  }

  package var string: String {
    switch self {
    case .sealed(let events):
      "\(Self.padded(events.lowerBound))-\(Self.padded(events.upperBound)).gz"
    case .tail(let first): "\(Self.padded(first)).gz"
    }
  }

  private static func padded(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
  }
}
