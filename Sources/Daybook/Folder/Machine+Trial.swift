package import Platform

extension Machine {
  /// This machine with a disk that forgets all that is done to it.
  package var onTrial: Machine {
    Machine(
      disk: OverlayDisk(over: disk), timekeeper: timekeeper, dice: dice, network: network)
  }
}
