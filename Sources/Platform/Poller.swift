/// Waits for many lines, listeners and watches at once, each under a number of its owner's.
///
/// One caller adds, changes, removes and waits; anybody may wake it. What is ready is told each time
/// until it is so no more: until what has come is taken, or there is no room for more.
public protocol Poller: Sendable {
  /// Whether it can wait for something; what is of another platform has to be asked.
  func canWait(for subject: any Pollable) -> Bool

  /// Waits for something from now on; it stays alive until it is removed.
  ///
  /// - Precondition: Nothing else has the token, and it can be waited for.
  func add(
    _ subject: any Pollable, as token: UInt64, for interest: Interest
  ) throws(NetworkError)

  /// Waits from now on for something else of what is known by a token.
  func change(_ token: UInt64, to interest: Interest) throws(NetworkError)

  /// Waits no longer for what is known by a token.
  func remove(_ token: UInt64)

  /// Waits until something is ready.
  ///
  /// A call may end early with nothing, as it does when somebody wakes it or a signal reaches the
  /// process. A line that is broken is ready for everything, whatever is waited for.
  ///
  /// - Parameter patienceMilliseconds: How long to wait; nil is for ever, and zero does not wait.
  /// - Returns: What is ready, not necessarily all of it: the rest is told by the next call.
  /// - Throws: What the machine says, which is no fault of anything that was added.
  func wait(patienceMilliseconds: Int?) throws(NetworkError) -> [Readiness]

  /// Ends the call that waits, or else the next one.
  func wake()
}

/// Something that a ``Poller`` of the same platform waits for: a line, a listener or a watch.
public protocol Pollable: Sendable {}

/// What somebody waits for.
public struct Interest: OptionSet, Hashable, Sendable {
  /// One bit for each thing that may be waited for.
  public let rawValue: UInt8

  /// Waits for what the bits say.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Something has come: bytes, a caller, news, or an end.
  public static let reading = Interest(rawValue: 1)
  /// A line takes bytes.
  public static let writing = Interest(rawValue: 2)
}

/// What is ready, and for what.
public struct Readiness: Hashable, Sendable {
  /// The number under which it was added.
  public var token: UInt64
  /// What can be done without waiting.
  public var interest: Interest

  /// Tells that what has this token is ready for something.
  public init(token: UInt64, interest: Interest) {
    (self.token, self.interest) = (token, interest)
  }
}
