import Glibc
package import Platform

/// The network of this computer, which provides TCP over IPv4 and IPv6, and programs that connect to other machines.
package struct PosixNetwork: Network {
  private let programs: ProgramRegistry

  package init() { self.init(programs: .shared) }

  init(programs: ProgramRegistry) { self.programs = programs }

  package func listen(host: String, port: UInt16) throws(NetworkError) -> any Listener {
    let addresses = try SocketAddress.resolve(host: host, port: port, flags: AI_PASSIVE)
    return try firstSuccess(addresses) { (address) throws(NetworkError) in
      try PosixListener(on: address)
    }
  }

  package func dial(
    host: String, port: UInt16, patienceMilliseconds: Int
  ) throws(NetworkError) -> any Line {
    let addresses = try SocketAddress.resolve(host: host, port: port, flags: 0)
    return try firstSuccess(addresses) { (address) throws(NetworkError) in
      try PosixLine(dialing: address, patienceMilliseconds: patienceMilliseconds)
    }
  }

  package func run(
    _ command: [String], to peer: String
  ) throws(NetworkError) -> any ProgramLine {
    try PosixProgram(running: command, to: peer, in: programs)
  }

  package func poller() throws(NetworkError) -> any Poller {
    do throws(Errno) { return try PosixPoller() } catch { throw NetworkError(error, at: "poller") }
  }

  /// Tries the addresses in order.
  ///
  /// If all addresses fail, the first error is thrown, because it concerns the best address.
  private func firstSuccess<Value>(
    _ addresses: [SocketAddress], _ attempt: (SocketAddress) throws(NetworkError) -> Value
  ) throws(NetworkError) -> Value {
    var failure: NetworkError?
    for address in addresses {
      do throws(NetworkError) { return try attempt(address) } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? .unknownHost
  }
}

/// Creates a non-blocking socket that executed programs do not inherit.
private func makeSocket(for address: SocketAddress) throws(Errno) -> Int32 {
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  return try answer { socket(address.family, kind, 0) }
}

private func set(_ option: Int32, of level: Int32, on descriptor: Int32) throws(Errno) {
  var yes: Int32 = 1
  let size = socklen_t(MemoryLayout<Int32>.size)
  _ = try answer { unsafe setsockopt(descriptor, level, option, &yes, size) }
}

private final class PosixListener: Listener, Described {
  private let socket: Socket
  let port: UInt16

  init(on address: SocketAddress) throws(NetworkError) {
    do throws(Errno) {
      let descriptor = try makeSocket(for: address)
      port = try closingOnFailure(descriptor) { () throws(Errno) in
        // Without this option, a restarted server would have to wait about a minute for its port.
        try set(SO_REUSEADDR, of: SOL_SOCKET, on: descriptor)
        _ = try answer { unsafe address.lend { unsafe bind(descriptor, $0, $1) } }
        _ = try answer { Glibc.listen(descriptor, SOMAXCONN) }
        return try unsafe SocketAddress { unsafe getsockname(descriptor, $0, $1) }.port
      }
      socket = Socket(descriptor, address: address.text)
    } catch {
      throw NetworkError(error, at: address.text)
    }
  }

  func accept(patienceMilliseconds: Int) throws(NetworkError) -> (any Line)? {
    do throws(NetworkError) {
      return try socket.waiting(for: POLLIN, patienceMilliseconds: patienceMilliseconds) {
        (descriptor) throws(Errno) in
        try PosixLine(acceptedFrom: descriptor)
      }
    } catch {
      // It is not an error of the listener if a caller disconnects before it is accepted.
      if error == .timedOut || (error == .cut && !socket.isClosed) { return nil }
      throw error
    }
  }

  func lend<Value>(
    to call: (Int32) throws(Errno) -> Value
  ) throws(NetworkError) -> Value { try socket.lend(to: call) }

  func close() { socket.close() }
}

private final class PosixLine: SocketLine {
  let socket: Socket

  var peer: String { socket.address }

  init(dialing address: SocketAddress, patienceMilliseconds: Int) throws(NetworkError) {
    do throws(Errno) {
      let descriptor = try makeSocket(for: address)
      // Messages are sent whole, so waiting to fill a packet would only delay the answer.
      try closingOnFailure(descriptor) { () throws(Errno) in
        try set(Int32(TCP_NODELAY), of: Int32(IPPROTO_TCP), on: descriptor)
      }
      socket = Socket(descriptor, address: address.text)
    } catch {
      throw NetworkError(error, at: address.text)
    }
    try socket.waiting(for: POLLOUT, patienceMilliseconds: patienceMilliseconds) {
      (descriptor) throws(Errno) in
      do throws(Errno) {
        // When the socket is writable, a second call of connect reports the result of the first.
        _ = try answer { unsafe address.lend { unsafe connect(descriptor, $0, $1) } }
      } catch {
        if error.code == EALREADY { throw Errno(code: EINPROGRESS) }
        if error.code != EISCONN { throw error }
      }
    }
  }

  init(acceptedFrom listener: Int32) throws(Errno) {
    var descriptor: Int32 = -1
    let address = try unsafe SocketAddress { address, length in
      descriptor = unsafe accept(listener, address, length)
      return descriptor
    }
    let accepted = descriptor
    try closingOnFailure(accepted) { () throws(Errno) in
      _ = try answer { fcntl(accepted, F_SETFD, FD_CLOEXEC) }
      _ = try answer { fcntl(accepted, F_SETFL, O_NONBLOCK) }
      try set(Int32(TCP_NODELAY), of: Int32(IPPROTO_TCP), on: accepted)
    }
    socket = Socket(accepted, address: address.text)
  }

  func close() { socket.close() }
}
