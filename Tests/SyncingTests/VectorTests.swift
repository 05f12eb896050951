import Bytes
import Journaling
import Syncing
import Testing

/// The messages of protocol.md, byte for byte.
struct VectorTests {
  static let hash = Digest([UInt8](repeating: 0xaa, count: 32))
  static let anna = "50" + "01" + String(repeating: "00", count: 15)
  static let digest = "5820" + String(repeating: "aa", count: 32)

  static let vectors: [(name: String, message: Message, hex: String)] = [
    ("end", .end(.nothing), "00000003" + "820280"),
    (
      "end with new places", .end(Frontier([Place(log: .anna, sequence: 24, hash: hash)])),
      "00000039" + "820281" + "83" + anna + "1818" + digest
    ),
    ("alive", .alive, "00000002" + "8106"),
    ("asking", .asking, "00000002" + "8107"),
    ("frame", .frame(log: .anna, [1, 2]), "00000016" + "8301" + anna + "420102"),
    ("refusal", .refusal(Refusal(.busy, "no")), "00000006" + "830405" + "626e6f"),
    ("have without places", .have(.nothing, ends: 0), "00000004" + "83038000"),
    (
      "a hole",
      .have(
        Frontier([Place(log: .anna, sequence: 24, hash: hash, islands: [26...30])]), ends: 3),
      "00000040" + "830381" + "84" + anna + "1818" + digest + "8182181a181e" + "03"
    ),
    (
      "prove", .prove(Proof(code: hash, name: "phone", port: 7_771)),
      "0000002d" + "8405" + digest + "6570686f6e65" + "191e5b"
    ),
    (
      "prove without a port", .prove(Proof(code: hash, name: "p", port: nil)),
      "00000027" + "8405" + digest + "6170" + "f6"
    ),
    (
      "hello",
      .hello(
        Hello(
          book: nil, formerBooks: [.anna], replica: .anna, frontier: .nothing,
          incarnation: .anna)),
      "0000003b" + "89000101f6" + "81" + anna + anna + "80" + anna + "f4"
    ),
    (
      "hello of a side that stays connected",
      .hello(
        Hello(book: .anna, replica: .anna, frontier: .nothing, incarnation: .anna, stays: true)),
      "0000003a" + "89000101" + anna + "80" + anna + "80" + anna + "f5"
    ),
  ]

  @Test(arguments: vectors)
  func `Test vectors: each message has exactly the documented bytes`(
    name: String, message: Message, hex: String
  ) throws {
    #expect(Hex.encode(message.encoded) == hex)
    var reader = MessageReader()
    reader.append(message.encoded)
    #expect(try reader.next() == message)
    #expect(!reader.isInside)
  }

  @Test func `Test vectors: a directory file name has only one spelling`() throws {
    let digest = String(repeating: "0f", count: 16)
    let name = "000000000001-000000003400-\(digest).gz"
    let parsed = try #require(DirectoryName(name))
    #expect(parsed.events == 1...3_400)
    #expect(parsed.string == name)
    let wrong = [
      "1-3400-\(digest).gz", "000000000000-000000003400-\(digest).gz",
      "000000003400-000000000001-\(digest).gz", "000000000001-000000003400-\(digest)",
      "+00000000001-000000003400-\(digest).gz",
      "000000000001-9223372036854775807-\(digest).gz", "000000000001-000000003400.gz", "../x.gz",
      "",
    ]
    #expect(wrong.compactMap { DirectoryName($0) } == [])
  }
}
