import Console
import Glibc

/// The terminal that standard output is.
enum Terminal {
  /// How much fits on it: as it says itself, as the environment says, or as on the first of all.
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
}
