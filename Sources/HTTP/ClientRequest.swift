/// A request that a client sends.
package struct ClientRequest: Equatable, Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case delete = "DELETE"
  }

  package var method: Method
  /// The encoded path, and the encoded query if there is one.
  package var target: String
  /// The fields, without `Content-Length`.
  package var fields: [HeaderField]
  package var body: [UInt8]

  package init(
    _ method: Method, _ target: String, fields: [HeaderField] = [], body: [UInt8] = []
  ) {
    (self.method, self.target, self.fields, self.body) = (method, target, fields, body)
  }

  /// The request line, the fields, the empty line and the body.
  ///
  /// - Precondition: The target and the fields contain only bytes that are allowed in them, so that no text can begin
  ///   another field or request.
  package var bytes: [UInt8] {
    precondition(
      target.utf8.first == UInt8(ascii: "/")
        && target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a target is encoded")
    var lines = ["\(method.rawValue) \(target) HTTP/1.1"]
    for field in fields {
      precondition(
        !field.name.isEmpty && field.name.utf8.allSatisfy(\.isTokenByte)
          && field.value.utf8.allSatisfy(\.isFieldByte), "a field has no control characters")
      lines.append("\(field.name): \(field.value)")
    }
    // RFC 9110, 8.6: if the method allows a body, the request states the body's length even if it is 0.
    if method == .put || !body.isEmpty { lines.append("content-length: \(body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}
