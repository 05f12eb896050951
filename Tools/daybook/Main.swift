import Console
import Glibc
import Phrasing
import Platform
import PosixPlatform
import SimulatedPlatform
import Synchronization

/// The program, which runs the console on this computer.
@main struct Main {
  /// Whether a signal has asked a long-running command to stop.
  static let isStopping = Atomic(false)
  /// Whether the command has turned out to be one that serves peers.
  private static let isServing = Atomic(false)

  static func main() {
    Stream.holdPlaces()
    let arguments = arguments
    // If the reader of the output has closed it, a write must fail. Without this setting, the signal would end the
    // program in the middle of a command.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit on file sizes must also fail, rather than end a command between two writes.
    signal(SIGXFSZ, SIG_IGN)
    // If this signal is ignored, as the parent process may have requested, the system discards the exit codes of the
    // programs that this program starts.
    signal(SIGCHLD, SIG_DFL)
    // Files that SQLite creates must be private, like all other files of a book.
    umask(0o077)
    let code = Console.run(arguments, in: commandEnvironment)
    if isServing.load(ordering: .relaxed) {
      Backlog.shared.finish(until: { isStopping.load(ordering: .relaxed) })
    }
    exit(code.rawValue)
  }

  /// Prepares the process for a command that ends soon, or for one that runs until it is stopped.
  private static func prepare(for kind: RunKind) {
    if kind == .short { return SystemMemory.takeAtOnce(1 << 19) }
    isServing.store(kind == .serving, ordering: .relaxed)
    // If a process is started with nohup, it ignores SIGHUP and is meant to outlive the terminal.
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !isIgnored(number) {
      hear(number)
    }
    // In addition to the book's files, each session needs an open file.
    SystemLimits.allowOpenFiles(8_192)
  }

  /// Writes to a stream, but never waits for the stream's reader while peers are served.
  private static func write(_ text: String, to stream: Int32) {
    if isServing.load(ordering: .relaxed) {
      Backlog.shared.write(text, to: stream)
    } else {
      Stream.write(text, to: stream)
    }
  }

  /// The arguments after the program's name.
  ///
  /// The program ends if an argument is not valid UTF-8, which is the encoding of all text in a book.
  private static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { place in
      guard let word = unsafe CommandLine.unsafeArgv[place] else { return nil }
      if let text = unsafe String(validatingCString: word) { return text }
      let shown = unsafe String(cString: word)
      Stream.write(
        "daybook: '\(shown.visible)' is not valid UTF-8. Nothing was done.\n",
        to: STDERR_FILENO)
      exit(ExitCode.usage.rawValue)
    }
  }

  /// Whether a signal is ignored because the parent process has requested it.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 rather than a function.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Makes a signal stop a long-running command, even if the parent process has blocked the signal.
  ///
  /// A handler written in `main` would be isolated to the main actor, as `main` is, and would trap if another thread
  /// received the signal.
  private static func hear(_ number: Int32) {
    signal(number) { _ in Main.isStopping.store(true, ordering: .relaxed) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
  }

  private static var commandEnvironment: CommandEnvironment {
    var streams = StandardStreams(
      write: { write($0, to: STDOUT_FILENO) }, writeError: { write($0, to: STDERR_FILENO) },
      readInput: { count in Stream.readInput(count) }, readAnswer: { readLine() })
    streams.isOutputTerminal = isatty(STDOUT_FILENO) == 1
    streams.isErrorTerminal = isatty(STDERR_FILENO) == 1
    streams.isInputTerminal = isatty(STDIN_FILENO) == 1
    streams.line = { () throws(NetworkError) in try StandardLine.take(peer: "standard input") }
    streams.typed = { Terminal.typed }
    streams.forgetTyped = { Terminal.forgetTyped() }
    let variables = variables
    if streams.isOutputTerminal { streams.size = Terminal.size(variables) }
    var process = HostProcess(beside: SystemThread.start)
    process.prepare = { prepare(for: $0) }
    process.program = { Launcher.ownPath }
    process.launch = Launcher.run
    process.page = Launcher.page
    process.expectMemory = SystemMemory.takeAtOnce
    process.keep = { _ = unsafe Unmanaged.passRetained(Kept($0)) }
    process.shouldStop = { isStopping.load(ordering: .relaxed) }
    var environment = CommandEnvironment(
      machine: .system, variables: variables, workingDirectory: Path(workingDirectory),
      hostName: hostName, streams: streams, process: process,
      seededDice: { Seeded(seed: $0) })
    environment.witness = environment.stateFolder
    return environment
  }

  private static var variables: [String: String] {
    var values: [String: String] = [:]
    for name in Variable.allCases.map(\.rawValue) {
      if let value = unsafe getenv(name) { values[name] = unsafe String(cString: value) }
    }
    return values
  }

  private static var workingDirectory: String {
    guard let path = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, 255) == 0 else { return "computer" }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? "computer" : String(decoding: bytes, as: UTF8.self)
  }
}

/// Keeps a value alive until the process ends.
private final class Kept {
  private let value: any Sendable
  init(_ value: any Sendable) { self.value = value }
}
