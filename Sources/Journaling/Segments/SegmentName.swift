/// The name of a segment file, which shows the events that the file may hold.
package enum SegmentName: Hashable, Sendable {
  case sealed(ClosedRange<UInt64>)
  /// The file that grows, named after its first event.
  case tail(UInt64)

  /// Parses a name; nil unless ``string`` would produce exactly this name.
  ///
  /// Bytes are parsed instead of characters for speed, because even a short command parses about twenty names.
  package init?(_ name: String) {
    let bytes = name.utf8.span
    guard let (first, end) = Self.number(in: bytes, at: 0) else { return nil }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "-") else {
      guard Self.isEnding(bytes, at: end) else { return nil }
      self = .tail(first)
      return
    }
    guard let (last, end) = Self.number(in: bytes, at: end + 1), last >= first,
      Self.isEnding(bytes, at: end)
    else { return nil }
    self = .sealed(first...last)
  }

  /// Parses the sequence at an offset, in the format of ``padded(_:)``, and returns it with the offset after it.
  private static func number(
    in bytes: Span<UInt8>, at start: Int
  ) -> (value: UInt64, end: Int)? {
    var (value, place) = (UInt64(0), start)
    while place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 {
      guard value <= Limit.lastSequence / 10 else { return nil }
      value = value * 10 + UInt64(bytes[place] - UInt8(ascii: "0"))
      place += 1
    }
    let count = place - start
    guard value > 0, value < Limit.lastSequence,
      count == digits || count > digits && bytes[start] != UInt8(ascii: "0")
    else {
      return nil
    }
    return (value, place)
  }

  private static func isEnding(_ bytes: Span<UInt8>, at place: Int) -> Bool {
    bytes.count == place + 3 && bytes[place] == UInt8(ascii: ".")
      && bytes[place + 1] == UInt8(ascii: "g") && bytes[place + 2] == UInt8(ascii: "z")
  }

  package var first: UInt64 {
    switch self {
    case .sealed(let events): events.lowerBound
    case .tail(let first): first
    }
  }

  /// The events that the file may hold.
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

  /// The minimum number of digits of a sequence.
  private static let digits = 12

  private static func padded(_ number: UInt64) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
