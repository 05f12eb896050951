import HTTP
import Testing

@testable import Web

struct RequestParserTests {
  private static let post = """
    POST /k/api/do?x=1 HTTP/1.1\r
    Host: 127.0.0.1:7777\r
    Content-Type: application/json\r
    Content-Length: 5\r
    \r
    {"a"}
    """

  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

  /// Parses a request whose bytes arrive together.
  private func parse(_ text: String) throws(HTTPFault) -> HTTPRequest? {
    var parser = RequestParser()
    parser.take(Array(text.utf8))
    return try parser.next()
  }

  private static let expected = HTTPRequest(
    method: "POST", target: "/k/api/do?x=1",
    fields: [
      .init(name: "host", value: "127.0.0.1:7777"),
      .init(name: "content-type", value: "application/json"),
      .init(name: "content-length", value: "5"),
    ], body: Array("{\"a\"}".utf8))

  @Test func `HTTP parser: a request parses the same wherever its bytes are split`() throws {
    let bytes = Array(Self.post.utf8)
    for cut in 0...bytes.count {
      var parser = RequestParser()
      parser.take(Array(bytes[..<cut]))
      let early = try parser.next()
      #expect((early == nil) == (cut < bytes.count), "cut at \(cut)")
      parser.take(Array(bytes[cut...]))
      #expect(try early ?? parser.next() == Self.expected, "cut at \(cut)")
    }
  }

  @Test func `HTTP parser: pipelined requests are returned one by one`() throws {
    var parser = RequestParser()
    parser.take(Array((Self.get + Self.post + Self.get).utf8))
    #expect(try parser.next()?.method == "GET")
    #expect(try parser.next() == Self.expected)
    #expect(try parser.next()?.method == "GET")
    #expect(try parser.next() == nil)
    #expect(!parser.isUnderWay)
  }

  @Test func `HTTP parser: a request is incomplete until its last byte`() throws {
    var parser = RequestParser()
    for byte in Self.post.utf8 {
      parser.take([byte])
      #expect(parser.isUnderWay)
      if let request = try parser.next() { #expect(request == Self.expected) }
    }
    #expect(!parser.isUnderWay)
  }

  @Test(arguments: [
    ("no host of lines", "GET / HTTP/1.1\nHost: h\n\n"),
    ("a bare line feed", "GET / HTTP/1.1\r\nHost: h\n\r\n\r\n"),
    ("a bare return", "GET / HTTP/1.1\rHost: h\r\n\r\n"),
    ("two lengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"),
    ("a list of lengths", "POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\na"),
    ("a signed length", "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\na"),
    ("no length", "POST / HTTP/1.1\r\nContent-Length:\r\n\r\na"),
    ("chunks", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (
      "chunks and a length",
      "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    ),
    ("a folded field", "GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n"),
    ("a blank before the colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n"),
    ("a field without a name", "GET / HTTP/1.1\r\n: h\r\n\r\n"),
    ("a field without a colon", "GET / HTTP/1.1\r\nHost\r\n\r\n"),
    ("a control character", "GET / HTTP/1.1\r\nHost: \u{1}\r\n\r\n"),
    ("two blanks", "GET  / HTTP/1.1\r\n\r\n"),
    ("a whole address", "GET http://h/ HTTP/1.1\r\n\r\n"),
    ("a blank in the target", "GET /a b HTTP/1.1\r\n\r\n"),
    ("a letter beyond ASCII", "GET /ä HTTP/1.1\r\n\r\n"),
    ("no version", "GET /\r\n\r\n"),
    ("an empty line first", "\r\n\r\n"),
  ])
  func `HTTP parser: an ambiguous request is refused`(name: String, text: String) {
    #expect(throws: HTTPFault.badRequest) { try parse(text) }
  }

  @Test func `HTTP parser: an unsupported HTTP version is refused with a status for it`() {
    #expect(throws: HTTPFault.otherVersion) { try parse("GET / HTTP/1.0\r\n\r\n") }
    #expect(throws: HTTPFault.otherVersion) { try parse("GET / HTTP/2\r\n\r\n") }
  }

  @Test func `HTTP parser: an excessive head or length is refused before its bytes arrive`() {
    #expect(throws: HTTPFault.headTooLarge) {
      try parse("GET /" + String(repeating: "a", count: HTTPLimit.headBytes))
    }
    let fields = String(repeating: "a: b\r\n", count: HTTPLimit.fields + 1)
    #expect(throws: HTTPFault.headTooLarge) { try parse("GET / HTTP/1.1\r\n\(fields)\r\n") }
    for length in ["1048577", "99999999999999999999"] {
      #expect(throws: HTTPFault.contentTooLarge) {
        try parse("POST / HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n")
      }
    }
  }

  @Test func `HTTP parser: Connection close ends the connection`() throws {
    let close = "GET / HTTP/1.1\r\nConnection: keep-alive, Close\r\n\r\n"
    #expect(try parse(close)?.wantsClose == true)
    #expect(try parse(Self.get)?.wantsClose == false)
  }
}
