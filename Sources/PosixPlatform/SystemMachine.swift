public import Platform

extension Machine {
  /// The computer on which the program runs.
  public static let system = Machine(
    disk: PosixDisk(), timekeeper: SystemTimekeeper(), dice: SystemDice(),
    network: PosixNetwork(), beside: SystemThread.start,
    memory: SystemMemory.budget)
}
