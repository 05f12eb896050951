import Glibc
import Platform
import Synchronization

/// A running program, connected by a pair of sockets to its standard input and output.
///
/// Because one socket serves both directions, the line is polled and closed like any other line, and a program that has
/// ended causes an error rather than a signal.
final class PosixProgram: ProgramLine, SocketLine {
  let peer: String
  let socket: Socket
  private let process: ChildProcess

  init(
    running command: [String], to peer: String, in programs: ProgramRegistry
  ) throws(NetworkError) {
    self.peer = peer
    do throws(Errno) {
      let ends = try Self.socketPair()
      defer { _ = Glibc.close(ends.theirs) }
      process = try closingOnFailure(ends.ours) { () throws(Errno) in
        try programs.start { () throws(Errno) in
          try ChildProcess(running: command, on: ends.theirs, in: programs)
        }
      }
      socket = Socket(ends.ours, address: peer)
    } catch {
      throw error.code == ENOENT ? .noProgram(command[0]) : NetworkError(error, at: peer)
    }
  }

  deinit { close() }

  /// Creates two connected sockets, of which only this end is non-blocking.
  private static func socketPair() throws(Errno) -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    _ = try answer { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
    let (ours, theirs) = (ends[0], ends[1])
    try closingOnFailure(theirs) { () throws(Errno) in
      try closingOnFailure(ours) { () throws(Errno) in
        _ = try answer { fcntl(ours, F_SETFL, O_NONBLOCK) }
      }
    }
    return (ours, theirs)
  }

  func close() {
    socket.close()
    process.release()
  }

  func end(patienceMilliseconds: Int) -> ProgramEnd? {
    process.end(patienceMilliseconds: patienceMilliseconds)
  }
}
