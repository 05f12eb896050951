import Bytes
import Testing

struct CBORReaderTests {
  @Test func `CBOR reader: items of every type are read in sequence`() throws {
    let id = UniqueID(high: 1, low: 2)
    let digest = Digest(0..<32 as Range<UInt8>)
    var writer = CBORWriter()
    writer.arrayHeader(3)
    writer.unsigned(500)
    writer.integer(-500)
    writer.integer(.min)
    writer.mapHeader(1)
    writer.boolean(true)
    writer.null()
    writer.undefined()
    writer.uniqueID(id)
    writer.digest(digest)
    writer.text("größer")
    writer.byteString([1, 2])
    writer.byteString(([3] as [UInt8]).span)
    writer.tag(24)
    writer.simple(99)
    writer.float(0.1)
    writer.raw([0x00])
    writer.raw(([0x01] as [UInt8]).span)

    let bytes = writer.bytes
    var reader = CBORReader(bytes.span)
    let head = (try reader.arrayHeader(), try reader.unsigned())
    #expect(head == (3, 500))
    let integers = [try reader.integer(), try reader.integer()]
    #expect(integers == [-500, .min])
    let flags = (try reader.mapHeader(), try reader.boolean())
    #expect(flags == (1, true))
    try reader.null()
    try reader.undefined()
    let names = (try reader.uniqueID(), try reader.digest())
    #expect(names == (id, digest))
    let strings = (try reader.text(), try reader.byteString(), try reader.byteString(count: 1))
    #expect(strings == ("größer", [1, 2], [3]))
    let rest = (try reader.tag(), try reader.simple(), try reader.float())
    #expect(rest == (24, 99, 0.1))
    let last = [try reader.unsigned(), try reader.unsigned()]
    #expect(last == [0, 1])
    try reader.finish()
    let end = (reader.offset, reader.isAtEnd)
    #expect(end == (bytes.count, true))
  }

  static let kinds: [(initial: UInt8, kind: CBORKind)] = [
    (0x00, .unsigned), (0x1b, .unsigned), (0x20, .negative), (0x40, .bytes), (0x60, .text),
    (0x80, .array), (0xa0, .map), (0xc0, .tag), (0xe0, .simple), (0xf3, .simple),
    (0xf4, .boolean), (0xf5, .boolean), (0xf6, .null), (0xf7, .undefined), (0xf8, .simple),
    (0xf9, .float), (0xfa, .float), (0xfb, .float),
  ]

  @Test(arguments: kinds)
  func `CBOR reader: the kind of the next item is returned without consuming it`(
    initial: UInt8, kind: CBORKind
  ) throws {
    let bytes = [initial]
    let reader = CBORReader(bytes.span)
    let found = try reader.peek()
    let offset = reader.offset
    #expect(found == kind)
    #expect(offset == 0)
  }

  @Test func `CBOR reader: an item of the wrong type is refused`() {
    let bytes: [UInt8] = [0x00, 0x60]
    #expect(throws: CBORError.wrongType(expected: .text, at: 0)) {
      var reader = CBORReader(bytes.span)
      _ = try reader.text()
    }
    #expect(throws: CBORError.wrongType(expected: .unsigned, at: 1)) {
      var reader = CBORReader(bytes.span, at: 1)
      _ = try reader.integer()
    }
    #expect(throws: CBORError.wrongType(expected: .boolean, at: 0)) {
      var reader = CBORReader(bytes.span)
      _ = try reader.boolean()
    }
    #expect(throws: CBORError.wrongType(expected: .null, at: 0)) {
      var reader = CBORReader(bytes.span)
      try reader.null()
    }
    #expect(throws: CBORError.wrongType(expected: .undefined, at: 0)) {
      var reader = CBORReader(bytes.span)
      try reader.undefined()
    }
    #expect(throws: CBORError.wrongType(expected: .simple, at: 0)) {
      var reader = CBORReader(bytes.span)
      _ = try reader.simple()
    }
    #expect(throws: CBORError.wrongType(expected: .float, at: 1)) {
      var reader = CBORReader(bytes.span, at: 1)
      _ = try reader.float()
    }
    #expect(throws: CBORError.truncated(at: 2)) {
      var reader = CBORReader(bytes.span, at: 2)
      try reader.null()
    }
  }

  @Test(arguments: ["1b8000000000000000", "3b8000000000000000"])
  func `CBOR reader: an integer of more than 63 bits is out of range`(hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    #expect(throws: CBORError.outOfRange(at: 0)) {
      var reader = CBORReader(bytes.span)
      _ = try reader.integer()
    }
  }

  @Test func `CBOR reader: an id or digest with the wrong length is refused`() {
    let bytes = CBORValue.encode(.bytes([UInt8](repeating: 0, count: 17)))
    #expect(throws: CBORError.wrongLength(expected: 16, at: 0)) {
      var reader = CBORReader(bytes.span)
      _ = try reader.uniqueID()
    }
    #expect(throws: CBORError.wrongLength(expected: 32, at: 0)) {
      var reader = CBORReader(bytes.span)
      _ = try reader.digest()
    }
  }

  @Test func `CBOR reader: ranges of strings cover their content`() throws {
    let bytes: [UInt8] = [0x43, 1, 2, 3, 0x62, 0xc3, 0xbc]
    var reader = CBORReader(bytes.span)
    let ranges = [try reader.byteStringRange(), try reader.textRange()]
    #expect(ranges == [1..<4, 5..<7])
    #expect(throws: CBORError.invalidText(at: 0)) {
      let broken: [UInt8] = [0x61, 0xff]
      var reader = CBORReader(broken.span)
      _ = try reader.textRange()
    }
  }

  @Test func `CBOR writer: it starts again after it is emptied`() {
    var writer = CBORWriter()
    writer.text("old")
    writer.removeAll(keepingCapacity: true)
    writer.null()
    #expect(writer.bytes == [0xf6])
  }
}
