import Console
import Glibc
import Platform
import PosixPlatform
import SimulatedPlatform
import Synchronization

/// The program: this computer's parts, handed to the console.
@main struct Main {
  /// Set by the signals that ask a server to end.
  static let isStopping = Atomic(false)

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // A reader that goes away is told by a failed write, not by a death in the middle of a command.
    signal(SIGPIPE, SIG_IGN)
    if arguments.contains("serve") {
      for number in [SIGINT, SIGTERM] {
        signal(number) { _ in Main.isStopping.store(true, ordering: .relaxed) }
      }
    }
    exit(Console.run(arguments, in: surroundings).rawValue)
  }

  private static var surroundings: Surroundings {
    var surroundings = Surroundings(
      machine: .system, environment: environment,
      workingDirectory: Path(workingDirectory), hostName: hostName,
      write: { write($0, to: STDOUT_FILENO) }, writeError: { write($0, to: STDERR_FILENO) },
      readInput: { limit in readInput(limit) }, readAnswer: { readLine() },
      beside: SystemThread.start, seededDice: { Seeded(seed: $0) })
    surroundings.isOutputTerminal = isatty(STDOUT_FILENO) == 1
    surroundings.isErrorTerminal = isatty(STDERR_FILENO) == 1
    surroundings.isInputTerminal = isatty(STDIN_FILENO) == 1
    surroundings.shouldStop = { isStopping.load(ordering: .relaxed) }
    return surroundings
  }

  private static var environment: [String: String] {
    let names = [
      "DAYBOOK_DIR", "DAYBOOK_NOW", "HOME", "XDG_DATA_HOME", "NO_COLOR", "TERM", "TMPDIR",
    ]
    var values: [String: String] = [:]
    for name in names {
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

  private static func write(_ text: String, to descriptor: Int32) {
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

  private static func readInput(_ limit: Int) -> [UInt8]? {
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
