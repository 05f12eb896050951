import Console
import Glibc
import Phrasing

/// The standard streams.
enum Stream {
  /// Writes all of a text, or ends the program where nothing can be written.
  static func write(_ text: String, to descriptor: Int32) {
    let bytes = text.utf8.span
    var done = 0
    while done < bytes.count {
      let rest = bytes.extracting(droppingFirst: done)
      let written = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { giveUp(descriptor, errno) }
      done += written
    }
  }

  /// Ends the program; where it is not told who reads, it is told why.
  private static func giveUp(_ descriptor: Int32, _ reason: Int32) -> Never {
    // Whoever read the answer is gone; 141 is how a shell tells that.
    if reason == EPIPE { exit(141) }
    if descriptor != STDERR_FILENO {
      let arguments = Array(CommandLine.arguments.dropFirst())
      write(Console.sentenceOfLostOutput(arguments), to: STDERR_FILENO)
    }
    exit(ExitCode.cannotWrite.rawValue)
  }

  /// Takes the places of streams that are closed, since the next file to be opened would be one of them.
  ///
  /// Nothing can be written to standard output then, and what goes to standard error vanishes.
  static func holdPlaces() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      guard fcntl(descriptor, F_GETFD) < 0 else { continue }
      _ = unsafe open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The next bytes of standard input, which are fewer than asked for only at its end.
  static func readInput(_ count: Int) -> [UInt8] {
    var input: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while input.count < count {
      let found = unsafe read(STDIN_FILENO, &part, min(part.count, count - input.count))
      if found < 0, errno == EINTR { continue }
      guard found > 0 else { break }
      input += part[..<found]
    }
    return input
  }
}
