/// An HTTP/1.1 response.
package struct HTTPResponse: Equatable, Sendable {
  package var status: Int
  package var reason: String
  /// The header fields that are sent in addition to those of every response.
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    _ status: Int, _ reason: String, fields: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    (self.status, self.reason, self.fields, self.body) = (status, reason, fields, body)
  }

  /// Creates an error response, which contains only the reason.
  package init(_ fault: HTTPFault) {
    self.init(
      fault.rawValue, fault.reason,
      fields: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
      body: Array("\(fault.reason)\n".utf8))
    if fault == .methodNotAllowed { fields.append(("Allow", "GET, HEAD, POST")) }
  }

  /// Security header fields, sent with every response.
  ///
  /// The page can load resources only from its own origin and cannot be framed, and other sites can neither embed its
  /// resources nor keep a reference to its window.
  static let protection: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  /// Returns the status line and all fields, followed by the empty line.
  ///
  /// Without a length, the body lasts until the connection closes. The connection also closes after the last
  /// response.
  package func head(length: Int?, isLast: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(reason)"]
    lines += (Self.protection + fields).map { "\($0.name): \($0.value)" }
    if let length { lines.append("Content-Length: \(length)") }
    if isLast || length == nil { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  package static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
    left.status == right.status && left.reason == right.reason && left.body == right.body
      && left.fields.elementsEqual(right.fields) { $0 == $1 }
  }
}
