/// Parses requests from the bytes of a connection, which may arrive in pieces of any size.
///
/// It accepts the part of HTTP/1.1 (RFC 9112) that browsers use with a server on the same machine, and refuses
/// everything that two parsers could read differently: chunked bodies, repeated lengths, and lines that do not end in
/// CR LF.
package struct RequestParser: Sendable {
  private enum State {
    case head
    case body(HTTPRequest, length: Int)
  }

  private var state = State.head
  private var held: [UInt8] = []
  /// The number of received bytes that were searched for the end of a head.
  private var seen = 0

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
      guard let end = try endOfHead() else { return nil }
      let request = try HTTPRequest(head: held[..<end])
      let length = try request.contentLength()
      held.removeFirst(end)
      seen = 0
      state = .body(request, length: length)
    }
    guard case .body(var request, let length) = state, held.count >= length else { return nil }
    request.body = Array(held.prefix(length))
    held.removeFirst(length)
    state = .head
    return request
  }

  /// Returns the position after the empty line that ends the head, or nil if that line has not arrived.
  private mutating func endOfHead() throws(HTTPFault) -> Int? {
    while seen < held.count {
      guard seen < HTTPLimit.headBytes else { throw .headTooLarge }
      let byte = held[seen]
      let isAfterReturn = seen > 0 && held[seen - 1] == .carriageReturn
      guard (byte == .lineFeed) == isAfterReturn else { throw .badRequest }
      seen += 1
      let isEnd = seen >= 4 && byte == .lineFeed && held[seen - 3] == .lineFeed
      if isEnd { return seen }
    }
    return nil
  }
}

extension HTTPRequest {
  /// Parses a request line, the header fields and the empty line, each of which ends in CR LF.
  fileprivate init(head: ArraySlice<UInt8>) throws(HTTPFault) {
    var lines = head.split(separator: .lineFeed, omittingEmptySubsequences: false)
      .map { $0.dropLast() }
    // Drop the empty line, and the empty part after the last line feed.
    lines.removeLast(2)
    guard let first = lines.first else { throw .badRequest }
    let words = first.split(separator: .space, omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte),
      words[1].first == .slash, words[1].allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .badRequest }
    guard words[2].elementsEqual("HTTP/1.1".utf8) else {
      throw words[2].starts(with: "HTTP/".utf8) ? .otherVersion : .badRequest
    }
    let fieldLines = lines.dropFirst()
    guard fieldLines.count <= HTTPLimit.fields else { throw .headTooLarge }
    method = String(decoding: words[0], as: UTF8.self)
    target = String(decoding: words[1], as: UTF8.self)
    fields = []
    for line in fieldLines { fields.append(try HeaderField(line: line)) }
  }

  /// Returns the length of the body in bytes.
  fileprivate func contentLength() throws(HTTPFault) -> Int {
    guard values(of: "transfer-encoding").isEmpty else { throw .badRequest }
    let said = values(of: "content-length")
    guard let text = said.first else { return 0 }
    guard said.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .badRequest }
    guard let length = Int(text), length <= HTTPLimit.bodyBytes else { throw .contentTooLarge }
    return length
  }
}

extension HTTPRequest.HeaderField {
  fileprivate init(line: ArraySlice<UInt8>) throws(HTTPFault) {
    guard let colon = line.firstIndex(of: .colon), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenByte)
    else { throw .badRequest }
    let content = line[(colon + 1)...]
    guard content.allSatisfy(\.isFieldByte) else { throw .badRequest }
    name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    value = String(decoding: content, as: UTF8.self)[...].trimmed
  }
}

extension UInt8 {
  fileprivate static let carriageReturn: UInt8 = 0x0D
  fileprivate static let lineFeed: UInt8 = 0x0A
  fileprivate static let space: UInt8 = 0x20
  fileprivate static let slash: UInt8 = 0x2F
  fileprivate static let colon: UInt8 = 0x3A

  /// Whether the byte is allowed in a method or a field name.
  fileprivate var isTokenByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  /// Whether the byte is allowed in a field value: no control character except tab.
  fileprivate var isFieldByte: Bool { self == 0x09 || (self >= 0x20 && self != 0x7F) }
}
