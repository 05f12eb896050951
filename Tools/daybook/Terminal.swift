import Console
import Glibc

/// The terminal connected to standard output and standard input.
enum Terminal {
  /// Returns the size that the terminal reports.
  ///
  /// If it reports none, the width is that in the environment, or 80 columns, and the height is 24 lines.
  static func size(_ environment: [String: String]) -> (columns: Int, lines: Int) {
    var size = winsize()
    let isTold = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    let columns = isTold && size.ws_col > 0 ? Int(size.ws_col) : nil
    let lines = isTold && size.ws_row > 0 ? Int(size.ws_row) : nil
    let said = environment[Variable.columns.rawValue].flatMap { Int($0) }.flatMap {
      $0 > 0 ? $0 : nil
    }
    return (columns ?? said ?? 80, lines ?? 24)
  }

  /// The next line that the user types; reading from a terminal returns one line at a time.
  static var typed: Typed {
    guard isOurs else { return .nothing }
    var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    // If the terminal has been disconnected, no answer can be typed. A disconnection is not treated as the end of the
    // input.
    guard unsafe poll(&wanted, 1, 0) > 0, Int32(wanted.revents) & POLLHUP == 0 else {
      return .nothing
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 12)
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    guard count >= 0 else { return .nothing }
    guard count > 0 else { return .end }
    return .line(String(decoding: bytes[..<count].prefix { $0 != 0x0a }, as: UTF8.self))
  }

  /// Discards unread input.
  static func forgetTyped() {
    if isOurs { _ = tcflush(STDIN_FILENO, TCIFLUSH) }
  }

  /// Whether this process may read from the terminal.
  ///
  /// A background process would be stopped for reading from it.
  private static var isOurs: Bool {
    let owner = tcgetpgrp(STDIN_FILENO)
    // If a terminal does not control this process, it cannot stop the process.
    return owner < 0 || owner == getpgrp()
  }
}
