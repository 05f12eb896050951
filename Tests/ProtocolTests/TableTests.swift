import Bytes
import Domain
import Foundation
import Gzip
import Journaling
import Testing

@Suite struct TableTests {
  @Test func `Protocol table: verbs match the code`() throws {
    var written: [UInt64: String] = [:]
    for row in try ProtocolText.tableRows("### 3.1 Bodies") {
      let number: UInt64 = try #require(UInt64(row[1]))
      written[number] = row[0]
    }
    var known: [UInt64: String] = [:]
    for number: UInt64 in 0..<64 {
      if let verb = Verb(rawValue: number) { known[number] = "\(verb)" }
      guard let verb = JournalVerb(rawValue: number) else { continue }
      #expect(known[number] == nil, "\(number) is taken twice")
      known[number] = "\(verb)"
    }
    #expect(written == known)
  }

  @Test func `Protocol table: reserved verbs match the code`() throws {
    let text = try ProtocolText.section("### 3.1 Bodies").joined(separator: " ")
    let taken = Set(
      (0..<64).filter { Verb(rawValue: $0) != nil || JournalVerb(rawValue: $0) != nil })
    let reserved = [JournalVerb.domain, JournalVerb.trust, JournalVerb.markers].map { range in
      let free = range.filter { !taken.contains($0) }
      return "\(free.first ?? 0)–\(free.last ?? 0)"
    }
    #expect(
      text.contains(
        "\(reserved[0]) are reserved for the domain, \(reserved[1]) for trust and "
          + "\(reserved[2]) for markers"))
  }

  /// A kind and its own fields, from a row of the table.
  struct Row: Hashable {
    var name: String
    var number: UInt64
    var fields: [String]
  }

  @Test func `Protocol table: kinds and their own fields match the code`() throws {
    let written = try ProtocolText.tableRows("### 3.2 Kinds and fields").map { row in
      Row(
        name: row[0], number: try #require(UInt64(row[1])),
        fields: row[2].components(separatedBy: " · ").filter { !$0.hasPrefix("owner") })
    }
    let known = Schema.kinds.map { kind in
      let own = kind.fields.filter { $0.field.rawValue >= 5 }
      return Row(
        name: kind.name, number: kind.kind.rawValue,
        fields: own.map { "\($0.field.rawValue) \($0.name) \(Self.word(for: $0))" })
    }
    #expect(written == known)
  }

  @Test func `Protocol table: exactly the kinds with an owner name the owner's kind`() throws {
    for row in try ProtocolText.tableRows("### 3.2 Kinds and fields") {
      let owner = Schema.schema(named: row[0])?.field(.owner)
      #expect(row[2].hasPrefix("owner: ") == (owner != nil), "\(row[0])")
    }
  }

  @Test func `Protocol table: fields of every kind match the code`() throws {
    let text = try ProtocolText.section("### 3.2 Kinds and fields").joined(separator: " ")
    let named: [(Field, String)] = [
      (.source, "source"), (.owner, "owner"), (.note, "note"), (.tags, "tags"),
      (.extra, "extra"), (.provenance, "provenance"), (.because, "because"),
    ]
    for (field, name) in named {
      let number = "\(field.rawValue)".replacing("-", with: "−")
      #expect(text.contains(" \(number) *\(name)*"))
      guard field.rawValue > 1 else { continue }
      #expect(Schema.kinds.allSatisfy { $0.field(field)?.name == name })
    }
    // The alias contains the other entity where its own fields would begin.
    #expect(Field.with.rawValue == 5)
  }

  private static func word(for field: FieldSchema) -> String {
    switch field.type {
    case .text: "text"
    case .texts: "texts"
    case .tag: "text or false"
    case .integer(let range): range.lowerBound == 0 ? "int ≥ 0" : "int"
    case .boolean: "bool"
    case .date: "date"
    case .instant: "instant"
    case .reference: "reference"
    case .colour: "(0xRRGGBB)"
    case .priority: "(0 low, 1 normal, 2 high)"
    case .leapRule: "(0 = 28 February, 1 = 1 March)"
    case .minute: "minute"
    case .repeatRule: "rule"
    case .bytes: "bytes"
    case .map: "map"
    }
  }

  /// The constants outside `Limit.swift` that a reader or writer must know.
  static let scattered: [String: Int] = [
    "nesting": CBORReader.nestingLimit, "ratioFreeCount": GzipMember.ratioFreeCount,
    "ratioLimit": GzipMember.ratioLimit, "titleBytes": Schema.Limit.titleBytes,
    "noteBytes": Schema.Limit.noteBytes, "tags": Schema.Limit.tags,
    "tagBytes": Schema.Limit.tagBytes, "mapBytes": Schema.Limit.mapBytes,
    "drawBytes": Schema.Limit.drawBytes, "otherBytes": Schema.Limit.otherBytes,
    "lastField": Int(Field.last.rawValue), "weight": Int(Schema.Limit.weight),
    "disputedMarks": Schema.Limit.disputedMarks, "settlers": Schema.Limit.settlers,
  ]

  @Test(arguments: [
    ("Journaling/Format", "## 13. Limits", scattered),
    ("Syncing/Session", "### 13.1 Limits of syncing", [:]),
  ])
  func `Protocol table: limits match the code`(
    folder: String, heading: String, others: [String: Int]
  ) throws {
    let known = try Self.limits(in: folder).merging(others) { first, _ in first }
    var written: [String: Int] = [:]
    for row in try ProtocolText.tableRows(heading) {
      #expect(written[row[0]] == nil, "\(row[0]) is there twice")
      let value: Int = try #require(Int(row[1].filter { $0 != "," }))
      written[row[0]] = value
    }
    #expect(written == known)
  }

  /// All constants of `Limit.swift` in a folder, parsed from the source text.
  private static func limits(in folder: String) throws -> [String: Int] {
    let path = ProtocolText.root.appending(path: "Sources/\(folder)/Limit.swift")
    let text = try String(contentsOf: path, encoding: .utf8)
    var limits: [String: Int] = [:]
    for match in text.matches(of: /static let (\w+)(?:: \w+)? = ([0-9_]+)(?: << ([0-9]+))?\n/) {
      let number = try #require(Int(match.2.filter { $0 != "_" }))
      limits[String(match.1)] = number << (match.3.flatMap { Int($0) } ?? 0)
    }
    try #require(limits.count == text.matches(of: /static let/).count)
    return limits
  }
}
