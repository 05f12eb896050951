import Journaling
import Platform
import SimulatedPlatform

/// The inventories of the two disks that were read last, usually the visible disk and the one that a power cut would
/// leave.
struct InventoryCache {
  private var known: [(disk: SimulatedDisk, erased: Set<Landmark>, inventory: Inventory)] = []

  /// Reads the events on a disk, unless a disk with the same files is in the cache.
  ///
  /// - Parameters:
  ///   - disk: The disk, which must be a copy of the disks that were read previously.
  ///   - folder: The folder of the book.
  ///   - erased: The `add` events of erased records, to find events that still have their bodies.
  ///   - clock: The clock of the machine that reads.
  /// - Returns: The events on the disk.
  /// - Throws: ``JournalError`` if a log cannot be read.
  mutating func inventory(
    of disk: SimulatedDisk, in folder: Path, lookingFor erased: Set<Landmark>,
    at clock: SimulatedTimekeeper
  ) throws(JournalError) -> Inventory {
    if let known = known.first(where: { $0.erased == erased && $0.disk.hasFiles(of: disk) }) {
      return known.inventory
    }
    // Reading may also repair files, so a copy of the disk is read.
    let machine = Machine(
      disk: disk.copy(), timekeeper: clock, dice: Seeded(seed: 1), network: SimulatedNetwork())
    let inventory = try Inventory(of: folder, on: machine, lookingFor: erased)
    known = [(disk, erased, inventory)] + known.prefix(1)
    return inventory
  }
}
