package import Platform

extension Machine {
  /// This machine with a disk that keeps all changes in memory only.
  package var onTrial: Machine {
    Machine(
      disk: OverlayDisk(over: disk), timekeeper: timekeeper, dice: dice, network: network)
  }
}
