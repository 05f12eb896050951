package import Platform

extension Machine {
  /// This machine, with a disk that keeps all changes only in memory.
  package var onTrial: Machine {
    Machine(
      disk: OverlayDisk(over: disk), timekeeper: timekeeper, dice: dice, network: network,
      stateFolder: stateFolder, variable: variable)
  }
}
