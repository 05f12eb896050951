import Bytes
import Domain
import Interchange
import Testing

struct OperationReadingTests {
  private func read(_ line: String) throws(OperationFault) -> Operation {
    try Operation(line: Array(line.utf8))
  }

  @Test func `Operation reading: a log line from another program is read with its author`() throws {
    let line = """
      {"t": 1348793025000, "author": "A. Keeper", "op": "add", "kind": "birthday", "id": "A000001",
       "firstName": "Ada", "lastName": "Lovelace", "birthdate": "1815-12-10"}
      """
    let date = try CivilDate(year: 1815, month: 12, day: 10)
    let expected = Operation(
      .add, .birthday, id: "A000001", time: 1_348_793_025_000,
      [
        .init(Field.Birthday.firstName, .value(.text("Ada"))),
        .init(Field.Birthday.lastName, .value(.text("Lovelace"))),
        .init(Field.Birthday.birthdate, .value(.date(date))),
      ], provenance: [.init("author", "A. Keeper")])
    #expect(try read(line) == expected)
    #expect(try read(line + "\r\n") == expected)
  }

  @Test func `Operation reading: references become source ids and the replica number is dropped`()
    throws
  {
    let todo = try read(
      #"{"t":5,"replica":0,"op":"add","kind":"todo","id":"x","list":"l","title":"Tea","priority":2}"#
    )
    #expect(
      todo
        == Operation(
          .add, .todo, id: "x", time: 5,
          [
            .init(Field.Todo.list, .source("l")), .init(Field.Todo.title, .value(.text("Tea"))),
            .init(Field.Todo.priority, .value(.integer(2))),
          ]))
    let choice = try read(#"{"op":"add","kind":"choice","id":"c","question":"q","name":"Rice"}"#)
    #expect(choice.assignments.first == .init(.owner, .source("q")))
  }

  private static let forms: [(String, String, Field, Value)] = [
    ("list", ##""color":"#00ff7F""##, Field.List.colour, Value.integer(0x00FF7F)),
    ("list", ##""colour":"#000000""##, Field.List.colour, .integer(0)),
    ("todo", #""priority":"high""#, Field.Todo.priority, .integer(2)),
    ("todo", #""priority":0"#, Field.Todo.priority, .integer(0)),
    ("todo", #""completedAt":1500"#, Field.Todo.completedAt, .integer(1500)),
    ("todo", #""completedAt":"1970-01-01T00:00:01.5Z""#, Field.Todo.completedAt, .integer(1500)),
    ("todo", #""createdAt":"1969-12-31T23:59:59Z""#, Field.Todo.createdAt, .integer(-1000)),
    ("todo", #""due":null"#, Field.Todo.due, .null),
    ("todo", #""due":"""#, Field.Todo.due, .null),
    ("todo", #""title":" Tea ""#, Field.Todo.title, .text("Tea")),
    ("todo", #""tags":["a","b"]"#, .tags, .texts(["a", "b"])),
    ("todo", #""note":"soon""#, .note, .text("soon")),
    ("birthday", #""birthdate":"--12-10""#, Field.Birthday.birthdate, .integer(12 * 32 + 10)),
    ("birthday", #""birthdate":"1815-12""#, Field.Birthday.birthdate, .integer(1815 * 512 + 384)),
    ("birthday", #""leapRule":"march1""#, Field.Birthday.leapRule, .integer(1)),
    ("birthday", #""extra":{}"#, .extra, .null),
    ("pick", #""draw":"00ff""#, Field.Pick.draw, .bytes([0, 255])),
  ]

  @Test(arguments: forms)
  func `Operation reading: each field type is read from its JSON form`(
    kind: String, member: String, field: Field, value: Value
  ) throws {
    let operation = try read(#"{"op":"edit","kind":"\#(kind)","id":"x","set":{\#(member)}}"#)
    #expect(operation.assignments == [.init(field, .value(value))])
  }

  @Test func `Operation reading: a map of strings is encoded in byte order of its keys`() throws {
    let operation = try read(
      #"{"op":"edit","kind":"list","id":"x","set":{"extra":{"zz":"1","a":"2"}}}"#)
    let encoded: [UInt8] = [0xA2, 0x61, 0x61, 0x61, 0x32, 0x62, 0x7A, 0x7A, 0x61, 0x31]
    #expect(operation.assignments == [.init(.extra, .value(.other(encoded)))])
  }

  @Test
  func `Operation reading: other keys become provenance, encoded as JSON unless they are strings`()
    throws
  {
    let operation = try read(
      #"{"op":"delete","kind":"list","id":"x","n":[1,{"a":true}],"by":"me","no":null,"name":"y"}"#)
    #expect(
      operation
        == Operation(
          .delete, .list, id: "x",
          provenance: [.init("n", #"[1,{"a":true}]"#), .init("by", "me"), .init("name", "y")]))
  }

  @Test func `Operation reading: a reason is stored with the event`() throws {
    let operation = try read(
      #"{"op":"restore","kind":"list","id":"x","t":"1970-01-01T00:00:00Z","because":" so "}"#)
    #expect(operation == Operation(.restore, .list, id: "x", time: 0, because: "so"))
  }

  private static let badLines: [(String, OperationFault)] = [
    ("", OperationFault.notJSON(.unexpectedEnd)),
    ("{", .notJSON(.unexpectedEnd)),
    ("[]", .notAnObject),
    ("{}", .missing("op")),
    (#"{"op":null}"#, .missing("op")),
    (#"{"op":3}"#, .badKey("op")),
    (#"{"op":"merge"}"#, .unknownOperation("merge")),
    (#"{"op":"add"}"#, .missing("kind")),
    (#"{"op":"add","kind":"cat","id":"x"}"#, .unknownKind("cat")),
    (#"{"op":"add","kind":"todo"}"#, .missing("id")),
    (#"{"op":"add","kind":"todo","id":""}"#, .badKey("id")),
    (#"{"op":"add","kind":"todo","id":7}"#, .badKey("id")),
    (#"{"op":"edit","kind":"todo","id":"x"}"#, .missing("set")),
    (#"{"op":"edit","kind":"todo","id":"x","set":[]}"#, .badKey("set")),
    (#"{"op":"delete","kind":"todo","id":"x","set":{}}"#, .badKey("set")),
    (#"{"op":"edit","kind":"todo","id":"x","set":{"titel":"y"}}"#, .unknownField(.todo, "titel")),
    (#"{"op":"add","kind":"todo","id":"x","t":1.5}"#, .badTime),
    (#"{"op":"add","kind":"todo","id":"x","t":"today"}"#, .badTime),
    (#"{"op":"add","kind":"todo","id":"x","t":9223372036854775807}"#, .badTime),
    (
      ##"{"op":"add","kind":"list","id":"x","color":"#000000","colour":"#000000"}"##,
      .repeated("colour")
    ),
    (
      #"{"op":"add","kind":"todo","id":"x","title":5}"#,
      .badValue(.todo, "title", .value(.wrongType(.text(maximumBytes: Schema.Limit.titleBytes))))
    ),
    (
      #"{"op":"add","kind":"todo","id":"x","priority":3}"#,
      .badValue(.todo, "priority", .value(.outOfRange(0...2)))
    ),
    (
      #"{"op":"add","kind":"todo","id":"x","due":1035466}"#,
      .badValue(.todo, "due", .value(.wrongType(.date)))
    ),
    (
      #"{"op":"add","kind":"todo","id":"x","due":"soon"}"#,
      .badValue(.todo, "due", .date(.unreadable))
    ),
    (
      #"{"op":"add","kind":"todo","id":"x","tags":["a",1]}"#,
      .badValue(
        .todo, "tags",
        .value(
          .wrongType(
            .texts(maximumCount: Schema.Limit.tags, maximumBytes: Schema.Limit.tagBytes))))
    ),
    (
      ##"{"op":"add","kind":"list","id":"x","color":"#+12345"}"##,
      .badValue(.list, "color", .value(.wrongType(.colour)))
    ),
  ]

  @Test(arguments: badLines)
  func `Operation reading: a malformed line is refused with the reason`(
    line: String, fault: OperationFault
  ) {
    #expect(throws: fault) { try read(line) }
  }

  @Test
  func `Operation reading: a date that does not exist is refused, and its neighbours are reported`()
    throws
  {
    let fault = OperationFault.badValue(
      .birthday, "birthdate",
      .date(
        .noSuchDate(
          year: 2027, month: 2, day: 29, before: try CivilDate(year: 2027, month: 2, day: 28),
          after: try CivilDate(year: 2027, month: 3, day: 1))))
    #expect(throws: fault) {
      try read(#"{"op":"add","kind":"birthday","id":"x","birthdate":"2027-02-29"}"#)
    }
  }

  @Test func `Operation reading: lines, ids and provenance beyond their limits are refused`() {
    let long = String(repeating: "x", count: 1 << 20)
    #expect(throws: OperationFault.tooLong(maximumBytes: 1 << 20)) { try read(long + " ") }
    #expect(throws: OperationFault.badKey("id")) {
      try read(#"{"op":"add","kind":"todo","id":"\#(long.prefix(1025))"}"#)
    }
    #expect(throws: OperationFault.provenanceTooLong(maximumBytes: 65_536)) {
      try read(#"{"op":"delete","kind":"todo","id":"x","by":"\#(long.prefix(65_535))"}"#)
    }
  }
}
