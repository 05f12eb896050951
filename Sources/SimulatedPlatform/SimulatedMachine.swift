package import Platform

/// A machine in memory that provides access to its simulated parts.
package struct SimulatedMachine: Sendable {
  package let disk: SimulatedDisk
  package let timekeeper: SimulatedTimekeeper
  package let dice: Seeded
  package let network: SimulatedNetwork

  /// Creates a machine with an empty disk and a clock that starts at 2024-01-01.
  ///
  /// Machines must have the same network to be able to reach each other.
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
  /// Returns a machine in memory that behaves the same in every run with the same seed.
  package static func simulated(seed: UInt64) -> Machine { SimulatedMachine(seed: seed).machine }
}
