import Bytes
import Domain
import Testing

@Suite struct SourceTests {
  private let text = "4c8cbbc2-93e5-4e3c-8b8f-0a0b0c0d0e0f"

  @Test func `Source: a lower-case UUID is stored as bytes and reads back as text`() {
    let source = Source(uidText: text)
    let id = UniqueID(high: 0x4c8c_bbc2_93e5_4e3c, low: 0x8b8f_0a0b_0c0d_0e0f)
    #expect(source == Source(uid: id))
    #expect(source.uid.text == text)
    #expect(source.value == .bytes(id.bytes))
    #expect(Source(.text(text)) == source)
  }

  @Test(arguments: [
    "4C8CBBC2-93e5-4e3c-8b8f-0a0b0c0d0e0f", "4c8cbbc293e54e3c8b8f0a0b0c0d0e0f", "", "42",
    "4c8cbbc2-93e5-4e3c-8b8f-0a0b0c0d0e0", "4c8cbbc29-3e5-4e3c-8b8f-0a0b0c0d0e0f",
  ])
  func `Source: any other uid remains text`(uid: String) {
    #expect(Source(uidText: uid).uid == .text(uid))
    #expect(Source(uidText: uid).uid.text == uid)
  }

  @Test func `Source: converting it to a value and back keeps it`() {
    let sources = [
      Source(uidText: "a"), Source(importer: 3, uidText: "a"), Source(importer: 3, uidText: text),
    ]
    #expect(sources.map { Source($0.value) } == sources)
  }

  @Test func `Source: strings that only look equal are different sources`() {
    #expect(Source(uidText: "\u{E9}") != Source(uidText: "e\u{301}"))
  }

  @Test(arguments: [
    Value.null, .integer(3), .bytes([1, 2]), .other([]), .other([0x82, 0x00]),
    .other([0x82, 0x00, 0x01]), .other([0x83, 0x00, 0x61, 0x61, 0x00]),
  ])
  func `Source: a value of a different shape is refused`(value: Value) {
    #expect(Source(value) == nil)
  }
}
