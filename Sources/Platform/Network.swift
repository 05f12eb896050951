/// The way to other machines: streams of bytes, nothing more.
///
/// Patience is how long a call waits while nothing moves at all; zero asks and does not wait.
public protocol Network: Sendable {
  /// Waits for callers at an address of this machine; port 0 takes any free one.
  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener

  /// Calls another machine.
  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line

  /// Makes what waits for many of this network's lines, and this machine's watches, at once.
  func poller() throws(NetworkError) -> any Poller

  /// The addresses under which other machines may reach this one, the likeliest first.
  func addresses() throws(NetworkError) -> [String]
}

extension Network {
  /// Knows none.
  public func addresses() throws(NetworkError) -> [String] { [] }
}

/// A place where callers arrive.
public protocol Listener: Pollable {
  /// The port callers dial.
  var port: UInt16 { get }

  /// Takes the next caller, or returns nil when none came in time.
  func accept(patienceMilliseconds: Int) throws(NetworkError) -> (any Line)?

  /// Turns callers away from now on, and ends an `accept` that waits.
  func close()
}

/// A stream of bytes in both directions.
public protocol Line: Pollable {
  /// Takes what has arrived, at least one byte; none at all means that the peer closed.
  func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8]

  /// Hands over all the bytes.
  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError)

  /// Hands over the first of the bytes, as many as are taken at once, and returns how many; it never waits.
  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int

  /// Ends the line, and any call that waits on it.
  func close()

  /// The other end's address and port, for messages to people.
  var peer: String { get }
}

/// Why the network did not do what was asked.
public enum NetworkError: Error, Hashable, Sendable {
  /// Nobody listens at the address.
  case refused(String)
  /// No road leads there.
  case unreachable
  /// Another listener has the port.
  case portInUse
  /// Nothing moved within the caller's patience.
  case timedOut
  /// The line broke, or this end was closed.
  case cut
  /// The name means no address.
  case unknownHost
  /// The user may not.
  case notPermitted
  /// Any other reason, by its Linux error number.
  case other(Int32)
}
