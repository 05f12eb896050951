import Bytes
import Domain
import Testing

@Suite struct BodyTests {
  static let own: UInt32 = 3

  /// In the author's table, log 7 has the index 0 and log 9 the index 40.
  private func index(of log: UInt32) -> UInt64? { log == 7 ? 0 : log == 9 ? 40 : nil }
  private func log(at index: UInt64) -> UInt32? { index == 0 ? 7 : index == 40 ? 9 : nil }

  private func decode(_ hex: String) throws(BodyError) -> Body? {
    let bytes = Hex.decode(hex) ?? []
    return try Body.decode(bytes.span, author: Self.own, resolving: log)
  }

  static let vectors: [(Body, String)] = [
    (
      Body(.add, .kind(.todo), [Write(Field.Todo.title, .text("Milk"))]), "84000205644d696c6b"
    ),
    (Body(.delete, .entity(EventKey(log: own, sequence: 5))), "820205"),
    (Body(.restore, .entity(EventKey(log: 9, sequence: 300))), "820382182819012c"),
    (
      Body(
        .alias, .entity(EventKey(log: own, sequence: 1)),
        [Write(.with, .reference(EventKey(log: 7, sequence: 2)))]), "84040105820002"
    ),
    (
      Body(
        .edit, .entity(EventKey(log: own, sequence: 24)),
        [
          Write(Field(rawValue: 5), .null), Write(Field(rawValue: 6), .boolean(true)),
          Write(Field(rawValue: 7), .integer(-1)), Write(Field(rawValue: 8), .bytes([1, 2])),
          Write(Field(rawValue: 9), .reference(EventKey(log: own, sequence: 4))),
          Write(Field(rawValue: -1), .texts(["a", "b"])),
          Write(Field(rawValue: 99), .other([0xA1, 0x61, 0x6B, 0x61, 0x76])),
        ]), "9001181805f606f50720084201020981042082616161621863a1616b6176"
    ),
  ]

  @Test(arguments: vectors)
  func `Body: it has only one encoding, which decodes to the same body`(
    body: Body, hex: String
  ) throws {
    #expect(Hex.encode(body.encode(referring: index)) == hex)
    #expect(try decode(hex) == body)
  }

  @Test(arguments: ["820501", "820901", "83084102", "a0", "a10058", "8218ff01"])
  func `Body: a body with an unknown verb is skipped`(hex: String) throws {
    #expect(try decode(hex) == nil)
  }

  @Test func `Body: a malformed body is refused with its fault`() {
    #expect(throws: BodyError.malformed) { try decode("80") }
    #expect(throws: BodyError.malformed) { try decode("8100") }
    #expect(throws: BodyError.malformed) { try decode("83000205") }
    #expect(throws: BodyError.malformed) { try decode("82028105") }
    #expect(throws: BodyError.unknownLog(index: 1)) { try decode("8202820105") }
    #expect(throws: BodyError.encoding(.trailing(at: 3))) { try decode("82020500") }
    #expect(throws: BodyError.encoding(.truncated(at: 2))) { try decode("820218") }
    #expect(throws: BodyError.encoding(.wrongType(expected: .unsigned, at: 2))) {
      try decode("820020")
    }
    #expect(throws: BodyError.encoding(.notShortest(at: 2))) { try decode("82021805") }
  }

  /// An empty array, an array of a different shape, an unknown log, a float, a tag, a number with more than 63 bits,
  /// and a source.
  static let unknownShapes = [
    "80", "83010203", "820105", "826161f6", "f93c00", "c100", "1bffffffffffffffff",
    "82026161", "820050000102030405060708090a0b0c0d0e0f", "f7", "e0",
  ]

  @Test(arguments: unknownShapes)
  func `Body: the bytes of a value of unknown shape are kept`(hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    let body = Body(.add, .kind(.todo), [Write(Field(rawValue: 50), .other(bytes))])
    #expect(try decode("8400021832" + hex) == body)
    #expect(Hex.encode(body.encode(referring: index)) == "8400021832" + hex)
  }

  @Test func `Body: an invalid value makes the body invalid`() {
    #expect(throws: BodyError.encoding(.unsortedKeys(at: 8))) {
      try decode("8400021832a20200" + "0100")
    }
    #expect(throws: BodyError.encoding(.invalidText(at: 5))) { try decode("840002183261ff") }
  }

  @Test func `Body: if a field is written twice, only the last write is kept`() throws {
    let writes = [Write(Field(rawValue: 6), .integer(1)), Write(.owner, .text("b"))]
    #expect(try decode("880002" + "018102" + "0601" + "016162") == Body(.add, .kind(.todo), writes))
    let excessive = "79" + "1001" + String(repeating: "61", count: 4097)
    let small = Body(.add, .kind(.todo), [Write(Field(rawValue: 5), .text("b"))])
    #expect(try decode("860002" + "056162" + "05" + excessive) == small)
  }

  @Test func `Body: an empty list of strings is encoded as null`() throws {
    let body = Body(.add, .kind(.todo), [Write(.tags, .texts([]))])
    #expect(Hex.encode(body.encode(referring: index)) == "84000203f6")
  }

  @Test func `Body: an encoded source decodes to the same source`() throws {
    for source in [
      Source(importer: 4, uidText: "card 17"),
      Source(uidText: "f81d4fae-7dec-41d0-a765-00a0c91e6bf6"), Source(uidText: "A000069"),
    ] {
      let body = Body(.add, .kind(.todo), [Write(.source, source.value)])
      let back = try decode(Hex.encode(body.encode(referring: index)))
      #expect(back == body)
      #expect(back?.writes.first.flatMap { Source($0.value) } == source)
    }
  }

  @Test func `Body: writes that the fold ignores take no space`() throws {
    var writer = CBORWriter()
    writer.arrayHeader(20_002)
    for number: UInt64 in [1, 24] { writer.unsigned(number) }
    for field in 5_000..<15_000 as Range<Int64> {
      writer.integer(field)
      writer.boolean(false)
    }
    let body = try #require(
      try Body.decode(writer.bytes.span, author: Self.own, resolving: log))
    #expect(body.writes.isEmpty)
    #expect(body.writes.capacity < 100)
  }

  @Test func `Body: fields without bytes count, and tags and alternatives count more`() {
    func body(_ field: Int64, _ value: Value) -> Body {
      Body(
        .edit, .entity(EventKey(log: Self.own, sequence: 5)),
        [Write(Field(rawValue: field), value)])
    }
    let fields: [Int64] = [-1, 5, 255, 256, 4_095, 65_536]
    #expect(fields.map { body($0, .boolean(false)).fieldBytes } == [16, 16, 16, 128, 128, 128])
    #expect(body(5, .null).heldBytes == 16)
    #expect(body(5, .text("abc")).heldBytes == 19)
    #expect(body(5, .texts(["", ""])).heldBytes == 48)
  }
}

@Suite struct ShortIDTests {
  static let ids = [
    UniqueID(high: 0, low: 0), UniqueID(high: .max, low: .max),
    UniqueID(high: 0x0123_4567_89AB_8DEF, low: 0x8123_4567_89AB_CDEF),
  ]

  @Test func `Short ID: letters encode the bits, beginning with the highest`() {
    #expect(ShortID.text(of: Self.ids[0]) == "aaaaaaaaaaaaaaaaaaaaaaaaaa")
    #expect(ShortID.text(of: Self.ids[1]) == "r9999999999999999999999998")
    // The bits are 0001 00100 01101 00010 …: 1 is b, and 4, 13 and 2 are e, p and c.
    #expect(ShortID.text(of: UniqueID(high: 0x1234_5000_0000_0000, low: 0), length: 4) == "bepc")
  }

  @Test(arguments: ids)
  func `Short ID: every prefix covers its id, and a whole id only itself`(id: UniqueID) throws {
    var previous: ClosedRange<UniqueID>?
    for length in 1...ShortID.length {
      let range = try #require(ShortID.parse(ShortID.text(of: id, length: length)))
      #expect(range.contains(id))
      if let previous {
        #expect(previous.contains(range.lowerBound) && previous.contains(range.upperBound))
      }
      previous = range
    }
    #expect(previous == id...id)
    #expect(ShortID.parse(id.uuid) == id...id)
    #expect(ShortID.parse(id.uuid.uppercased()) == id...id)
    #expect(ShortID.parse(ShortID.text(of: id).uppercased()) == id...id)
  }

  @Test func `Short ID: a prefix covers its whole range`() {
    #expect(
      ShortID.parse("b")
        == UniqueID(high: 1 << 60, low: 0)...UniqueID(high: 2 << 60 - 1, low: .max))
  }

  @Test(arguments: [
    "", "s", "2", "al", "a0", "a-", "aaaaaaaaaaaaaaaaaaaaaaaaab", "é",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-00000000000g",
  ])
  func `Short ID: a malformed prefix is refused`(text: String) {
    #expect(ShortID.parse(text) == nil)
  }

  @Test func `Short ID: two ids are distinguished by their first differing letter`() {
    let id = UniqueID(high: 0x1234_5000_0000_0000, low: 0)
    #expect(ShortID.lengthTelling(id, from: UniqueID(high: 0, low: 0)) == 1)
    #expect(ShortID.lengthTelling(id, from: UniqueID(high: 0x1235_0000_0000_0000, low: 0)) == 4)
    #expect(ShortID.lengthTelling(id, from: UniqueID(high: id.high, low: 1)) == 26)
    #expect(ShortID.lengthTelling(id, from: id) == 26)
    let letters = Array(ShortID.text(of: id))
    for bit in 0..<128 {
      let high = bit < 64 ? UInt64(1) << (63 - bit) : 0
      let low = bit < 64 ? 0 : UInt64(1) << (127 - bit)
      let other = UniqueID(high: id.high ^ high, low: id.low ^ low)
      let same = zip(letters, ShortID.text(of: other)).prefix { $0 == $1 }.count
      #expect(ShortID.lengthTelling(id, from: other) == same + 1)
    }
  }
}
