package import HTTP

/// An HTTP/1.1 request.
package struct HTTPRequest: Equatable, Sendable {
  package var method: String
  /// The path and query as they were sent.
  package var target: String
  package var fields: [HeaderField]
  package var body: [UInt8] = []

  /// Returns the values of all fields with the given name, which is in lowercase.
  package func values(of name: String) -> [String] { fields.values(of: name) }

  /// Returns the value of a field that occurs exactly once; nil otherwise.
  package func only(_ name: String) -> String? { fields.only(name) }

  /// Whether the connection must close after the response.
  package var wantsClose: Bool { fields.wantsClose }

  /// The media type of the body in lowercase, without parameters.
  package var contentType: String? {
    only("content-type")?.split(separator: ";").first.map { $0.trimmed.lowercased() }
  }
}

/// The reason why a request is refused; the raw value is the status code.
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
