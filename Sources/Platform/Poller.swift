/// Waits for many lines, listeners and watches at once, each identified by a token.
///
/// Subjects are added, changed, removed and waited for by one caller at a time, but any thread may call ``wake()``.
/// Each wait reports a subject again until its data is taken or it no longer accepts bytes.
public protocol Poller: Sendable {
  /// Returns whether this poller can wait for a subject.
  ///
  /// A subject of a different platform must be polled with its own methods.
  func canWait(for subject: any Pollable) -> Bool

  /// Starts waiting for a subject, and keeps the subject alive until it is removed.
  ///
  /// - Precondition: The token is unused, and ``canWait(for:)`` is true for the subject.
  func add(
    _ subject: any Pollable, as token: UInt64, for interest: Interest
  ) throws(NetworkError)

  /// Changes the conditions to wait for on the subject with the given token.
  func change(_ token: UInt64, to interest: Interest) throws(NetworkError)

  /// Stops waiting for the subject with the given token.
  func remove(_ token: UInt64)

  /// Waits until a subject is ready.
  ///
  /// The call may return early with an empty result, for example after ``wake()`` or a signal. A broken line is ready
  /// for reading and writing, regardless of the conditions to wait for.
  ///
  /// - Parameter patienceMilliseconds: The maximum time to wait. If it is nil, the call waits indefinitely; if it is
  ///   zero, the call does not wait.
  /// - Returns: Subjects that are ready, but not necessarily all of them. The next call reports the rest.
  /// - Throws: An error of the poll itself, but not an error of a subject.
  func wait(patienceMilliseconds: Int?) throws(NetworkError) -> [Readiness]

  /// Ends the current ``wait(patienceMilliseconds:)``, or the next call if no caller is waiting.
  func wake()
}

/// A subject that a ``Poller`` of the same platform can wait for: a line, a listener or a watch.
public protocol Pollable: Sendable {}

/// The conditions to wait for.
public struct Interest: OptionSet, Hashable, Sendable {
  /// The bits of the set, one for each condition.
  public let rawValue: UInt8

  /// Creates a set of conditions from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is something to read: bytes, a caller, a change or an end.
  public static let reading = Interest(rawValue: 1)
  /// The line accepts bytes.
  public static let writing = Interest(rawValue: 2)
}

/// A subject that is ready, and its conditions.
public struct Readiness: Hashable, Sendable {
  /// The token under which the subject was added.
  public var token: UInt64
  /// The operations that will not wait.
  public var interest: Interest

  /// Creates the readiness of the subject with the given token.
  public init(token: UInt64, interest: Interest) {
    (self.token, self.interest) = (token, interest)
  }
}
