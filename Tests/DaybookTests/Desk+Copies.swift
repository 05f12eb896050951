import Daybook
import Platform
import ReadModel
import SimulatedPlatform

extension Desk {
  /// A machine with a copy of the disk, to repeat something from the same state.
  func copied() -> (disk: SimulatedDisk, machine: Machine) {
    let disk = simulated.disk.copy()
    let machine = Machine(
      disk: disk, timekeeper: simulated.timekeeper, dice: Seeded(seed: 8_888),
      network: simulated.network)
    return (disk, machine)
  }

  /// The book on a desk's machine.
  static func open(_ machine: Machine) throws -> Book {
    try Book(at: folder, on: machine, view: .memory)
  }
}
