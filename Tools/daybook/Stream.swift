import Console
import Glibc
import Phrasing

/// The standard streams.
enum Stream {
  /// Writes all of the given text, or ends the program if that fails.
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

  /// Ends the program, and reports the lost output on standard error unless that stream failed or the reader has closed
  /// the stream.
  private static func giveUp(_ descriptor: Int32, _ reason: Int32) -> Never {
    // The reader has closed the stream. Shells report code 141 for a program that SIGPIPE has ended.
    if reason == EPIPE { exit(141) }
    if descriptor != STDERR_FILENO {
      let arguments = Array(CommandLine.arguments.dropFirst())
      write(Console.sentenceOfLostOutput(arguments), to: STDERR_FILENO)
    }
    exit(ExitCode.cannotWrite.rawValue)
  }

  /// Opens /dev/null for each closed standard stream, because the next file that is opened would otherwise use the
  /// stream's descriptor.
  ///
  /// If such a stream is standard output, writes to it fail. If it is standard error, they are discarded.
  static func holdPlaces() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      guard fcntl(descriptor, F_GETFD) < 0 else { continue }
      _ = unsafe open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Returns the next bytes of standard input; fewer than `count` only at the end of the input.
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
