package import Platform

/// A machine that lives in memory, with its parts at hand for the weather to act on.
package struct SimulatedMachine: Sendable {
  package let disk: SimulatedDisk
  package let timekeeper: SimulatedTimekeeper
  package let dice: Seeded
  package let network: SimulatedNetwork

  /// Starts on 2024-01-01 with an empty disk.
  ///
  /// Machines that shall reach one another are given the same network.
  package init(seed: UInt64, network: SimulatedNetwork = SimulatedNetwork()) {
    timekeeper = SimulatedTimekeeper(now: Moment(milliseconds: 1_704_067_200_000))
    disk = SimulatedDisk(timekeeper: timekeeper)
    dice = Seeded(seed: seed)
    self.network = network
  }

  /// The machine as programs see it.
  package var machine: Machine {
    Machine(disk: disk, timekeeper: timekeeper, dice: dice, network: network)
  }
}

extension Machine {
  /// A machine in memory whose every run from one seed is the same.
  package static func simulated(seed: UInt64) -> Machine { SimulatedMachine(seed: seed).machine }
}
