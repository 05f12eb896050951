import Bytes
import Crypto
package import HTTP
package import Platform
package import S3
package import Synchronization

/// Object storage in memory behind a network in memory: it checks each signature, and has faults on demand.
package final class S3StandIn: Network {
  /// What happens to one request.
  package enum Fault: Sendable {
    /// The request is answered with this, and has no effect.
    case answer(ServerResponse)
    /// The request has its effect, but the connection breaks after so many bytes of the response.
    case cut(after: Int)
    /// The bytes are sent in place of the response.
    case bytes([UInt8])
    /// Nothing is sent. The given function lets the client wait.
    case silence(wait: @Sendable (_ milliseconds: Int) -> Void)
  }

  package struct State {
    package var objects: [String: [UInt8]] = [:]
    /// The faults of the next requests, in order.
    package var faults: [Fault?] = []
    /// The requests that have arrived, as method and path.
    package var log: [String] = []
    package var dials = 0
    /// Whether each connection is closed after one response, without saying so.
    package var closesEarly = false
    package var pageKeys = 1_000
    /// Lets a client wait that receives nothing.
    fileprivate var wait: (@Sendable (_ milliseconds: Int) -> Void)?
  }

  package let state = Mutex(State())
  private let signer: RequestSigner
  /// The clock of the service, which refuses requests that differ by more than 15 minutes.
  let now: @Sendable () -> Int64

  package init(_ key: AccessKey, now: @escaping @Sendable () -> Int64) {
    (signer, self.now) = (RequestSigner(key, region: "us-east-1"), now)
  }

  // MARK: Network

  package func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    guard host == "127.0.0.1", port == 8333 else { throw .unknownHost }
    state.withLock { $0.dials += 1 }
    return StandInLine(of: self)
  }

  package func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    throw .notPermitted
  }

  package func poller() throws(NetworkError) -> any Poller { throw .notPermitted }

  // MARK: Service

  /// The bytes to send for a request, and whether the connection breaks after them.
  fileprivate func answer(_ request: ClientRequest) -> (bytes: [UInt8], isLast: Bool) {
    state.withLock { state in
      state.log.append("\(request.method.rawValue) \(request.target.split(separator: "?")[0])")
      let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
      switch fault {
      case .answer(let response)?: return (Self.bytes(of: response), state.closesEarly)
      case .bytes(let bytes)?: return (bytes, true)
      case .silence(let wait)?:
        state.wait = wait
        return ([], false)
      case .cut(let count)?:
        return (Array(Self.bytes(of: serve(request, &state)).prefix(count)), true)
      case nil: return (Self.bytes(of: serve(request, &state)), state.closesEarly)
      }
    }
  }

  private static func bytes(of response: ServerResponse) -> [UInt8] {
    var lines = ["HTTP/1.1 \(response.status) Status"]
    lines += response.fields.map { "\($0.name): \($0.value)" }
    if response.status != 204 { lines.append("content-length: \(response.body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + response.body
  }

  package static func error(
    _ status: Int, _ code: String, fields: [HeaderField] = []
  ) -> ServerResponse {
    ServerResponse(
      status, fields: fields, body: Array("<Error><Code>\(code)</Code></Error>".utf8))
  }

  private func serve(_ request: ClientRequest, _ state: inout State) -> ServerResponse {
    if let refusal = refusal(of: request) { return refusal }
    let halves = request.target.split(separator: "?", maxSplits: 1)
    let path = PercentEncoding.decoded(halves[0], plusIsBlank: false) ?? ""
    guard path.hasPrefix("/bucket/") else { return Self.error(404, "NoSuchBucket") }
    let key = String(path.dropFirst("/bucket/".count))
    switch request.method {
    case .put:
      state.objects[key] = request.body
      return ServerResponse(200)
    case .delete:
      state.objects[key] = nil
      return ServerResponse(204)
    case .get where key.isEmpty: return Self.list(String(halves[1]), state)
    case .get, .head:
      guard let bytes = state.objects[key] else { return Self.error(404, "NoSuchKey") }
      return Self.part(bytes, request.fields.only("range"))
    }
  }

  private static func part(_ bytes: [UInt8], _ range: String?) -> ServerResponse {
    guard let range else { return ServerResponse(200, body: bytes) }
    let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    guard ends[0] < bytes.count else { return error(416, "InvalidRange") }
    return ServerResponse(206, body: Array(bytes[ends[0]...min(ends[1], bytes.count - 1)]))
  }

  private func refusal(of request: ClientRequest) -> ServerResponse? {
    let given = request.fields.only("authorization")
    var bare = request
    bare.fields.removeAll { ["authorization", "x-amz-date", "content-length"].contains($0.name) }
    let digest = SHA256.digest(of: request.body).hex
    guard let date = request.fields.only("x-amz-date"),
      let time = UTCTime.parse(
        "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.dropFirst(6).prefix(5)):"
          + "\(date.dropFirst(11).prefix(2)):\(date.dropFirst(13))"),
      request.fields.only("x-amz-content-sha256") == digest
    else { return Self.error(403, "AccessDenied") }
    guard abs(time - now()) <= 900_000 else {
      return Self.error(403, "RequestTimeTooSkewed", fields: [dateField])
    }
    let expected = signer.authorized(bare, at: time, digest: digest).fields.only("authorization")
    return given == expected ? nil : Self.error(403, "SignatureDoesNotMatch")
  }

  /// The time of the service; the tests take place on 1 January 1970.
  private var dateField: HeaderField {
    let seconds = now() / 1_000
    let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map {
      ($0 < 10 ? "0" : "") + String($0)
    }
    return HeaderField(
      name: "date", value: "Thu, 01 Jan 1970 \(clock.joined(separator: ":")) GMT")
  }

  private static func list(_ query: String, _ state: State) -> ServerResponse {
    var pairs: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let halves = pair.split(separator: "=", omittingEmptySubsequences: false)
      pairs[String(halves[0])] = PercentEncoding.decoded(halves[1], plusIsBlank: false)
    }
    let prefix = pairs["prefix"] ?? ""
    var rows = Set<String>()
    for key in state.objects.keys where key.hasPrefix(prefix) {
      let rest = key.dropFirst(prefix.count)
      let slash = pairs["delimiter"] == nil ? nil : rest.firstIndex(of: "/")
      rows.insert(slash.map { prefix + rest[...$0] } ?? key)
    }
    let sorted = rows.sorted().filter { $0 > pairs["continuation-token"] ?? "" }
    let page = sorted.prefix(state.pageKeys)
    var text = "<?xml version=\"1.0\"?><ListBucketResult><EncodingType>url</EncodingType>"
    text += "<IsTruncated>\(page.count < sorted.count)</IsTruncated>"
    if page.count < sorted.count, let last = page.last {
      text += "<NextContinuationToken>\(last)</NextContinuationToken>"
    }
    for key in page {
      let name = PercentEncoding.encoded(key)
      if key.hasSuffix("/") {
        text += "<CommonPrefixes><Prefix>\(name)</Prefix></CommonPrefixes>"
      } else {
        text +=
          "<Contents><Key>\(name)</Key><Size>\(state.objects[key]?.count ?? 0)</Size>"
          + "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
      }
    }
    return ServerResponse(200, body: Array("\(text)</ListBucketResult>".utf8))
  }
}

/// A connection to the service, which answers at once.
private final class StandInLine: Line {
  private struct Ends {
    var received: [UInt8] = []
    var unsent: [UInt8] = []
    var isClosed = false
  }

  private let service: S3StandIn
  private let ends = Mutex(Ends())

  init(of service: S3StandIn) { self.service = service }

  var peer: String { "127.0.0.1:8333" }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    try ends.withLock { (ends) throws(NetworkError) in
      guard !ends.isClosed else { throw .cut }
      ends.received += bytes
      while let request = Self.takeRequest(&ends.received) {
        let (answer, isLast) = service.answer(request)
        ends.unsent += answer
        if isLast { ends.isClosed = true }
      }
    }
  }

  private static func takeRequest(_ received: inout [UInt8]) -> ClientRequest? {
    var scanner = HeadScanner(limit: 64 << 10)
    guard let end = try? scanner.end(in: received),
      let head = try? MessageHead(received[..<end], mostFields: 64),
      let length = try? head.fields.contentLength() ?? 0, received.count >= end + length
    else { return nil }
    let words = head.words(atMost: 3).map { String(decoding: $0, as: UTF8.self) }
    guard let method = ClientRequest.Method(rawValue: words[0]) else { return nil }
    let body = Array(received[end..<(end + length)])
    received.removeFirst(end + length)
    return ClientRequest(method, words[1], fields: head.fields, body: body)
  }

  func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    try ends.withLock { (ends) throws(NetworkError) in
      guard !ends.unsent.isEmpty else {
        if ends.isClosed { return [] }
        service.state.withLock { $0.wait }?(patienceMilliseconds)
        throw .timedOut
      }
      let part = Array(ends.unsent.prefix(min(count, 7)))
      ends.unsent.removeFirst(part.count)
      return part
    }
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    try send(Array(bytes), patienceMilliseconds: 0)
    return bytes.count
  }

  func close() { ends.withLock { $0.isClosed = true } }
}
