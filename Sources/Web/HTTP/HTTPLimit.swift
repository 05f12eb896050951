/// Limits on requests and connections.
package enum HTTPLimit {
  /// The maximum number of bytes in a request line and all header fields.
  package static let headBytes = 16 << 10
  package static let bodyBytes = 1 << 20
  package static let fields = 64
  /// The time within which a request must arrive.
  static let requestMilliseconds: Int64 = 10_000
  /// The maximum time that a connection may be idle between two requests.
  static let idleMilliseconds: Int64 = 60_000
  /// The time that a refused connection stays open, because the client may still be sending.
  static let lingerMilliseconds: Int64 = 1_000
  static let connections = 64
  static let streams = 8
  /// The maximum number of bytes waiting to be sent on a stream; slower clients are dropped.
  static let unsentBytes = 256 << 10
  /// The time for which a stream may be silent before a heartbeat is sent.
  static let heartbeatMilliseconds: Int64 = 15_000
}
