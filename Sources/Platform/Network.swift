/// Connects this machine to other machines by byte streams.
///
/// A *patience* is the time for which a call waits without making any progress. With a patience of zero, a call does
/// not wait.
public protocol Network: Sendable {
  /// Listens for callers at an address of this machine; port 0 selects a free port.
  func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener

  /// Connects to another machine.
  func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line

  /// Runs a program on this machine, and connects to its standard input and output.
  ///
  /// No shell is involved. The program is looked up as the machine usually looks up programs. The program inherits the
  /// environment, standard error, the terminal, and every open file without the close-on-exec flag; daybook's own files
  /// have this flag.
  ///
  /// - Parameters:
  ///   - command: The program's name, and its arguments.
  ///   - peer: The address to which the program connects, for messages to the user.
  /// - Returns: The line, on which the program may already have ended.
  /// - Throws: ``NetworkError/noProgram(_:)`` if there is no such program.
  func run(_ command: [String], to peer: String) throws(NetworkError) -> any ProgramLine

  /// Creates a poller for the lines and listeners of this network and the watches of this machine.
  func poller() throws(NetworkError) -> any Poller

  /// Returns the addresses at which other machines may reach this machine, most likely first.
  func addresses() throws(NetworkError) -> [String]
}

extension Network {
  /// Throws an error, because a network runs no programs by default.
  public func run(
    _ command: [String], to peer: String
  ) throws(NetworkError) -> any ProgramLine { throw .noProgram(command[0]) }

  /// Returns no addresses.
  public func addresses() throws(NetworkError) -> [String] { [] }
}

/// Accepts connections on a port.
public protocol Listener: Pollable {
  /// The port to which callers connect.
  var port: UInt16 { get }

  /// Accepts the next connection; returns nil if none arrived in time, or if the caller has already disconnected.
  func accept(patienceMilliseconds: Int) throws(NetworkError) -> (any Line)?

  /// Stops accepting connections, and ends a waiting ``accept(patienceMilliseconds:)``.
  func close()
}

/// A stream of bytes in both directions.
public protocol Line: Pollable {
  /// Receives between one and `count` bytes; an empty result means that the peer has closed the line.
  func receive(upTo count: Int, patienceMilliseconds: Int) throws(NetworkError) -> [UInt8]

  /// Sends all the bytes.
  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError)

  /// Sends as many of the first bytes as the line accepts without waiting, and returns their number.
  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int

  /// Closes the line, and ends any call that waits on it.
  func close()

  /// The peer's address and port, for messages to the user.
  var peer: String { get }
}

/// The reason why a network call failed.
public enum NetworkError: Error, Hashable, Sendable {
  /// There is no listener at the address.
  case refused(String)
  /// There is no route to the address.
  case unreachable
  /// Another listener uses the port.
  case portInUse
  /// There was no progress within the caller's patience.
  case timedOut
  /// The line broke, or this end of it was closed.
  case cut
  /// The host name has no address.
  case unknownHost
  /// There is no program with this name.
  case noProgram(String)
  /// The user lacks permission.
  case notPermitted
  /// Any other reason, as a Linux error number.
  case other(Int32)
}
