import Glibc
package import Platform

/// The standard input and output of this process, used as a line to the program that started the process.
package final class StandardLine: Line, Described {
  private let input: Socket
  private let sink: Socket
  /// The flags of both descriptors before they were made non-blocking.
  private let flags: [Int32]

  package let peer: String

  var output: Socket? { sink }

  /// Takes over both streams.
  ///
  /// From then on, text for standard output is written to standard error, so that it cannot damage the stream of bytes.
  ///
  /// - Returns: The line; nil unless both streams are pipes or sockets.
  package static func take(peer: String) throws(NetworkError) -> StandardLine? {
    let streams = [STDIN_FILENO, STDOUT_FILENO]
    guard streams.allSatisfy(isPipe) else { return nil }
    do throws(Errno) { return try StandardLine(peer: peer) } catch {
      throw NetworkError(error, at: peer)
    }
  }

  private init(peer: String) throws(Errno) {
    self.peer = peer
    let reading = try answer { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
    let writing = try closingOnFailure(reading) { () throws(Errno) in
      try answer { fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) }
    }
    (input, sink) = (Socket(reading, address: peer), Socket(writing, address: peer))
    let before = [reading, writing].map { fcntl($0, F_GETFL) }
    flags = before
    for (descriptor, flags) in zip([reading, writing], before) {
      _ = try answer { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }
    _ = try answer { dup2(STDERR_FILENO, STDOUT_FILENO) }
    let null = try answer { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
    _ = try answer { dup2(null, STDIN_FILENO) }
    _ = Glibc.close(null)
  }

  deinit { close() }

  package func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    precondition(count > 0, "an empty result would look like a closed line")
    let sink = sink
    let received = try input.waiting(for: POLLIN, patienceMilliseconds: patienceMilliseconds) {
      (descriptor) throws(Errno) in
      var bytes = [UInt8](repeating: 0, count: count)
      do throws(Errno) {
        bytes.removeLast(count - (try answer { unsafe read(descriptor, &bytes, count) }))
      } catch {
        // The poller reports a broken output again and again, so a broken output must end the line.
        if error.code == EAGAIN, sink.isBroken { throw Errno(code: EPIPE) }
        throw error
      }
      return bytes
    }
    if received.isEmpty, input.isClosed { throw .cut }
    return received
  }

  package func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest
      rest = rest.dropFirst(
        try sink.waiting(for: POLLOUT, patienceMilliseconds: patienceMilliseconds) {
          (descriptor) throws(Errno) in
          try Self.write(part, to: descriptor)
        })
    }
  }

  package func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    return try sink.lend { (descriptor) throws(Errno) in
      do throws(Errno) { return try Self.write(bytes, to: descriptor) } catch {
        if error.code == EAGAIN { return 0 }
        throw error
      }
    }
  }

  func lend<Value>(
    to call: (Int32) throws(Errno) -> Value
  ) throws(NetworkError) -> Value { try input.lend(to: call) }

  package func close() {
    for (socket, flags) in zip([input, sink], flags) where !socket.isClosed {
      // Another process may use the same pipe after this process.
      try? socket.lend { descriptor in _ = fcntl(descriptor, F_SETFL, flags) }
      socket.close()
    }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(Errno) -> Int {
    try answer {
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
    }
  }

  /// Returns whether a descriptor is a pipe or a socket.
  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }
}

extension Socket {
  /// Whether nothing will read what is written to the descriptor.
  fileprivate var isBroken: Bool {
    let events = try? lend { descriptor in
      var interest = pollfd(fd: descriptor, events: 0, revents: 0)
      return unsafe poll(&interest, 1, 0) > 0 ? Int32(interest.revents) : 0
    }
    return (events ?? POLLERR) & (POLLERR | POLLHUP) != 0
  }
}
