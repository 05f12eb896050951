import Glibc
import Platform

/// Starts other programs.
enum Launcher {
  /// The path of this program, even if the shell found it through PATH.
  static var ownPath: Path {
    guard let real = unsafe realpath("/proc/self/exe", nil) else { return Path("daybook") }
    defer { unsafe free(real) }
    return Path(unsafe String(cString: real))
  }

  /// Runs a program from PATH without input, discards its output, and waits until it ends.
  ///
  /// - Returns: Whether the program ran and exited with code 0.
  static func run(_ words: [String]) -> Bool {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    return unsafe start(words, &actions).flatMap(end) == 0
  }

  /// Runs a shell command, such as a pager, with the given text as its input, and waits until it ends.
  ///
  /// - Returns: Whether the command could be started; the command's own exit code does not matter.
  static func page(_ command: String, _ text: String) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    // Ctrl-C is meant for the pager, which controls the terminal.
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    guard let process = unsafe start(["/bin/sh", "-c", command], &actions) else { return false }
    close(ends[0])
    feed(text, to: ends[1])
    close(ends[1])
    // The shell exits with this code if there is no such command.
    let missing: Int32 = 127
    return end(of: process).map { $0 >> 8 & 0xFF != missing } ?? true
  }

  /// Writes text to a pipe, and stops early if the pipe's reader closes it.
  private static func feed(_ text: String, to pipe: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe write(pipe, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  /// Starts a program with the given file actions and with default handlers for the signals that this program ignores.
  private static func start(
    _ words: [String], _ actions: UnsafePointer<posix_spawn_file_actions_t>
  ) -> pid_t? {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ, SIGINT] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let failure = unsafe posix_spawnp(
      &process, words[0], actions, &attributes, &arguments, environ)
    return failure == 0 ? process : nil
  }

  /// Waits until a process ends.
  ///
  /// - Returns: The status from `waitpid`; nil if the call fails.
  private static func end(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status
  }
}
