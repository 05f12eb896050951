/// The services of the computer that a program uses.
///
/// The program passes it to its libraries, so that no library uses a clock, disk, random source or network directly,
/// and a run can be repeated from a seed.
public struct Machine: Sendable {
  /// Files and directories.
  public let disk: any Disk
  /// The clocks.
  public let timekeeper: any Timekeeper
  /// Random numbers.
  public let dice: any Dice
  /// The connections to other machines.
  public let network: any Network
  /// Runs a function on another thread, which it may block; nil if there is only one thread.
  public let beside: Beside?
  /// The memory that large tasks may use.
  public let memory: MemoryBudget

  /// A function that runs another function concurrently with its caller.
  public typealias Beside = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates a machine from its parts.
  public init(
    disk: any Disk, timekeeper: any Timekeeper, dice: any Dice, network: any Network,
    beside: Beside? = nil, memory: MemoryBudget = .unbounded
  ) {
    self.disk = disk
    self.timekeeper = timekeeper
    self.dice = dice
    self.network = network
    self.beside = beside
    self.memory = memory
  }
}
