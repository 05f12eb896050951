/// Limits on requests and connections.
package enum HTTPLimit {
  /// The bytes of a request line and all header fields.
  package static let headBytes = 16 << 10
  package static let bodyBytes = 1 << 20
  package static let fields = 64
  /// How long a request may take to arrive.
  static let requestMilliseconds: Int64 = 10_000
  /// How long a connection may be idle between two requests.
  static let idleMilliseconds: Int64 = 60_000
  /// How long a refused connection stays open, as the client may still be sending.
  static let lingerMilliseconds: Int64 = 1_000
  static let connections = 64
  static let streams = 8
  /// How many bytes may wait to be sent on a stream; a slower client is dropped.
  static let unsentBytes = 256 << 10
  /// How long a stream may be silent before a heartbeat is sent.
  static let heartbeatMilliseconds: Int64 = 15_000
}
