/// The services of the computer that a program uses.
///
/// The program passes these services to its libraries. As a result, no library uses a clock, disk, random source or
/// network directly, and a run can be repeated from a seed.
public struct Machine: Sendable {
  /// The files and directories.
  public let disk: any Disk
  /// The clocks.
  public let timekeeper: any Timekeeper
  /// The source of random numbers.
  public let dice: any Dice
  /// The connections to other machines.
  public let network: any Network
  /// Runs a function, which may block, on another thread; nil if there is only one thread.
  public let beside: Beside?
  /// The memory that large tasks may use.
  public let memory: MemoryBudget
  /// The folder for state other than user data; nil if there is none.
  ///
  /// In this folder, daybook records how far this computer has written to a book. If the book's folder is later
  /// replaced with an old copy, this record reveals it, so that events written since the copy was made are not mixed up
  /// with those written next.
  public let stateFolder: Path?

  /// Returns the value of an environment variable; nil if it is not set.
  public let variable: Variable

  /// A function that returns the value of an environment variable.
  public typealias Variable = @Sendable (String) -> String?

  /// A function that runs another function concurrently with its caller.
  public typealias Beside = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates a machine from its parts.
  public init(
    disk: any Disk, timekeeper: any Timekeeper, dice: any Dice, network: any Network,
    beside: Beside? = nil, memory: MemoryBudget = .unbounded, stateFolder: Path? = nil,
    variable: @escaping Variable = { _ in nil }
  ) {
    self.disk = disk
    self.timekeeper = timekeeper
    self.dice = dice
    self.network = network
    self.beside = beside
    self.memory = memory
    self.stateFolder = stateFolder
    self.variable = variable
  }
}

extension Path {
  /// The folder for daybook's state according to the XDG specification; nil if the environment does not determine it.
  ///
  /// - Parameters:
  ///   - state: The value of `XDG_STATE_HOME`.
  ///   - home: The value of `HOME`.
  /// - Returns: The folder.
  package static func stateFolder(state: String?, home: String?) -> Path? {
    // The specification requires relative paths to be ignored.
    if let state, state.hasPrefix("/") { return Path(state) / "daybook" }
    return home.flatMap { $0.hasPrefix("/") ? Path($0 + "/.local/state/daybook") : nil }
  }
}
