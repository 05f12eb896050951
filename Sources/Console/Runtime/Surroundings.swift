package import Platform
package import ReadModel

/// What a terminal has to say at a moment.
package enum Typed: Hashable, Sendable {
  case nothing
  case line(String)
  /// The user has ended the input.
  case end
}

/// What the console asks of the world: a machine, an environment, and the standard streams.
///
/// It is one value, so that a whole run of the program is a function of it and of its arguments.
package struct Surroundings: Sendable {
  package var machine: Machine
  package var environment: [String: String]
  /// Where relative paths begin.
  package var workingDirectory: Path
  /// What this computer is called, for the name of the device.
  package var hostName: String
  package var isOutputTerminal = false
  package var isErrorTerminal = false
  /// How much fits on the terminal; nil where standard output is none.
  package var size: (columns: Int, lines: Int)?
  package var isInputTerminal = false
  /// Where read models are kept; in the folder of the book, if nothing is said.
  package var view: ReadModel.Place?
  /// Where the ends of the own logs are remembered outside of the book, if anywhere.
  package var witness: Path?
  /// Writes to standard output.
  package var write: @Sendable (String) -> Void
  /// Writes to standard error.
  package var writeError: @Sendable (String) -> Void
  /// The next bytes of standard input, which are fewer than asked for only at its end.
  package var readInput: @Sendable (_ count: Int) -> [UInt8]
  /// The next line of standard input, or nil at its end.
  package var readAnswer: @Sendable () -> String?
  /// What was typed on the terminal since that was last asked; never waits.
  package var typed: @Sendable () -> Typed = { .nothing }
  /// Forgets what was typed and not read, so that it answers no question that comes after it.
  package var forgetTyped: @Sendable () -> Void = {}
  /// Where this program is; asked of the system only by who wants to know.
  package var program: @Sendable () -> Path = { Path("daybook") }
  /// Runs another program to its end, and says whether all went well; false where there is none.
  package var launch: @Sendable (_ words: [String]) -> Bool = { _ in false }
  /// Has a command of the shell show a text page by page; false where nothing was shown.
  package var page: @Sendable (_ command: String, _ text: String) -> Bool = { _, _ in false }
  /// Told of so many bytes that are about to be needed, where a system hands them out sooner at once.
  package var expectMemory: @Sendable (_ bytes: Int) -> Void = { _ in }
  /// Given what a process that ends soon need not take apart before it does.
  package var keep: @Sendable (any Sendable) -> Void = { _ in }
  /// Whether the user wants a server to stop.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Runs something beside its caller.
  package var beside: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Dice that fall the same way for the same seed, for the demonstration.
  package var seededDice: @Sendable (_ seed: UInt64) -> any Dice

  package init(
    machine: Machine, environment: [String: String], workingDirectory: Path, hostName: String,
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void,
    readInput: @escaping @Sendable (Int) -> [UInt8],
    readAnswer: @escaping @Sendable () -> String?,
    beside: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    seededDice: @escaping @Sendable (UInt64) -> any Dice
  ) {
    self.machine = machine
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.hostName = hostName
    self.write = write
    self.writeError = writeError
    self.readInput = readInput
    self.readAnswer = readAnswer
    self.beside = beside
    self.seededDice = seededDice
  }

  /// A path as the user wrote it, seen from the working directory.
  func path(_ words: String) -> Path {
    words.utf8.first == UInt8(ascii: "/")
      ? Path(words) : Path(workingDirectory.string + "/" + words)
  }
}
