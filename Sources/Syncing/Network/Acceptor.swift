import Platform

/// Accepts the callers of a listener, with a pause after a failure.
struct Acceptor {
  private let poller: any Poller
  /// Identifies the listener at the poller.
  private let token: UInt64
  private var listener: (any Listener)?
  /// How many times in a row no caller could be accepted.
  private var failures = 0
  /// When callers are accepted again, on the monotonic clock; `Int64.max` if there is no pause.
  private(set) var pauseEnd = Int64.max

  init(on poller: any Poller, as token: UInt64) { (self.poller, self.token) = (poller, token) }

  /// Waits for callers of a listener from now on.
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
  /// A caller that has disconnected, or a lack of descriptors, says nothing about the next caller.
  ///
  /// - Returns: Whether it is the first one in a row.
  /// - Throws: The error, if no caller can be accepted any more.
  mutating func noteFailure(_ error: NetworkError) throws(SyncError) -> Bool {
    failures += 1
    guard error != .cut, failures < Limit.doorFailures else { throw .network(error) }
    return failures == 1
  }

  /// Accepts no caller until a moment.
  ///
  /// Otherwise the poller would report the waiting caller again and again.
  mutating func pause(until end: Int64) throws(SyncError) {
    try onNetwork { () throws(NetworkError) in try poller.change(token, to: []) }
    pauseEnd = end
  }

  /// Ends a pause whose time is over.
  mutating func resume(at now: Int64) {
    guard pauseEnd <= now else { return }
    pauseEnd = .max
    // If this fails, the listener is gone, and the next turn reports that.
    try? poller.change(token, to: .reading)
  }

  /// Accepts no caller any more.
  mutating func close() {
    if listener != nil { poller.remove(token) }
    (listener, pauseEnd) = (nil, .max)
  }
}
