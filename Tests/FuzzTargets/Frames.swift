import Bytes
import Gzip
import Journaling
import Syncing

/// Frames, and what stands in them.
enum Frames {
  static func take(_ bytes: [UInt8]) throws(Violation) {
    var chain = Chain()
    let isStripped = Frame.isStripped(bytes.span, at: 0)
    guard let frame = decode(bytes, &chain) else { return }
    try demand(frame.lastSequence < Journaling.Limit.lastSequence, "sequences end below 2^62")
    try demand(
      isStripped == frame.events.contains(where: \.isStripped),
      "a body is gone where a salt is missing")
    let label = FrameLabel(bytes.span, at: 0)
    try demand(
      label?.length == frame.length && label?.events == frame.firstSequence...frame.lastSequence
        && label?.replica == frame.replica,
      "a frame is what its label says")
    for event in frame.events { try check(event, of: frame) }
    for level in [0, 9] {
      let packed = pack(
        frame.content, first: frame.firstSequence, count: frame.events.count, level: level)
      // Which is smaller depends on the content, and one may be too large.
      guard let again = decode(packed, &chain) else { continue }
      try demand(again.content == frame.content, "a frame packed anew holds the same")
      try demand(
        again.events.map(\.hash) == frame.events.map(\.hash), "a frame packed anew hashes the same")
    }
  }

  private static func check(_ event: EventRecord, of frame: Frame) throws(Violation) {
    guard let header = try? frame.header(of: event) else {
      throw Violation(rule: "a header that was read is read again")
    }
    let encoded = header.encode()
    var reader = CBORReader(encoded.span)
    let again = try? Header.decode(&reader)
    try demand(again == header && reader.isAtEnd, "a header is read as it was written")
  }

  private static func decode(_ bytes: [UInt8], _ chain: inout Chain) -> Frame? {
    // Errors of a frame are all of one type; which one it is does not matter here.
    try? Frame.decode(bytes.span, at: 0, &chain)
  }

  /// Packs what a frame holds; the length is right, and so are the checksums.
  static func pack(_ content: [UInt8], first: UInt64, count: Int, level: Int) -> [UInt8] {
    GzipMember.compress(content.span, level: level, extraCount: 29) { length in
      [0x44, 0x42, 25, 0, 1] + little(UInt64(length), 4) + little(first, 8)
        + little(UInt64(count), 4) + [1, 2, 3, 4, 5, 6, 7, 8]
    }
  }

  /// Takes eight bytes for the first sequence, four for the number of events, and a content.
  static func takeContent(_ bytes: [UInt8]) throws(Violation) {
    guard bytes.count > 12 else { return }
    let first = number(bytes[0..<8])
    let count = Int(number(bytes[8..<12]))
    try take(pack(Array(bytes[12...]), first: first, count: count, level: 0))
  }

  static func takeInformation(_ bytes: [UInt8]) throws(Violation) {
    var reader = CBORReader(bytes.span)
    guard let information = try? FrameInformation.decode(&reader) else { return }
    var writer = CBORWriter()
    information.encode(to: &writer)
    let encoded = writer.bytes
    var second = CBORReader(encoded.span)
    let again = try? FrameInformation.decode(&second)
    try demand(
      again == information && second.isAtEnd, "a frame's information is read as it was written")
  }

  static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
