import Glibc
import Platform
import Synchronization

/// A process that this process has started, until its status has been collected.
final class ChildProcess: Sendable {
  private struct State {
    var end: ProgramEnd?
    var isReleased = false
  }

  private let id: pid_t
  private let programs: ProgramRegistry
  private let state = Mutex(State())

  /// The time that a process has to end after its line has been closed, in milliseconds.
  static let lastMilliseconds = 2_000
  /// The interval at which to check whether the process has ended, in milliseconds.
  static let lookMilliseconds: Int64 = 2

  /// Starts a program from PATH, using a descriptor as the program's standard input and output.
  init(
    running command: [String], on stream: Int32, in programs: ProgramRegistry
  ) throws(Errno) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for target in [STDIN_FILENO, STDOUT_FILENO] {
      unsafe posix_spawn_file_actions_adddup2(&actions, stream, target)
    }
    id = try unsafe Self.start(command, &actions)
    self.programs = programs
  }

  /// Starts a program with the default actions for the signals that this process may ignore.
  private static func start(
    _ command: [String], _ actions: UnsafePointer<posix_spawn_file_actions_t>
  ) throws(Errno) -> pid_t {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let failure = unsafe posix_spawnp(
      &process, command[0], actions, &attributes, &arguments, environ)
    guard failure == 0 else { throw Errno(code: failure) }
    return process
  }

  /// Waits until the process has ended; returns nil if it is still running after the patience.
  func end(patienceMilliseconds: Int) -> ProgramEnd? {
    let clock = SystemTimekeeper()
    let deadline = clock.monotonicMilliseconds() + Int64(patienceMilliseconds)
    while true {
      if let end = collect() { return end }
      guard clock.monotonicMilliseconds() < deadline else { return nil }
      clock.pause(milliseconds: Self.lookMilliseconds)
    }
  }

  /// Whether ``release()`` has been called.
  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// Ensures that the process ends and its status is collected, without waiting for either.
  func release() {
    let isFirst = state.withLock { state in
      defer { state.isReleased = true }
      return !state.isReleased
    }
    guard isFirst, collect() == nil else { return }
    SystemThread.start { [self] in
      if end(patienceMilliseconds: Self.lastMilliseconds) == nil { send(SIGTERM) }
      if end(patienceMilliseconds: Self.lastMilliseconds) == nil { send(SIGKILL) }
      _ = end(patienceMilliseconds: Int(Int32.max))
    }
  }

  /// Sends a signal, unless the status has been collected, because the process's number may then belong to another
  /// process.
  func send(_ signal: Int32) {
    state.withLock { state in
      if state.end == nil { _ = kill(id, signal) }
    }
  }

  /// Collects the status if the process has ended.
  private func collect() -> ProgramEnd? {
    state.withLock { state in
      guard state.end == nil else { return state.end }
      state.end = Self.status(of: id)
      if state.end != nil { programs.remove(self) }
      return state.end
    }
  }

  /// Returns the status of a process that has ended; nil while the process is running.
  private static func status(of process: pid_t) -> ProgramEnd? {
    var status: Int32 = 0
    let found = unsafe waitpid(process, &status, WNOHANG)
    if found == 0 || found < 0 && errno == EINTR { return nil }
    // If this process ignores SIGCHLD, the system does not keep the status.
    guard found == process, status & 0x7f == 0 else { return .killed }
    return .exit(code: status >> 8 & 0xff)
  }
}
