import Console
import Glibc

/// The standard streams.
enum Stream {
  /// Writes all of a text, or ends the program where nothing can be written.
  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if written < 0, errno == EINTR { continue }
      // Whoever read the answer is gone; 141 is how a shell tells that.
      guard written > 0 else { exit(errno == EPIPE ? 141 : ExitCode.cannotWrite.rawValue) }
      rest = rest.dropFirst(written)
    }
  }

  /// All of standard input, or nil when there is more than the limit.
  static func readInput(_ limit: Int) -> [UInt8]? {
    var input: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(STDIN_FILENO, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return input }
      guard input.count + count <= limit else { return nil }
      input += part[..<count]
    }
  }
}
