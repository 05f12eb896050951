import Bytes

/// A frame of a ``MemoryHolder``: the hash before it, its events, and the hash after them.
struct ToyFrame {
  /// The first 8 bytes of the id of the log.
  var replica: [UInt8]
  var first: UInt64
  var before: Digest
  var events: [[UInt8]]
  var end: Digest

  init(of tree: Tree, _ run: ArraySlice<Digest>) {
    replica = Array(tree.log.bytes[..<8])
    events = run.compactMap { tree.events[$0]?.content }
    let start = run.first.flatMap { tree.events[$0] }
    (first, before) = (start?.sequence ?? 1, start?.before ?? tree.root)
    end = run.last ?? before
  }

  init?(_ frame: [UInt8]) {
    guard frame.count >= 43 + 64, Self.number(frame[17..<21]) == frame.count else { return nil }
    first = Self.number(frame[21..<29])
    replica = Array(frame[33..<41])
    before = Digest(frame[43..<75])
    end = Digest(frame.suffix(32))
    events = []
    var rest = frame[75..<frame.count - 32]
    while let length = rest.popFirst() {
      guard rest.count >= Int(length) else { return nil }
      events.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    guard first > 0, first < 1 << 62, !events.isEmpty,
      events.count == Self.number(frame[29..<33])
    else { return nil }
  }

  /// A label as defined in section 6 of protocol.md, and the content.
  var bytes: [UInt8] {
    let content = before.bytes + events.flatMap { [UInt8($0.count)] + $0 } + end.bytes
    var bytes: [UInt8] = [0x1f, 0x8b, 8, 6, 0, 0, 0, 0, 0, 255, 29, 0, 0x44, 0x42, 25, 0, 1]
    bytes += Self.little(UInt64(content.count + 43), 4) + Self.little(first, 8)
    return bytes + Self.little(UInt64(events.count), 4) + replica + [0, 0] + content
  }

  private static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
