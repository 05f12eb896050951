import Bytes
import Testing

struct JSONTests {
  @Test func `JSON: parsed text is written unchanged`() throws {
    let text =
      #"{"t":1348793025000,"op":"add","set":{"name":"Zoë \"Z\"\n","w":[1,-2,2.5,true,null]}}"#
    #expect(try JSON(parsing: Array(text.utf8)).text() == text)
  }

  @Test func `JSON: members keep their order and are found by name`() throws {
    let value = try JSON(parsing: Array(#"{"b": 1, "a": "x"}"#.utf8))
    #expect(value == .object(("b", 1), ("a", "x")))
    #expect(value["a"] == "x")
    #expect(value["c"] == nil)
  }

  @Test func `JSON: escapes are decoded to the characters they represent`() throws {
    let value = try JSON(parsing: Array(#""\u00e9\ud83c\udf82\/\t\u0041""#.utf8))
    #expect(value == "é🎂/\tA")
  }

  @Test func `JSON: indented text has two spaces for each level`() {
    let value = JSON.object(("a", .array([1, 2])), ("b", .object([])))
    #expect(value.text(indented: true) == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}")
  }

  static let refused: [(String, JSONError)] = [
    ("", .unexpectedEnd),
    ("{", .unexpectedEnd),
    ("[1,]", .unexpected(at: 3)),
    ("01", .invalidNumber(at: 0)),
    ("-", .invalidNumber(at: 0)),
    ("1.", .invalidNumber(at: 0)),
    ("1e999", .invalidNumber(at: 0)),
    ("\"\u{1}\"", .invalidText(at: 1)),
    (#""\x""#, .invalidText(at: 2)),
    (#""\ud800""#, .invalidText(at: 1)),
    (#"{"a":1,"a":2}"#, .duplicateName("a")),
    ("1 2", .unexpected(at: 2)),
    ("nul", .unexpectedEnd),
    ("nulx", .unexpected(at: 3)),
    ("{1:2}", .unexpected(at: 1)),
    (#"{"a" 1}"#, .unexpected(at: 5)),
    ("[1 2]", .unexpected(at: 3)),
    (#""a"#, .unexpectedEnd),
    (#""a\"#, .unexpectedEnd),
    (#""\u00"#, .unexpectedEnd),
    (#""\u00zz""#, .invalidText(at: 5)),
    (#""\ud83c\u0041""#, .invalidText(at: 1)),
    // If there are many members, their names are looked up in a different way.
    ("{\((0..<20).map { "\"\($0)\":0" }.joined(separator: ",")),\"19\":0}", .duplicateName("19")),
    (String(repeating: "[", count: 200), .tooDeep(at: 65)),
  ]

  @Test(arguments: refused) func `JSON: invalid text is refused with its error`(
    text: String, error: JSONError
  ) {
    #expect(throws: error) { try JSON(parsing: Array(text.utf8)) }
  }

  @Test func `JSON: bytes that are not UTF-8 are refused`() {
    #expect(throws: JSONError.invalidText(at: 0)) { try JSON(parsing: [0x22, 0xff, 0x22]) }
    // The same applies if an escape precedes the invalid byte.
    #expect(throws: JSONError.invalidText(at: 0)) {
      try JSON(parsing: [0x22, 0x5c, 0x6e, 0xff, 0x22])
    }
  }
}
