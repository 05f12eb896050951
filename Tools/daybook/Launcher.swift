import Glibc
import Platform

/// Other programs, as this one starts them.
enum Launcher {
  /// Where this program is, also where it was found along PATH.
  static var ownPath: Path {
    guard let real = unsafe realpath("/proc/self/exe", nil) else { return Path("daybook") }
    defer { unsafe free(real) }
    return Path(unsafe String(cString: real))
  }

  /// Runs a program that is found along PATH, and waits for its end; its words go nowhere.
  ///
  /// - Returns: Whether it ran and ended well.
  static func run(_ words: [String]) -> Bool {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    return unsafe status(of: words, &actions) == 0
  }

  /// Starts a program with files as told, and waits for its end.
  ///
  /// - Returns: How it ended, as `waitpid` tells; nil where it could not be started.
  private static func status(
    of words: [String], _ actions: UnsafePointer<posix_spawn_file_actions_t>
  ) -> Int32? {
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    guard unsafe posix_spawnp(&process, words[0], actions, nil, &arguments, environ) == 0 else {
      return nil
    }
    return end(of: process)
  }

  private static func end(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status
  }
}
