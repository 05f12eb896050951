import Bytes
import Gzip
import Syncing

/// A hostile message and the expected refusal.
struct HostileWords: Sendable {
  let name: String
  /// Whether a valid hello is sent before it.
  let isGreeted: Bool
  let bytes: [UInt8]
  let code: Refusal.Code

  /// The expected note of the server.
  var note: String { code == .limit ? "a size exceeds the limit" : "the data received" }

  private init(_ name: String, atOnce bytes: [UInt8], _ code: Refusal.Code) {
    (self.name, isGreeted, self.bytes, self.code) = (name, false, bytes, code)
  }

  private init(_ name: String, _ bytes: [UInt8], _ code: Refusal.Code) {
    (self.name, isGreeted, self.bytes, self.code) = (name, true, bytes, code)
  }

  /// Frames followed by an end message, which makes the server read them.
  private init(_ name: String, frames: [[UInt8]]) {
    let said = frames.flatMap(HostileWords.frame)
    self.init(name, said + HostileWords.message([0x82, 2, 0x80]), .brokenMessage)
  }

  static let inPlaceOfHello = [
    HostileWords(
      "a message of 1 GiB", atOnce: [0x40, 0, 0, 0] + [UInt8](repeating: 0, count: 60_000), .limit),
    HostileWords("a message of 4 GiB", atOnce: [0xff, 0xff, 0xff, 0xff], .limit),
    HostileWords("a message of 8 MiB and a byte", atOnce: [0, 0x80, 0, 1], .limit),
    HostileWords("8 MiB of noise", atOnce: message(noise(Limit.messageBytes)), .brokenMessage),
    HostileWords(
      "a hello that is 10,000 deep", atOnce: hello(places(0), more: deep), .brokenMessage),
    HostileWords(
      "a hello whose frontier is 10,000 deep", atOnce: hello([0x81] + deep), .brokenMessage),
    HostileWords("a hello of 100,000 places", atOnce: hello(places(100_000)), .limit),
    HostileWords("a hello of a million places", atOnce: hello(head(4, 1_000_000)), .brokenMessage),
    HostileWords(
      "a hello of a million places, as far as they fit",
      atOnce: hello(head(4, 1_000_000) + places(140_000).dropFirst(5)), .limit),
    HostileWords("a hello of a million ranges", atOnce: hello(ranges(1_000)), .limit),
    HostileWords(
      "a hello of 2^63 places", atOnce: hello(head(4, UInt64(1) << 63)), .brokenMessage),
  ]

  static let behindHello = [
    HostileWords("a later message of 1 GiB", [0x40, 0, 0, 0], .limit),
    HostileWords("a second hello", plainHello, .brokenMessage),
    HostileWords("a kind that nobody knows", message([0x81, 0x18, 0x63]), .brokenMessage),
    HostileWords("what is held, 10,000 deep", message([0x83, 3] + deep), .brokenMessage),
    HostileWords("what is held, 100,000 places", message([0x83, 3] + places(100_000)), .limit),
    HostileWords("noise as a message", message(noise(10_000)), .brokenMessage),
    HostileWords("a frame of 3 MiB", frame([UInt8](repeating: 0, count: 3 << 20)), .limit),
    HostileWords("noise as a frame", frames: [noise(10_000)]),
    HostileWords("a frame of 2 GiB", frames: [bomb(2_080_000)]),
    HostileWords("250 frames of 16 MiB", frames: Array(repeating: bomb(16_000), count: 250)),
    HostileWords("an event that is 10,000 deep", frames: [member(information + [0] + deep)]),
    HostileWords(
      "a header that is 10,000 deep", frames: [member(information + [0x82, 0, 0xa1, 9] + deep)]),
    HostileWords("a frame that is 10,000 deep", frames: [member(deep)]),
    HostileWords("a frame of a million events", frames: [member(information, events: 1_000_000)]),
  ]

  /// A valid hello, followed by an empty set of held landmarks.
  static let greeting = plainHello + message([0x83, 3, 0x80, 0])

  /// A hello without a log and book, which stays connected.
  static let plainHello = hello([0x80])

  /// The beginning of a message with the maximum length.
  static let longBeginning: [UInt8] = [0, 0x80, 0, 0, 0x8a]
}

// MARK: - Encoding

extension HostileWords {
  private static let deep = [UInt8](repeating: 0x81, count: 10_000) + [0]
  private static let nobody = [0x50] + [UInt8](repeating: 0, count: 16)
  /// The information about the log before a frame.
  private static let information =
    [0xa3, 0, 0, 2] + head(2, 32) + [UInt8](repeating: 7, count: 32) + [3, 0x81] + nobody

  private static func message(_ content: [UInt8]) -> [UInt8] {
    bytes(UInt32(content.count)).reversed() + content
  }

  /// Returns the bytes of a number, little-endian.
  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { (place: UInt32) in UInt8(truncatingIfNeeded: number >> (8 * place)) }
  }

  private static func hello(_ frontier: [UInt8], more: [UInt8] = []) -> [UInt8] {
    let start: [UInt8] = [more.isEmpty ? 0x89 : 0x8a, 0, 1, 1, 0xf6, 0x80]
    return message(start + nobody + frontier + nobody + [0xf5] + more)
  }

  private static func frame(_ bytes: [UInt8]) -> [UInt8] {
    message([0x83, 1] + nobody + head(2, bytes.count) + bytes)
  }

  /// Returns the head of a CBOR item.
  private static func head(_ kind: UInt8, _ argument: UInt64) -> [UInt8] {
    var writer = CBORWriter()
    writer.unsigned(argument)
    return [writer.bytes[0] | kind << 5] + writer.bytes.dropFirst()
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] { head(kind, UInt64(count)) }

  /// Returns a frontier with the given number of places, each with the given ranges if there are any.
  private static func places(_ count: Int, ranges: [UInt8] = []) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(count)
    let hash = head(2, 32) + [UInt8](repeating: 0, count: 32)
    for number in 0..<count {
      writer.arrayHeader(ranges.isEmpty ? 3 : 4)
      writer.uniqueID(UniqueID(high: 0, low: UInt64(number)))
      writer.unsigned(1)
      writer.raw(hash)
      writer.raw(ranges)
    }
    return writer.bytes
  }

  /// Returns a frontier with the given number of places, each with the maximum number of ranges.
  private static func ranges(_ count: Int) -> [UInt8] {
    var ranges = CBORWriter()
    ranges.arrayHeader(Limit.islands)
    for number in 1...UInt64(Limit.islands) {
      ranges.arrayHeader(2)
      ranges.unsigned(2 * number + 1)
      ranges.unsigned(2 * number + 1)
    }
    return places(count, ranges: ranges.bytes)
  }

  private static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 4_711
    let block = (0..<min(count, 9_999)).map { (_: Int) -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    var bytes = block
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    return bytes
  }

  private static func member(_ content: [UInt8], events: Int = 1) -> [UInt8] {
    GzipMember.compress(content.span, level: 6, extraCount: 29) { length in
      label(length, events: events)
    }
  }

  /// Returns a frame of zeros with a compression ratio of 1,032 to 1, which our writer never produces.
  private static func bomb(_ count: Int) -> [UInt8] {
    let table: [UInt8] = [
      0xed, 0xc1, 0x01, 0x01, 0, 0, 0, 0x82, 0x20, 0xff, 0xaf, 0x6e, 0x48, 0x40, 0x01,
    ]
    let packed = table + [UInt8](repeating: 0, count: count) + [0xf7, 0x06]
    let length = 43 + packed.count + 8
    let empty: [UInt8] = []
    let header = GzipMember.compress(empty.span, level: 0, extraCount: 29) { _ in
      label(length, events: 1)
    }
    return header.prefix(43) + packed + [UInt8](repeating: 0, count: 8)
  }

  /// Returns the information in a frame's header.
  private static func label(_ length: Int, events: Int) -> [UInt8] {
    let first: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
    return [0x44, 0x42, 25, 0, 1] + bytes(UInt32(length)) + first + bytes(UInt32(events))
      + [UInt8](repeating: 0, count: 8)
  }
}
