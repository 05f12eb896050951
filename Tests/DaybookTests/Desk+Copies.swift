import Daybook
import Platform
import ReadModel
import SimulatedPlatform

extension Desk {
  /// A machine over a copy of the disk, so that something can be tried again from the same beginning.
  func copied() -> (disk: SimulatedDisk, machine: Machine) {
    let disk = simulated.disk.copy()
    let machine = Machine(
      disk: disk, timekeeper: simulated.timekeeper, dice: Seeded(seed: 8_888),
      network: simulated.network)
    return (disk, machine)
  }

  /// The book on a machine such as a desk's.
  static func open(_ machine: Machine) throws -> Book {
    try Book(at: folder, on: machine, view: .memory)
  }
}
