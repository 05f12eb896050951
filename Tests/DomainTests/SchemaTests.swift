import Bytes
import Domain
import Testing

@Suite struct SchemaTests {
  @Test func `Schema: kinds, fields and options match the design and version`()
    throws
  {
    #expect(Schema.version == 5)
    let names = Schema.kinds.map { kind in
      "\(kind.kind.rawValue) \(kind.name) \(kind.plural): "
        + kind.fields.map { "\($0.field.rawValue) \($0.optionName)" }.joined(separator: ", ")
    }
    let common = ", 2 note, 3 tags, 4 extra"
    #expect(
      names == [
        "0 birthday birthdays: 5 first-name, 6 last-name, 7 birthdate, 8 leap-rule, 9 lead"
          + common,
        "1 list lists: 5 name, 6 colour" + common,
        "2 todo todos: 5 title, 6 list, 7 done, 8 completed-at, 9 priority, 10 created-at, 11 due, "
          + "12 position, 13 time, 14 due-zone, 15 start, 16 repeat, 17 until, 18 slot, 19 closed-on, "
          + "20 cancelled, 21 remind, 22 under, 1 series"
          + common,
        "3 question questions: 5 content" + common,
        "4 choice choices: 1 question, 5 name, 6 weight" + common,
        "5 pick picks: 1 question, 5 choice, 6 draw" + common,
      ])
  }

  @Test
  func `Schema: every kind and field is found by number, name and option`() {
    for kind in Schema.kinds {
      #expect(Schema.schema(of: kind.kind)?.name == kind.name)
      #expect(Schema.schema(named: kind.name)?.kind == kind.kind)
      #expect(Schema.schema(named: kind.plural)?.kind == kind.kind)
      for field in kind.fields {
        #expect(kind.field(named: field.name)?.field == field.field)
        #expect(kind.field(forOption: field.optionName)?.field == field.field)
        #expect(Schema.field(field.field, of: kind.kind)?.name == field.name)
      }
      let parents = kind.fields.map(\.field).filter { $0.namesParent(in: kind.kind) }
      #expect(kind.parentField.map(\.field) == parents.first)
    }
    #expect(Schema.schema(named: "Todo") == nil)
  }

  static let admitted: [(FieldType, Value, Value)] = [
    (.text(maximumBytes: 4), .text(" \u{3000}ab\n"), .text("ab")),
    (.text(maximumBytes: 4), .text(" \t\u{A0}"), .null),
    (.text(maximumBytes: 4), .null, .null),
    (.texts(maximumCount: 2, maximumBytes: 2), .texts([" a", " "]), .texts(["a"])),
    (.texts(maximumCount: 2, maximumBytes: 2), .texts([]), .null),
    (.priority, .integer(2), .integer(2)), (.colour, .integer(0xFF_FFFF), .integer(0xFF_FFFF)),
    (.date, .integer(12 * 32 + 10), .integer(12 * 32 + 10)),
    (
      .map(maximumBytes: 9), .other([0xA1, 0x61, 0x6B, 0x61, 0x76]),
      .other([0xA1, 0x61, 0x6B, 0x61, 0x76])
    ),
    (.map(maximumBytes: 9), .other([0xA0]), .null),
  ]

  @Test(arguments: admitted)
  func `Schema: values are trimmed, and empty ones become null`(
    type: FieldType, value: Value, expected: Value
  ) throws {
    #expect(try type.admit(value) == expected)
  }

  static let refused: [(FieldType, Value, ValueFault)] = [
    (.text(maximumBytes: 4), .text("áéí"), .tooLong(maximumBytes: 4)),
    (.texts(maximumCount: 1, maximumBytes: 2), .texts(["a", "b"]), .tooMany(maximumCount: 1)),
    (.texts(maximumCount: 1, maximumBytes: 2), .texts(["abc"]), .tooLong(maximumBytes: 2)),
    (.priority, .integer(3), .outOfRange(0...2)), (.leapRule, .integer(-1), .outOfRange(0...1)),
    (.date, .integer(0), .notADate), (.boolean, .integer(1), .wrongType(.boolean)),
    (.bytes(maximumBytes: 1), .bytes([1, 2]), .tooLong(maximumBytes: 1)),
    (.map(maximumBytes: 9), .other([0xA1, 0x61, 0x6B, 0x01]), .wrongType(.map(maximumBytes: 9))),
    (.map(maximumBytes: 9), .other([0xFF]), .wrongType(.map(maximumBytes: 9))),
    (.text(maximumBytes: 4), .integer(1), .wrongType(.text(maximumBytes: 4))),
  ]

  @Test(arguments: refused)
  func `Schema: a value that does not fit is refused with its fault`(
    type: FieldType, value: Value, fault: ValueFault
  ) {
    #expect(throws: fault) { try type.admit(value) }
  }
}
