/// A response that a client has received completely.
package struct ServerResponse: Equatable, Sendable {
  package var status: Int
  package var fields: [HeaderField]
  package var body: [UInt8]

  package init(_ status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }
}

/// The reason why bytes are not an acceptable response.
package enum ResponseFault: Error, Hashable, Sendable {
  /// The bytes violate HTTP, or two parsers could interpret them differently.
  case malformed
  /// The server speaks neither HTTP/1.0 nor HTTP/1.1.
  case otherVersion
  case headTooLarge
  case bodyTooLarge
  /// The connection ended in the middle of the response.
  case cut
  /// The connection ended before the server had sent anything.
  case silent
}

/// Parses the response to one request from the bytes of a connection, which may arrive in pieces of any size.
///
/// The parser accepts HTTP/1.1 (RFC 9112) and 1.0. The parser refuses everything that two parsers could interpret
/// differently: a length in addition to chunks, repeated lengths, codings other than chunks, folded fields, and lines
/// that do not end in CR LF.
package struct ResponseParser: Sendable {
  private enum Framing {
    case length(Int)
    case chunks(ChunkedBody)
    /// The body extends to the end of the connection.
    case connection
  }

  private enum State {
    case head
    case body(Framing)
    case finished
  }

  private let method: ClientRequest.Method
  private let bodyLimit: Int
  private var state = State.head
  private var scanner = HeadScanner(limit: ResponseLimit.headBytes)
  /// The bytes of a head that has not arrived completely.
  private var held: [UInt8] = []
  private var response = ServerResponse(0)
  private var interimCount = 0
  /// Whether the server keeps the connection open.
  private var keepsAlive = false

  /// Begins a response.
  ///
  /// - Parameters:
  ///   - method: The request's method.
  ///   - bodyLimit: The maximum number of bytes in the body.
  package init(to method: ClientRequest.Method, bodyLimit: Int) {
    (self.method, self.bodyLimit) = (method, bodyLimit)
  }

  /// Whether any byte has arrived.
  package var hasBegun: Bool {
    if case .head = state { !held.isEmpty || interimCount > 0 } else { true }
  }

  /// The response, once it is complete.
  package var finished: ServerResponse? { if case .finished = state { response } else { nil } }

  /// Whether another request can be sent over the connection after this response.
  package private(set) var isReusable = false

  /// Parses bytes that have arrived.
  ///
  /// Bytes after the end of the response do not belong to any request, so the connection cannot be used again.
  ///
  /// - Parameter bytes: The bytes.
  /// - Throws: ``ResponseFault``; after an error, the rest of the connection cannot be parsed.
  package mutating func take(_ bytes: [UInt8]) throws(ResponseFault) {
    var rest = bytes[...]
    while case .head = state, !rest.isEmpty { try takeHead(&rest) }
    if case .body(let framing) = state { try takeBody(framing, &rest) }
    if case .finished = state, !rest.isEmpty { isReusable = false }
  }

  /// Handles the end of the connection.
  ///
  /// - Throws: ``ResponseFault/silent`` or ``ResponseFault/cut`` if the response is not complete.
  package mutating func connectionEnded() throws(ResponseFault) {
    isReusable = false
    switch state {
    case .finished: return
    case .body(.connection): state = .finished
    case .head where !hasBegun: throw .silent
    case .head, .body: throw .cut
    }
  }

  private mutating func takeHead(_ rest: inout ArraySlice<UInt8>) throws(ResponseFault) {
    let before = held.count
    held += rest.prefix(ResponseLimit.headBytes + 1 - before)
    // Other kinds of programs may send a greeting that never ends as a head does.
    guard "HTTP/".utf8.starts(with: held.prefix(5)) else { throw .malformed }
    let head: MessageHead
    let end: Int
    do throws(HeadFault) {
      guard let found = try scanner.end(in: held) else {
        rest = rest.dropFirst(held.count - before)
        return
      }
      end = found
      head = try MessageHead(held[..<end], mostFields: ResponseLimit.fields)
    } catch {
      throw error == .tooLarge ? .headTooLarge : .malformed
    }
    rest = rest.dropFirst(end - before)
    (held, scanner) = ([], HeadScanner(limit: ResponseLimit.headBytes))
    try begin(head)
  }

  private mutating func begin(_ head: MessageHead) throws(ResponseFault) {
    let (status, isOld) = try Self.status(of: head)
    guard status >= 200 else {
      // RFC 9110, 15.2: interim responses precede the response. The protocol never changes, because no request asks for
      // a change.
      interimCount += 1
      guard status != 101, interimCount <= ResponseLimit.interim else { throw .malformed }
      return
    }
    response = ServerResponse(status, fields: head.fields)
    keepsAlive = !isOld && !head.fields.wantsClose
    let framing = try framing(status, head.fields, isOld: isOld)
    if case .length(0) = framing { return finish() }
    state = .body(framing)
  }

  private static func status(
    of head: MessageHead
  ) throws(ResponseFault) -> (status: Int, isOld: Bool) {
    let words = head.words(atMost: 3)
    guard words[0].starts(with: "HTTP/".utf8) else { throw .malformed }
    let isOld = words[0].elementsEqual("HTTP/1.0".utf8)
    guard isOld || words[0].elementsEqual("HTTP/1.1".utf8) else { throw .otherVersion }
    guard words.count >= 2, words[1].count == 3,
      words[1].allSatisfy({ (0x30...0x39).contains($0) }),
      let status = Int(String(decoding: words[1], as: UTF8.self)), (100...599).contains(status),
      words.dropFirst(2).allSatisfy({ $0.allSatisfy(\.isFieldByte) })
    else { throw .malformed }
    return (status, isOld)
  }

  /// Returns how the end of the body is determined (RFC 9112, 6.3).
  private func framing(
    _ status: Int, _ fields: [HeaderField], isOld: Bool
  ) throws(ResponseFault) -> Framing {
    let codings = fields.values(of: "transfer-encoding")
    let length: Int?
    do throws(HeadFault) { length = try fields.contentLength() } catch {
      throw error == .tooLarge ? .bodyTooLarge : .malformed
    }
    guard codings.isEmpty || length == nil else { throw .malformed }
    if method == .head || status == 204 || status == 304 { return .length(0) }
    if !codings.isEmpty {
      guard codings.count == 1, codings[0].lowercased() == "chunked", !isOld else {
        throw .malformed
      }
      return .chunks(ChunkedBody())
    }
    guard let length else { return .connection }
    guard length <= bodyLimit else { throw .bodyTooLarge }
    return .length(length)
  }

  private mutating func takeBody(
    _ framing: Framing, _ rest: inout ArraySlice<UInt8>
  ) throws(ResponseFault) {
    switch framing {
    case .length(let length):
      let part = rest.prefix(length - response.body.count)
      response.body += part
      rest = rest.dropFirst(part.count)
      if response.body.count == length { finish() }
    case .chunks(var chunks):
      try chunks.decode(&rest, into: &response.body, limit: bodyLimit)
      state = .body(.chunks(chunks))
      if chunks.isFinished { finish() }
    case .connection:
      guard rest.count <= bodyLimit - response.body.count else { throw .bodyTooLarge }
      response.body += rest
      rest = []
    }
  }

  private mutating func finish() { (state, isReusable) = (.finished, keepsAlive) }
}

/// Limits on responses.
package enum ResponseLimit {
  /// The maximum number of bytes in a status line and all header fields.
  package static let headBytes = 32 << 10
  package static let fields = 128
  /// The maximum number of interim responses before a response.
  static let interim = 8
}
