import Bytes
import Crypto
import Gzip

/// The files of the page, which are part of the program.
struct Assets {
  struct Asset {
    var type: String
    var bytes: [UInt8]
    var packed: [UInt8]
    /// What a browser that has it says to be told that it has it still.
    var tag: String
  }

  private let assets: [String: Asset]
  /// Changes whenever any of them does.
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

  /// Answers for a file, or that the browser has it.
  func answer(_ name: String, to request: HTTPRequest) throws(HTTPFault) -> HTTPResponse {
    guard let asset = assets[name] else { throw .notFound }
    var fields = [
      ("Content-Type", asset.type), ("Cache-Control", "no-cache"), ("ETag", asset.tag),
      ("Vary", "Accept-Encoding"),
    ]
    let known = request.values(of: "if-none-match").contains { $0.contains(asset.tag) }
    if known { return HTTPResponse(304, "Not Modified", fields: fields) }
    if request.takesPacked { fields.append(("Content-Encoding", "gzip")) }
    return HTTPResponse(
      200, "OK", fields: fields, body: request.takesPacked ? asset.packed : asset.bytes)
  }

  /// What goes out of a file: all but the lines of comment, which are for those who work on it.
  static func sent(_ source: [UInt8]) -> [UInt8] {
    var (sent, isComment): ([UInt8], Bool) = ([], false)
    sent.reserveCapacity(source.count)
    for line in source.split(separator: UInt8(ascii: "\n")) {
      let words = line.drop { $0 == UInt8(ascii: " ") }
      let begins = words.starts(with: "/*".utf8)
      if begins || isComment {
        isComment = !words.contains("*/".utf8)
      } else if !words.isEmpty, !words.starts(with: "//".utf8) {
        sent += line + [UInt8(ascii: "\n")]
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
  fileprivate var takesPacked: Bool {
    values(of: "accept-encoding").contains { $0.contains("gzip") }
  }
}

extension HTTPResponse {
  /// To pack more than this takes longer than to send it over a machine's own wire.
  private static let worthPacking = 64 << 10

  /// The same, its body packed if that is short and who asks can unpack it.
  func packed(for request: HTTPRequest) -> HTTPResponse {
    guard request.takesPacked, body.count <= Self.worthPacking else { return self }
    var packed = self
    packed.body = GzipMember.compress(body.span, level: Assets.level, extraCount: 0) { _ in [] }
    packed.fields += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
    return packed
  }
}
