import Testing

struct CodeReaderTests {
  static func code(of text: String) -> [String] {
    var reader = CodeReader()
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(decoding: reader.code(of: $0), as: UTF8.self) }
  }

  @Test(arguments: [
    ("let a = b / c", "let a = b / c"), ("a() // b()", "a() "), ("/// a", ""),
    ("a(\"b\", c)", "a(\"\", c)"), ("a(\"https://b\", c)", "a(\"\", c)"),
    ("a(\"b \\\" c\") + \"\"", "a(\"\") + \"\""), ("a(\"b \\(c) d\")", "a(\"\")"),
    ("a(\"b", "a(\"\""),
  ])
  func `Code: comments are removed and literals are emptied`(line: String, code: String) {
    #expect(Self.code(of: line) == [code])
  }

  @Test func `Code: a multi-line literal is removed and its lines are kept`() {
    let text = "a(\"\"\"\n  b \"c\" // d\n  \\\"\"\" e\n  \"\"\", f) // g\nh"
    #expect(Self.code(of: text) == ["a(\"\"", "", "", ", f) ", "h"])
  }

  @Test(arguments: [
    ("struct A: B {", Declaration(kind: .type, name: "A")),
    ("@frozen public final class A<B> {", Declaration(kind: .type, name: "A")),
    ("@available(*, unavailable) extension A.B {", Declaration(kind: .extending, name: "A.B")),
    ("package extension M::A {", Declaration(kind: .extending, name: "A")),
    ("typealias A = B", Declaration(kind: .alias, name: "A")),
    ("nonisolated(nonsending) func a() {", Declaration(kind: .function, name: "a")),
    ("override class func `a`() {", Declaration(kind: .function, name: "a")),
    ("private func a() {", Declaration(kind: .function, name: "a", isShared: false)),
    ("private(set) var a: Int", Declaration(kind: .stored, name: "a", isShared: false)),
    ("static var a: Int { 1 }", Declaration(kind: .computed, name: "a")),
    ("var a = { 1 }()", Declaration(kind: .stored, name: "a")),
    ("let a: Int", Declaration(kind: .stored, name: "a")),
    ("return a", nil), ("variable = 1", nil), ("case a", nil), ("extension [A] {", nil), ("}", nil),
  ])
  func `Declaration: the first line gives the kind and the name`(
    line: String, expected: Declaration?
  ) {
    #expect(Declaration(Array(line.utf8), indent: 0) == expected)
    #expect(Declaration(Array("  \(line)".utf8), indent: 2) == expected)
  }
}
