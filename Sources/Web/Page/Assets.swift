import Bytes
import Crypto
import Gzip

/// The files of the page, which are part of the program.
struct Assets {
  struct Asset {
    var type: String
    var bytes: [UInt8]
    var packed: [UInt8]
    /// The entity tag, by which a browser asks whether its copy is current.
    var tag: String
  }

  private let assets: [String: Asset]
  /// A hash over all files, which changes whenever a file changes.
  let build: String

  fileprivate static let level = 9

  init() {
    var assets: [String: Asset] = [:]
    for (name, source) in AssetFiles.all {
      let bytes = Self.sent(source)
      let packed = GzipMember.compress(bytes.span, level: Self.level, extraCount: 0) { _ in [] }
      let tag = "\"\(SHA256.digest(of: bytes).hex.prefix(16))\""
      assets[name] = Asset(type: Self.type(of: name), bytes: bytes, packed: packed, tag: tag)
    }
    let tags = assets.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.tag)" }.joined()
    build = String(SHA256.digest(of: Array(tags.utf8)).hex.prefix(8))
    self.assets = assets
  }

  /// Returns a file, or 304 if the browser already has it.
  func answer(_ name: String, to request: HTTPRequest) throws(HTTPFault) -> HTTPResponse {
    guard let asset = assets[name] else { throw .notFound }
    var fields = [
      ("Content-Type", asset.type), ("Cache-Control", "no-cache"), ("ETag", asset.tag),
      ("Vary", "Accept-Encoding"),
    ]
    let known = request.values(of: "if-none-match").contains { $0.contains(asset.tag) }
    if known { return HTTPResponse(304, "Not Modified", fields: fields) }
    let isPacked = request.codings.prefersGzip
    if isPacked { fields.append(("Content-Encoding", "gzip")) }
    return HTTPResponse(200, "OK", fields: fields, body: isPacked ? asset.packed : asset.bytes)
  }

  /// Returns the bytes of a file to send, which omit indentation, empty lines and comment lines.
  ///
  /// No string in the files extends over several lines, so strings are unchanged.
  static func sent(_ source: [UInt8]) -> [UInt8] {
    var (sent, isComment): ([UInt8], Bool) = ([], false)
    sent.reserveCapacity(source.count)
    for line in source.split(separator: UInt8(ascii: "\n")) {
      let words = line.drop { $0 == UInt8(ascii: " ") }
      let begins = words.starts(with: "/*".utf8)
      if begins || isComment {
        isComment = !words.contains("*/".utf8)
      } else if !words.isEmpty, !words.starts(with: "//".utf8) {
        sent += words + [UInt8(ascii: "\n")]
      }
    }
    return sent
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}

extension HTTPRequest {
  fileprivate var codings: AcceptedCodings { AcceptedCodings(values(of: "accept-encoding")) }
}

extension HTTPResponse {
  /// The size above which compressing a body takes more time than sending it within one machine.
  private static let worthPacking = 64 << 10

  /// Returns the response with its body compressed, if the client prefers gzip and the body is short.
  ///
  /// A longer body is compressed only if the client does not accept it uncompressed.
  func packed(for request: HTTPRequest) -> HTTPResponse {
    let codings = request.codings
    guard codings.prefersGzip, body.count <= Self.worthPacking || codings.refusesIdentity else {
      return self
    }
    var packed = self
    packed.body = GzipMember.compress(body.span, level: Assets.level, extraCount: 0) { _ in [] }
    packed.fields += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
    return packed
  }
}
