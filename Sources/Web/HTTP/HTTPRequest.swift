/// An HTTP/1.1 request.
package struct HTTPRequest: Equatable, Sendable {
  /// A header field with its name in lowercase.
  package struct HeaderField: Equatable, Sendable {
    package var name: String
    package var value: String
  }

  package var method: String
  /// The path and query as they were sent.
  package var target: String
  package var fields: [HeaderField]
  package var body: [UInt8] = []

  /// Returns the values of all fields with the given name in lowercase.
  package func values(of name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// Returns the value of a field that occurs exactly once; nil otherwise.
  package func only(_ name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  /// Whether the connection must close after the response.
  package var wantsClose: Bool {
    values(of: "connection").contains { value in
      value.split(separator: ",").contains { $0.trimmed.lowercased() == "close" }
    }
  }

  /// The media type of the body in lowercase, without parameters.
  package var contentType: String? {
    only("content-type")?.split(separator: ";").first.map { $0.trimmed.lowercased() }
  }
}

/// Why a request is refused; the raw value is the status code.
package enum HTTPFault: Int, Error, Sendable {
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case contentTooLarge = 413
  case unsupportedMediaType = 415
  case misdirected = 421
  case headTooLarge = 431
  case unavailable = 503
  case otherVersion = 505

  package var reason: String {
    switch self {
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .contentTooLarge: "Content Too Large"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .misdirected: "Misdirected Request"
    case .headTooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    case .otherVersion: "HTTP Version Not Supported"
    }
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends.
  var trimmed: String {
    func isBlank(_ letter: Character) -> Bool { letter == " " || letter == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
