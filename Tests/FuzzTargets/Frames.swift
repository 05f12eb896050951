import Bytes
import Gzip
import Journaling
import Syncing

/// Frames and their contents.
enum Frames {
  static func take(_ bytes: [UInt8]) throws(Violation) {
    var chain = Chain()
    let isStripped = Frame.isStripped(bytes.span, at: 0)
    guard let frame = decode(bytes, &chain) else { return }
    try demand(
      frame.lastSequence < Journaling.Limit.lastSequence, "sequence numbers are below 2^62")
    try demand(
      isStripped == frame.events.contains(where: \.isStripped),
      "a frame is stripped if one of its events is")
    let label = FrameLabel(bytes.span, at: 0)
    try demand(
      label?.length == frame.length && label?.events == frame.firstSequence...frame.lastSequence
        && label?.replica == frame.replica,
      "a frame matches its label")
    for event in frame.events { try check(event, of: frame) }
    for level in [0, 9] {
      let packed = pack(
        frame.content, first: frame.firstSequence, count: frame.events.count, level: level)
      // The content decides which level gives the smaller frame, and either frame may be too large.
      guard let again = decode(packed, &chain) else { continue }
      try demand(again.content == frame.content, "a repacked frame has the same content")
      try demand(
        again.events.map(\.hash) == frame.events.map(\.hash), "a repacked frame has the same hashes"
      )
    }
  }

  private static func check(_ event: EventRecord, of frame: Frame) throws(Violation) {
    guard let header = try? frame.header(of: event) else {
      throw Violation(rule: "the header of a decoded event can be read")
    }
    let encoded = header.encode()
    var reader = CBORReader(encoded.span)
    let again = try? Header.decode(&reader)
    try demand(again == header && reader.isAtEnd, "a header is read back unchanged")
  }

  private static func decode(_ bytes: [UInt8], _ chain: inout Chain) -> Frame? {
    // The reason for a refusal is irrelevant here.
    try? Frame.decode(bytes.span, at: 0, &chain)
  }

  /// Packs the content of a frame with the correct length and checksums.
  static func pack(_ content: [UInt8], first: UInt64, count: Int, level: Int) -> [UInt8] {
    GzipMember.compress(content.span, level: level, extraCount: 29) { length in
      [0x44, 0x42, 25, 0, 1] + little(UInt64(length), 4) + little(first, 8)
        + little(UInt64(count), 4) + [1, 2, 3, 4, 5, 6, 7, 8]
    }
  }

  /// The input has eight bytes for the first sequence number, four for the number of events, and the content.
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
      again == information && second.isAtEnd, "a frame's information is read back unchanged")
  }

  static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
