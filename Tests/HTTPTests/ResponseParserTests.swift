import HTTP
import Testing

struct ResponseParserTests {
  private static let found = """
    HTTP/1.1 200 OK\r
    ETag: "a"\r
    Content-Length: 5\r
    \r
    hello
    """

  private static let chunked = """
    HTTP/1.1 200 OK\r
    Transfer-Encoding: chunked\r
    \r
    3;name=value\r
    hel\r
    2 \r
    lo\r
    0\r
    Check: sum\r
    \r

    """

  /// What becomes of a response whose bytes arrive in pieces, followed by the end of the connection.
  private struct Outcome: Equatable {
    var response: ServerResponse?
    /// Whether the response was complete, and the connection could be used again, before its end.
    var isReusable = false
    var fault: ResponseFault?
  }

  private func outcome(
    _ text: String, to method: ClientRequest.Method = .get, limit: Int = 100, piece: Int = .max
  ) -> Outcome {
    let bytes = Array(text.utf8)
    var parser = ResponseParser(to: method, bodyLimit: limit)
    var outcome = Outcome()
    do throws(ResponseFault) {
      for start in stride(from: 0, to: bytes.count, by: min(piece, max(1, bytes.count))) {
        try parser.take(Array(bytes[start..<min(bytes.count, start + min(piece, bytes.count))]))
      }
      outcome.isReusable = parser.isReusable
      try parser.connectionEnded()
      outcome.response = parser.finished
    } catch {
      outcome.fault = error
    }
    return outcome
  }

  @Test(arguments: [1, 2, 3, 7, .max])
  func `HTTP response: it parses the same wherever its bytes are split`(piece: Int) {
    #expect(
      outcome(Self.found, piece: piece)
        == Outcome(
          response: ServerResponse(
            200,
            fields: [
              HeaderField(name: "etag", value: "\"a\""),
              HeaderField(name: "content-length", value: "5"),
            ], body: Array("hello".utf8)), isReusable: true))
    #expect(
      outcome(Self.chunked, piece: piece)
        == Outcome(
          response: ServerResponse(
            200, fields: [HeaderField(name: "transfer-encoding", value: "chunked")],
            body: Array("hello".utf8)), isReusable: true))
  }

  @Test(arguments: [
    ("HEAD", ClientRequest.Method.head, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 200),
    ("204", .delete, "HTTP/1.1 204 No Content\r\n\r\n", 204),
    ("304", .get, "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", 304),
    ("no reason", .get, "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", 404),
    (
      "an interim response", .put,
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200
    ),
  ])
  func `HTTP response: one without a body ends with its head`(
    name: String, method: ClientRequest.Method, text: String, status: Int
  ) {
    let outcome = outcome(text, to: method)
    #expect(outcome.response?.status == status)
    #expect(outcome.response?.body == [])
    #expect(outcome.isReusable)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n\r\nhello",
    "HTTP/1.0 200 OK\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    // Bytes after the response are no response to anything.
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello world",
  ])
  func `HTTP response: its connection is not used again if it closes or has more bytes`(
    text: String
  ) {
    let outcome = outcome(text)
    #expect(outcome.response?.body == Array("hello".utf8))
    #expect(!outcome.isReusable)
  }

  @Test func `HTTP response: one that is cut anywhere is no response`() {
    for text in [Self.found, Self.chunked] {
      let bytes = Array(text.utf8)
      for end in 0..<bytes.count {
        let cut = String(decoding: bytes[..<end], as: UTF8.self)
        #expect(
          outcome(cut) == Outcome(fault: end == 0 ? .silent : .cut), "\(end) of \(bytes.count)")
      }
    }
  }

  @Test(arguments: [
    ("SSH-2.0-OpenSSH\r\n", ResponseFault.malformed),
    ("\r\n\r\n", .malformed),
    ("HTTP/2 200\r\n\r\n", .otherVersion),
    ("HTTP/1.1 2000 OK\r\n\r\n", .malformed),
    ("HTTP/1.1 +20 OK\r\n\r\n", .malformed),
    ("HTTP/1.1 600 OK\r\n\r\n", .malformed),
    ("HTTP/1.1 101 Switching Protocols\r\n\r\n", .malformed),
    ("HTTP/1.1 200 OK\nContent-Length: 0\n\n", .malformed),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n folded\r\n\r\na", .malformed),
    ("HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\na", .malformed),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", .malformed),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\na", .malformed),
    ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\na", .malformed),
    ("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\na", .bodyTooLarge),
    ("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999999\r\n\r\na", .bodyTooLarge),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      .malformed
    ),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", .malformed),
    ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .malformed),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n\r\n", .malformed),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n", .malformed),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", .malformed),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na\n0\n\n", .malformed),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n", .bodyTooLarge),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffff\r\n", .bodyTooLarge),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nno field\r\n\r\n", .malformed),
  ])
  func `HTTP response: bytes that could be read in two ways are refused`(
    text: String, fault: ResponseFault
  ) {
    #expect(outcome(text) == Outcome(fault: fault))
    #expect(outcome(text, piece: 1) == Outcome(fault: fault))
  }

  @Test func `HTTP response: a server that sends without end is stopped`() {
    let fields = String(repeating: "a: b\r\n", count: ResponseLimit.fields + 1)
    let long = String(repeating: "a", count: ResponseLimit.headBytes)
    let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 9)
    let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(outcome("HTTP/1.1 200 OK\r\n\(fields)\r\n") == Outcome(fault: .headTooLarge))
    #expect(outcome("HTTP/1.1 200 \(long)") == Outcome(fault: .headTooLarge))
    #expect(outcome(interim) == Outcome(fault: .malformed))
    #expect(outcome("\(chunks)1;\(long)") == Outcome(fault: .headTooLarge))
    #expect(outcome("\(chunks)0\r\na: \(long)") == Outcome(fault: .headTooLarge))
    let body = String(repeating: "1\r\na\r\n", count: 101)
    #expect(outcome("\(chunks)\(body)0\r\n\r\n") == Outcome(fault: .bodyTooLarge))
    let endless = String(repeating: "a", count: 101)
    #expect(outcome("HTTP/1.1 200 OK\r\n\r\n\(endless)") == Outcome(fault: .bodyTooLarge))
  }
}
