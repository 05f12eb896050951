import Bytes
import Journaling
import Testing

@testable import Syncing

/// Messages that are valid CBOR but violate the protocol.
struct MalformedMessageTests {
  private static let anna = VectorTests.anna
  private static let digest = VectorTests.digest
  private static let place = anna + "1818" + digest

  /// An `end` message whose frontier has one place.
  private static func end(_ place: String) -> String { "820281" + place }

  /// A hello with the given former books.
  private static func hello(formerBooks: String) -> String {
    "89000101f6" + formerBooks + anna + "80" + anna + "f4"
  }

  private static func array(of count: Int, _ item: String) -> String {
    "99" + Hex.encode([UInt8(count >> 8), UInt8(count & 0xff)])
      + String(repeating: item, count: count)
  }

  static let malformed: [(name: String, hex: String, fault: MessageFault)] = [
    ("an unknown kind", "8108", .kind(8)),
    ("a `frame` with two elements", "8201" + anna, .shape),
    ("an `end` with one element", "8102", .shape),
    ("a `have` without its ends", "820380", .shape),
    ("a `refuse` without its text", "820405", .shape),
    (
      "a `refuse` with too much text",
      "830405" + "790401" + String(repeating: "61", count: 1_025), .limit
    ),
    ("an `alive` with an extra element", "820600", .shape),
    ("an `asking` with an extra element", "820700", .shape),
    (
      "a place without its hash", end("82" + anna + "1818"),
      .cbor(.wrongLength(expected: 3, at: 4))
    ),
    (
      "a place beyond the last possible event",
      end("83" + anna + "1b4000000000000000" + digest), .cbor(.outOfRange(at: 64))
    ),
    (
      "too many islands", end("84" + place + array(of: 1_025, "00")), .cbor(.tooMany(at: 60))
    ),
    ("an empty list of islands", end("84" + place + "80"), .cbor(.tooMany(at: 58))),
    (
      "an island with three numbers", end("84" + place + "8183181a181e181f"),
      .cbor(.wrongLength(expected: 2, at: 59))
    ),
    (
      "an island adjacent to the events before it", end("84" + place + "81821819181e"),
      .cbor(.outOfRange(at: 63))
    ),
    ("islands in descending order", end("84" + place + "8182181e181a"), .cbor(.outOfRange(at: 63))),
    ("places out of order", "820282" + "83" + place + "83" + place, .order),
    ("too many places", "8202" + array(of: 4_097, "00"), .limit),
    ("a hello with six elements", "86000101f680" + anna, .shape),
    (
      "a hello with its versions in descending order", "89000201f680" + anna + "80" + anna + "f4",
      .shape
    ),
    ("a hello of version 1 with too few elements", "88000101f680" + anna + "80" + anna, .shape),
    ("too many former books", hello(formerBooks: array(of: 257, anna)), .limit),
    ("a `prove` with port 0", "8405" + digest + "617000", .shape),
    ("a `prove` with a port above 65,535", "8405" + digest + "61701a00010000", .shape),
  ]

  @Test(arguments: malformed)
  func `Message: a malformed message is refused with its fault`(
    name: String, hex: String, fault: MessageFault
  ) throws {
    let bytes = try #require(Hex.decode(hex))
    var reader = MessageReader()
    reader.append([0, 0, UInt8(bytes.count >> 8 & 0xff), UInt8(bytes.count & 0xff)] + bytes)
    #expect(throws: SyncError.message(fault, at: 0)) { try reader.next() }
  }

  @Test func `Message: the largest allowed counts are read`() throws {
    let islands = (0..<1_024).map { number in
      // Longer numbers would not be in the shortest form.
      let word = "1a" + Self.word(65_536 + 2 * number)
      return "82" + word + word
    }
    let places = (0..<4_096).map {
      "8350" + String(repeating: "0", count: 24) + Self.word($0) + "00" + Self.digest
    }
    for hex in [
      Self.end("84" + Self.place + "990400" + islands.joined()),
      "820299" + "1000" + places.joined(),
      "830405" + "790400" + String(repeating: "61", count: 1_024),
      Self.hello(formerBooks: Self.array(of: 256, Self.anna)),
      "8405" + Self.digest + "7864" + String(repeating: "61", count: 100) + "f6",
    ] {
      let bytes = try #require(Hex.decode(hex))
      var reader = MessageReader()
      reader.append((0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes)
      #expect(try reader.next() != nil, "\(hex.prefix(20))")
    }
  }

  /// The 8 digits of a number.
  private static func word(_ number: Int) -> String {
    Hex.encode((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }

  @Test func `Refusal: only a fault of the peer's data is called a broken message`() throws {
    let log = UniqueID(high: 1, low: 2)
    for error in [
      JournalError.locked(holder: nil), .newer(log, version: 2), .changed(log), .poisoned,
    ] {
      #expect(Refusal(SyncError.journal(error))?.code == Refusal.Code.busy.rawValue)
    }
    let wrong = SyncError.journal(.wrongHead(log, sequence: 3))
    #expect(Refusal(wrong)?.code == Refusal.Code.brokenMessage.rawValue)
  }

  @Test func `Refusal: too many islands of a place are a broken message, and other counts a limit`()
  {
    for (fault, code) in [
      (.cbor(.tooMany(at: 60)), .brokenMessage), (.limit, .limit),
    ] as [(MessageFault, Refusal.Code)] {
      #expect(Refusal(SyncError.message(fault, at: 0))?.code == code.rawValue)
    }
  }

  @Test func `Hello: two sides without a book are refused`() throws {
    let nobody = Hello(book: nil, replica: .anna, frontier: .nothing)
    #expect(throws: SyncError.noBook) { try nobody.check(nobody) }
    try Hello(book: .anna, replica: .anna, frontier: .nothing).check(nobody)
  }
}
