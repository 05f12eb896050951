import Bytes
import Testing

struct EscapingTests {
  @Test func `Escaping: a scalar is replaced even if a combining mark follows it`() {
    let text = "a\"b\"\u{301}c'\u{200D}d"
    #expect(text.replacing(scalars: ["\"": "\"\"", "'": ""]) == "a\"\"b\"\"\u{301}c\u{200D}d")
    #expect(text.contains(scalarOf: "'"))
    #expect(!text.contains(scalarOf: "`$"))
  }

  @Test(arguments: [
    ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), (#"a\'b"#, #"'a'\\''\''b'"#),
    ("x'\u{301};id;'\u{301}", "'x'\\''\u{301};id;'\\''\u{301}'"),
  ])
  func `Shell word: quotes and backslashes stand outside the quotes`(text: String, word: String) {
    #expect(Array(text.inSingleQuotes.utf8) == Array(word.utf8))
  }
}
