public import Platform

extension Machine {
  /// The computer this runs on.
  public static let system = Machine(
    disk: PosixDisk(), timekeeper: SystemTimekeeper(), dice: SystemDice(),
    network: PosixNetwork(), beside: SystemThread.start,
    memory: SystemMemory.budget)
}
