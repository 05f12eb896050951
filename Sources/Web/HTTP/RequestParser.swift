import HTTP

/// Parses requests from the bytes of a connection, which may arrive in pieces of any size.
///
/// The parser accepts the part of HTTP/1.1 (RFC 9112) that browsers use with a server on the same machine. The parser
/// refuses everything that two parsers could interpret differently: chunked bodies, repeated lengths, and lines that do
/// not end in CR LF.
package struct RequestParser: Sendable {
  private enum State {
    case head
    case body(HTTPRequest, length: Int)
  }

  private var state = State.head
  private var held: [UInt8] = []
  private var scanner = HeadScanner(limit: HTTPLimit.headBytes)

  package init() {}

  /// Whether part of a request has arrived.
  package var isUnderWay: Bool {
    if case .body = state { true } else { !held.isEmpty }
  }

  /// Adds bytes that have arrived.
  package mutating func take(_ bytes: [UInt8]) { held += bytes }

  /// Returns the next request, or nil if it has not arrived completely.
  ///
  /// - Throws: ``HTTPFault``; after an error, the rest of the connection cannot be parsed.
  package mutating func next() throws(HTTPFault) -> HTTPRequest? {
    if case .head = state {
      guard let end = try reading({ () throws(HeadFault) in try scanner.end(in: held) }) else {
        return nil
      }
      let request = try HTTPRequest(head: held[..<end])
      let length = try request.bodyLength()
      held.removeFirst(end)
      scanner = HeadScanner(limit: HTTPLimit.headBytes)
      state = .body(request, length: length)
    }
    guard case .body(var request, let length) = state, held.count >= length else { return nil }
    request.body = Array(held.prefix(length))
    held.removeFirst(length)
    state = .head
    return request
  }
}

/// Converts a fault in a head into the fault to respond with.
private func reading<Value>(_ body: () throws(HeadFault) -> Value) throws(HTTPFault) -> Value {
  do throws(HeadFault) { return try body() } catch {
    throw error == .tooLarge ? .headTooLarge : .badRequest
  }
}

extension HTTPRequest {
  /// Parses a request line, the header fields and the empty line, each of which ends in CR LF.
  fileprivate init(head: ArraySlice<UInt8>) throws(HTTPFault) {
    let head = try reading { () throws(HeadFault) in
      try MessageHead(head, mostFields: HTTPLimit.fields)
    }
    let words = head.words(atMost: 4)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte),
      words[1].first == UInt8(ascii: "/"), words[1].allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .badRequest }
    guard words[2].elementsEqual("HTTP/1.1".utf8) else {
      throw words[2].starts(with: "HTTP/".utf8) ? .otherVersion : .badRequest
    }
    method = String(decoding: words[0], as: UTF8.self)
    target = String(decoding: words[1], as: UTF8.self)
    fields = head.fields
  }

  /// Returns the length of the body in bytes.
  fileprivate func bodyLength() throws(HTTPFault) -> Int {
    guard values(of: "transfer-encoding").isEmpty else { throw .badRequest }
    do throws(HeadFault) {
      guard let length = try fields.contentLength() else { return 0 }
      if length <= HTTPLimit.bodyBytes { return length }
    } catch .malformed {
      throw .badRequest
    } catch {}
    throw .contentTooLarge
  }
}
