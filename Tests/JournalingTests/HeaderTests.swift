import Bytes
import Journaling
import Testing

@Suite struct HeaderTests {
  static let headers: [(Header, String)] = [
    (Header(delta: 0), "00"),
    (Header(delta: 1_000), "1903e8"),
    (Header(delta: 5, whenDelta: -1), "8205a10020"),
    (Header(delta: 5, more: 3), "8205a10203"),
    (Header(delta: 5, link: Reference(sequence: 7)), "8205a10307"),
    (Header(delta: 5, link: Reference(index: 1, sequence: 7)), "8205a103820107"),
    (
      Header(
        delta: 5,
        seen: [Seen(log: .index(2), sequence: 9, hash: UniqueID(high: 0, low: 1))]),
      "8205a1018183020950" + "00000000000000000000000000000001"
    ),
    (
      Header(
        delta: 0, whenDelta: 1,
        seen: [
          Seen(
            log: .introduced(UniqueID(high: 1, low: 2)), sequence: 9,
            hash: UniqueID(high: 0, low: 1), missing: [2...3, 5...5])
        ], more: 1, link: Reference(sequence: 1)),
      "8200a400010181845000000000000000010000000000000002095000000000000000000000000000000001"
        + "840202050102010301"
    ),
  ]

  @Test(arguments: headers)
  func `Event header: it is encoded and decoded as the protocol defines`(
    header: Header, hex: String
  ) throws {
    #expect(Hex.encode(header.encode()) == hex)
    let bytes = try #require(Hex.decode(hex))
    var reader = CBORReader(bytes.span)
    let read = try Header.decode(&reader)
    let isAtEnd = reader.isAtEnd
    #expect(read == header)
    #expect(isAtEnd)
  }

  static let refused: [String] = [
    "8205a0",  // empty extras
    "8205a10200",  // no event follows
    "8205a10180",  // no log is seen
    "8205a202010001",  // keys out of order
    "8205a200010001",  // a duplicate key
    "8205a10300",  // no event has number 0
    "8205a1018184020950000000000000000000000000000000018302020501",  // a range without its end
    "8205a101818402095000000000000000000000000000000001820209",  // a range beyond the end
    "8205a1018184020950000000000000000000000000000000018402010301",  // ranges that touch
    "8305a0a0",
    "20",
  ]

  @Test(arguments: refused)
  func `Event header: an invalid or non-canonical encoding is refused`(hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    #expect(throws: CBORError.self) {
      var reader = CBORReader(bytes.span)
      _ = try Header.decode(&reader)
    }
  }

  @Test func `Event header: fields of a newer version are skipped`() throws {
    let bytes = try #require(Hex.decode("8205a3020118636178" + "616101"))
    var reader = CBORReader(bytes.span)
    let header = try Header.decode(&reader)
    let isAtEnd = reader.isAtEnd
    #expect(header == Header(delta: 5, more: 1))
    #expect(isAtEnd)
  }
}

@Suite struct SegmentNameTests {
  @Test func `Segment name: it contains the first and the last event`() {
    #expect(SegmentName("000000000001-000000003400.gz") == .sealed(1...3_400))
    #expect(SegmentName("000000003401.gz") == .tail(3_401))
    #expect(SegmentName.sealed(1...3_400).string == "000000000001-000000003400.gz")
    #expect(SegmentName.tail(1_234_567_890_123).string == "1234567890123.gz")
  }

  @Test(arguments: [
    "", ".gz", "1.gz", "000000000000.gz", "000000000002-000000000001.gz", "000000000001",
    ".000000000001.gz.draft", "+00000000001.gz", "000000000001-.gz", "0000000000001.gz",
    "000000000001-000000000002-000000000003.gz", "99999999999999999999999.gz",
  ])
  func `Segment name: a malformed name is refused`(name: String) {
    #expect(SegmentName(name) == nil)
  }
}
