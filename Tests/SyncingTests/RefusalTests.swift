import Bytes
import Journaling
import Syncing
import Testing

struct RefusalTests {
  /// The error and the last message of a listener after a dialler's hello and the given bytes.
  static func answer(
    to bytes: [UInt8], afterHello isKnown: Bool = true
  ) throws -> (SyncError?, Message?) {
    var listener = Talker(.listener, SessionTests.bert())
    if isKnown { listener.hear(SessionTests.opening(SessionTests.anna())) }
    listener.hear(bytes)
    var reader = MessageReader()
    reader.append(listener.takeOutgoing())
    var last: Message?
    while let message = try reader.next() { last = message }
    return (listener.failure, last)
  }

  static let broken = Refusal(.brokenMessage, "a message is malformed")
  static let tooMuch = Refusal(.limit, "a message exceeds a limit")

  @Test func `Refusal: a length over the limit is refused before the message arrives`() throws {
    let (error, last) = try Self.answer(to: [0x00, 0x80, 0x00, 0x01], afterHello: false)
    #expect(error == .message(.limit, at: 0))
    #expect(last == .refusal(Self.tooMuch))
  }

  @Test func `Refusal: a frame over the limit is refused`() throws {
    let frame = [UInt8](repeating: 0, count: 2 << 20 + 1)
    let (error, last) = try Self.answer(to: Session.message(frame, of: .anna))
    let start = SessionTests.opening(SessionTests.anna()).count
    #expect(error == .message(.limit, at: start))
    #expect(last == .refusal(Self.tooMuch))
  }

  static let garbage: [(String, [UInt8], MessageFault)] = [
    ("an empty message", [], .cbor(.truncated(at: 0))),
    ("an item that is not an array", [0x01], .cbor(.wrongType(expected: .array, at: 0))),
    ("an unknown kind", [0x81, 0x18, 0x63], .kind(99)),
    ("an `end` with an extra element", [0x83, 0x02, 0x80, 0x00], .shape),
    ("an `end` followed by another byte", [0x82, 0x02, 0x80, 0x00], .cbor(.trailing(at: 3))),
    ("a number that is not in its shortest form", [0x81, 0x18, 0x02], .cbor(.notShortest(at: 1))),
    ("a length past the end of the message", [0x83, 0x01, 0x50], .cbor(.tooMany(at: 0))),
    (
      "deep nesting",
      [0x8a, 0x00, 0x01, 0x01, 0xf6, 0x80] + nobody + [0x80] + nobody + [0xf4]
        + [UInt8](repeating: 0x81, count: 40) + [0x00], .cbor(.tooDeep(at: 74))
    ),
    (
      "a hello without its last element",
      [0x88, 0x00, 0x01, 0x01, 0xf6, 0x80] + nobody + [0x80] + nobody, .shape
    ),
    (
      "a hello without an incarnation", [0x87, 0x00, 0x01, 0x01, 0xf6, 0x80] + nobody + [0x80],
      .shape
    ),
    (
      "a number of places past the end", [0x83, 0x03, 0x9a, 0xff, 0xff, 0xff, 0xff],
      .cbor(.tooMany(at: 2))
    ),
  ]

  /// The id of a side without a log, as a byte string.
  static let nobody: [UInt8] = [0x50] + [UInt8](repeating: 0, count: 16)

  @Test(arguments: garbage)
  func `Refusal: malformed bytes are refused with the matching fault`(
    name: String, bytes: [UInt8], fault: MessageFault
  ) throws {
    let message = [0, 0, 0, UInt8(bytes.count)] + bytes
    let (error, last) = try Self.answer(to: message, afterHello: false)
    #expect(error == .message(fault, at: 0))
    #expect(last == .refusal(Self.broken))
  }

  @Test func `Refusal: a frontier with places out of order is refused`() throws {
    let place = Place(log: .anna, sequence: 1, hash: Digest([UInt8](repeating: 0, count: 32)))
    var bytes = Message.end(Frontier([place])).encoded
    bytes[3] = UInt8(bytes.count - 4 + bytes.count - 7)
    bytes[6] = 0x82
    bytes += bytes[7...]
    let (error, _) = try Self.answer(to: bytes, afterHello: false)
    #expect(error == .message(.order, at: 0))
  }

  @Test func `Frontier: places of one replica are ordered by event, then by hash`() throws {
    let hashes = [1, 2].map { Digest([UInt8](repeating: $0, count: 32)) }
    let places = [(4, hashes[1]), (2, hashes[1]), (4, hashes[0])].map { sequence, hash in
      Place(log: .anna, sequence: sequence, hash: hash)
    }
    var reader = MessageReader()
    reader.append(Message.end(Frontier(places)).encoded)
    let told = Frontier([places[1], places[2], places[0]])
    #expect(try reader.next() == .end(told))
    #expect(told.places == [places[1], places[2], places[0]])
    #expect(told.places(of: .anna).count == 3)
    #expect(told.places(of: .bert).isEmpty)
    #expect(told.sequence(of: .anna) == 4)
  }

  @Test(arguments: [
    Message.end(.nothing), .have(.nothing, ends: 0), .frame(log: .anna, [1, 2, 3]), .alive,
    .asking,
  ])
  func `Refusal: any message before the hello is refused`(message: Message) throws {
    let (error, last) = try Self.answer(to: message.encoded, afterHello: false)
    #expect(error == .unexpected(at: 0))
    #expect(last == .refusal(Self.broken))
  }

  @Test func `Refusal: a second end before its turn is refused`() throws {
    let (error, last) = try Self.answer(
      to: Message.end(.nothing).encoded + Message.end(.nothing).encoded)
    #expect(error != nil)
    #expect(last == .refusal(Self.broken))
  }

  @Test func `Refusal: an unsupported version is refused with both version ranges`() throws {
    var hello = SessionTests.anna().hello
    hello.versions = 3...4
    let (error, last) = try Self.answer(to: Message.hello(hello).encoded, afterHello: false)
    #expect(error == .version(3...4))
    #expect(last == .refusal(Refusal(.version, "you speak 3 to 4, I speak 1 to 1")))
  }

  @Test func `Refusal: a shorter hello of version 0 is read and refused`() throws {
    let bytes: [UInt8] = [0x87, 0x00, 0x00, 0x00, 0xf6, 0x80] + Self.nobody + [0x80]
    let (error, last) = try Self.answer(
      to: [0, 0, 0, UInt8(bytes.count)] + bytes, afterHello: false)
    #expect(error == .version(0...0))
    #expect(last == .refusal(Refusal(.version, "you speak 0 to 0, I speak 1 to 1")))
  }

  @Test func `Refusal: a hello with additions of a later version is accepted`() throws {
    var bytes = Message.hello(SessionTests.anna().hello).encoded
    bytes[4] = 0x8a
    bytes.append(0xa0)
    let count = bytes.count - 4
    (bytes[2], bytes[3]) = (UInt8(count >> 8), UInt8(count & 0xff))
    let (error, last) = try Self.answer(to: bytes, afterHello: false)
    #expect(error == nil)
    #expect(last == .hello(SessionTests.bert().hello))
  }

  @Test func `Refusal: sides with different books are refused`() {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    anna.book = .id(0xb1)
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener)
    #expect(dialler.failure == .wrongBook(.book))
    #expect(listener.failure == .wrongBook(.id(0xb1)))
    #expect(anna.commits + bert.commits == 0)
  }

  @Test func `Refusal: a device of a former book learns which book it was merged into`() {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    anna.book = .id(0xb1)
    bert.formerBooks = [.id(0xb1)]
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener)
    #expect(dialler.failure == .joinedInto(.book))
    #expect(listener.failure == .wrongBook(.id(0xb1)))
  }

  @Test func `Session: a side without a book joins the book of the other side`() {
    let (anna, newcomer) = (SessionTests.anna(), MemoryHolder(.bert, book: nil))
    var (dialler, listener) = (Talker(.dialler, newcomer), Talker(.listener, anna))
    syncOutcome(&dialler, &listener)
    #expect(newcomer.frontier == anna.frontier)
    #expect(dialler.report.peerHello?.book == .book)
  }

  @Test func `Refusal: a frame with a wrong head ends the session`() throws {
    let forger = SessionTests.anna()
    var frames: [[UInt8]] = []
    try forger.forEachFrame(of: .anna, lackedBy: forger.place(of: "a2", in: .anna)) { (frame) in
      frames.append(frame)
    }
    frames[0][frames[0].count - 1] ^= 1
    let (error, last) = try Self.answer(to: Session.message(frames[0], of: .anna))
    #expect(error == .journal(.wrongHead(.anna, sequence: 4)))
    #expect(last == .refusal(Refusal(.brokenMessage, "a frame is not valid")))
  }

  @Test func `Refusal: corrupted streams leave the listener's own log intact`() throws {
    var state: UInt64 = 7
    func byte() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
    var (dialler, listener) = (
      Talker(.dialler, SessionTests.anna()), Talker(.listener, SessionTests.bert())
    )
    let said = syncOutcome(&dialler, &listener).dialler
    for _ in 0..<2_000 {
      var bytes = said
      for _ in 0..<(1 + Int(byte() % 4)) {
        let place = (Int(byte()) << 8 | Int(byte())) % bytes.count
        bytes[place] = byte()
      }
      let bert = SessionTests.bert()
      var other = Talker(.listener, bert)
      other.hear(bytes)
      #expect(bert.texts(of: .bert) == ["b1", "b2", "b3"])
    }
  }
}

extension RefusalTests {
  @Test func `Frontier: only part of an oversized frontier is sent`() throws {
    let hash = Digest([UInt8](repeating: 7, count: 32))
    let islands = (1...2_000).map { UInt64($0) << 40...UInt64($0) << 40 + 1 }
    let places = (0..<5_000).map { number in
      Place(
        log: UniqueID(high: 0, low: number), sequence: 9, hash: hash, islands: islands)
    }
    var reader = MessageReader()
    reader.append(Message.end(Frontier(places)).encoded)
    guard case .end(let told)? = try reader.next() else {
      Issue.record("no end")
      return
    }
    #expect(told.places.map(\.log) == places.prefix(4_096).map(\.log))
    #expect(told.places[0].islands == Array(islands.prefix(1_024)))
    #expect(told.places[64].islands == [])
  }

  @Test(arguments: [(64, 1_024), (65, 1), (1_000, 1_024)])
  func `Refusal: a frontier with too many ranges is refused`(
    placeCount: Int, lastCount: UInt64
  ) throws {
    var writer = CBORWriter()
    writer.raw([0, 0, 0, 0, 0x82, 2])
    writer.arrayHeader(placeCount)
    for number in 1...UInt64(placeCount) {
      writer.arrayHeader(4)
      writer.uniqueID(UniqueID(high: 0, low: number))
      writer.unsigned(0)
      writer.digest(Digest([UInt8](repeating: 7, count: 32)))
      let count = number == UInt64(placeCount) ? lastCount : 1_024
      writer.arrayHeader(Int(count))
      for island in 1...count {
        writer.raw([0x82])
        writer.unsigned(2 * island)
        writer.unsigned(2 * island)
      }
    }
    var bytes = writer.bytes
    let length = bytes.count - 4
    for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place)) }
    var reader = MessageReader()
    reader.append(bytes)
    guard placeCount > 64 else {
      guard case .end(let told)? = try reader.next() else { Issue.record("no end"); return }
      #expect(told.places.map(\.islands.count) == Array(repeating: 1_024, count: 64))
      return
    }
    #expect(throws: SyncError.message(.limit, at: 0)) { try reader.next() }
  }
}
