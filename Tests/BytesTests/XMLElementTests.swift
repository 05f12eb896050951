import Bytes
import Testing

struct XMLElementTests {
  private func parse(_ text: String) throws(XMLError) -> XMLElement {
    try XMLElement(parsing: Array(text.utf8))
  }

  @Test func `XML: elements, text and references are read, and everything else is dropped`() throws
  {
    let text = """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
      <!-- a comment -->
      <s3:List xmlns:s3='http://example.com/>'>
        <Key a="1" b='"'>a&lt;b&gt;&amp;&#x41;&#66;<!-- - --><![CDATA[<&]]></Key><Empty/>
        <Outer><Inner>ü</Inner></Outer>
      </s3:List>
      <!-- the end -->

      """
    var list = try parse(text)
    list.text = ""
    #expect(
      list
        == XMLElement(
          "List",
          [
            XMLElement("Key", text: "a<b>&AB<&"), XMLElement("Empty"),
            XMLElement("Outer", [XMLElement("Inner", text: "ü")]),
          ]))
    #expect(list["Key"] == "a<b>&AB<&")
    #expect(list["Missing"] == nil)
  }

  @Test func `XML: an element that occurs twice has no single text`() throws {
    let list = try parse("<a><b>1</b><b>2</b></a>")
    #expect(list["b"] == nil)
    #expect(list.all("b").map(\.text) == ["1", "2"])
  }

  @Test(arguments: [
    ("", XMLError.malformed(at: 0)), ("text", .malformed(at: 0)), ("<a>", .malformed(at: 3)),
    ("<a></b>", .malformed(at: 3)), ("<a", .malformed(at: 0)), ("</a>", .malformed(at: 0)),
    ("<a/><b/>", .malformed(at: 4)), ("<a/>text", .malformed(at: 4)), ("<>x</>", .malformed(at: 0)),
    ("<a>&unknown;</a>", .malformed(at: 3)), ("<a>&#0;</a>", .malformed(at: 3)),
    ("<a>&#xD800;</a>", .malformed(at: 3)), ("<a>&lt</a>", .malformed(at: 3)),
    ("<a><b <c></b></a>", .malformed(at: 3)), ("<a><!-- </a>", .malformed(at: 12)),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", .documentType(at: 0)),
    ("<a><!DOCTYPE a></a>", .documentType(at: 3)),
  ])
  func `XML: what is no document is refused`(text: String, fault: XMLError) {
    #expect(throws: fault) { try self.parse(text) }
  }

  @Test func `XML: text that is not UTF-8 is refused`() {
    #expect(throws: XMLError.malformed(at: 4)) {
      try XMLElement(parsing: Array("<a>".utf8) + [0xff] + Array("</a>".utf8))
    }
  }

  @Test func `XML: the number and the depth of elements are limited`() throws {
    let deep = String(repeating: "<a>", count: 33) + String(repeating: "</a>", count: 33)
    #expect(throws: XMLError.tooMuch(at: 96)) { try self.parse(deep) }
    _ = try parse(String(deep.dropFirst(3).dropLast(4)))
    let many = "<a>" + String(repeating: "<b/>", count: 10) + "</a>"
    #expect(throws: XMLError.tooMuch(at: 39)) {
      try XMLElement(parsing: Array(many.utf8), mostElements: 10)
    }
    _ = try XMLElement(parsing: Array(many.utf8), mostElements: 11)
  }
}
