/// Everything a program asks of the computer it runs on.
///
/// It is passed in from the top, so that no library can reach a clock, a disk, dice or a network
/// by itself and every run can be repeated from a seed.
public struct Machine: Sendable {
  /// Files and directories.
  public let disk: any Disk
  /// The clocks.
  public let timekeeper: any Timekeeper
  /// Chance.
  public let dice: any Dice
  /// Other machines.
  public let network: any Network
  /// Runs something beside its caller, on a thread that it may block; nil where there is but one.
  public let beside: Beside?
  /// What large work may take of its memory.
  public let memory: MemoryBudget

  /// A way to run something beside its caller.
  public typealias Beside = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Puts a machine together from its parts.
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
