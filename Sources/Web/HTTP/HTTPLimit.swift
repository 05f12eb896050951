/// What a browser may ask for at most.
package enum HTTPLimit {
  /// Bytes of a request line with all fields behind it.
  package static let headBytes = 16 << 10
  package static let bodyBytes = 1 << 20
  package static let fields = 64
  /// How long a request may take to come.
  static let requestMilliseconds: Int64 = 10_000
  /// How long a connection may say nothing between two requests.
  static let idleMilliseconds: Int64 = 60_000
  /// How long one is listened to that was told off and may still be sending.
  static let lingerMilliseconds: Int64 = 1_000
  static let connections = 64
  static let streams = 8
  /// Bytes that wait for a client who does not take them; one who lets more wait is dropped.
  static let unsentBytes = 256 << 10
  /// After such silence a stream says that it is still there.
  static let heartbeatMilliseconds: Int64 = 15_000
}
