import Platform

/// Accepts a listener's callers, and pauses after a failure.
struct Acceptor {
  /// The maximum number of callers accepted in a turn.
  static let callersAtOnce = 16
  /// The pause after a failure to accept a caller.
  static let pauseMilliseconds: Int64 = 200
  /// The number of successive failures, for lack of memory or descriptors, after which the server gives up.
  private static let maximumFailures = 3_000

  private let poller: any Poller
  /// Identifies the listener to the poller.
  private let token: UInt64
  private var listener: (any Listener)?
  /// The number of successive failures to accept a caller.
  private var failures = 0
  /// The time at which callers are accepted again, according to the monotonic clock; `Int64.max` if there is no pause.
  private(set) var pauseEnd = Int64.max

  init(on poller: any Poller, as token: UInt64) { (self.poller, self.token) = (poller, token) }

  /// Starts to accept callers of the given listener.
  mutating func listen(_ listener: any Listener) throws(SyncError) {
    try onNetwork { () throws(NetworkError) in try poller.add(listener, as: token, for: .reading) }
    self.listener = listener
  }

  /// Accepts a waiting caller, or returns nil if there is none.
  mutating func accept() throws(NetworkError) -> (any Line)? {
    guard let line = try listener?.accept(patienceMilliseconds: 0) else { return nil }
    failures = 0
    return line
  }

  /// Counts a failure to accept a caller.
  ///
  /// The next caller can be accepted after an error that concerns only one caller, such as a disconnection, and after a
  /// temporary lack of descriptors.
  ///
  /// - Returns: Whether this is the first failure in a row.
  /// - Throws: The error, if callers can no longer be accepted.
  mutating func noteFailure(_ error: NetworkError) throws(SyncError) -> Bool {
    failures += 1
    guard error != .cut, failures < Self.maximumFailures else { throw .network(error) }
    return failures == 1
  }

  /// Accepts no caller until the given time.
  ///
  /// Without a pause, the poller would report the waiting caller again and again.
  mutating func pause(until end: Int64) throws(SyncError) {
    try onNetwork { () throws(NetworkError) in try poller.change(token, to: []) }
    pauseEnd = end
  }

  /// Ends a pause whose time has passed.
  mutating func resume(at now: Int64) {
    guard pauseEnd <= now else { return }
    pauseEnd = .max
    // If this fails, the listener no longer exists, and the next turn reports that.
    try? poller.change(token, to: .reading)
  }

  /// Accepts no more callers.
  mutating func close() {
    if listener != nil { poller.remove(token) }
    (listener, pauseEnd) = (nil, .max)
  }
}
