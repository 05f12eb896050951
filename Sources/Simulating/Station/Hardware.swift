import Platform
import SimulatedPlatform

/// The simulated parts of a station's machine, and the machine that consists of them.
struct Hardware {
  private(set) var disk: SimulatedDisk
  private(set) var machine: Machine
  let clock: SimulatedTimekeeper
  private let dice: Seeded
  private let sticks: [SimulatedDisk]
  private let memory: MemoryBudget

  init(
    seed: UInt64, at now: Moment, zone: String, sticks: [SimulatedDisk], memory: MemoryBudget
  ) {
    (self.sticks, self.memory) = (sticks, memory)
    clock = SimulatedTimekeeper(now: now)
    clock.setLocalZone(named: zone)
    dice = Seeded(seed: seed)
    disk = SimulatedDisk(timekeeper: clock)
    machine = Self.machine(disk, sticks, clock, dice, memory)
  }

  private static func machine(
    _ disk: SimulatedDisk, _ sticks: [SimulatedDisk], _ clock: SimulatedTimekeeper, _ dice: Seeded,
    _ memory: MemoryBudget
  ) -> Machine {
    Machine(
      disk: MountedDisk(own: disk, sticks: sticks), timekeeper: clock, dice: dice,
      network: SimulatedNetwork(), memory: memory)
  }

  /// Replaces the machine's own disk with an empty one.
  mutating func replaceDisk() {
    disk = SimulatedDisk(timekeeper: clock)
    machine = Self.machine(disk, sticks, clock, dice, memory)
  }
}
