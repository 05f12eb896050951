import Bytes
import Journaling

/// The records that erasures have removed from a station, and which of them were erased by other stations.
struct ErasureTally {
  /// The `add` events of the records that the station has erased from its files.
  var erased: Set<Landmark> = []
  /// The events that the station held with their bodies when it was last checked, identified by the first halves of
  /// their chain hashes.
  private var present: Set<UniqueID> = []
  /// The `add` events of the records that other stations have erased here without asking the user.
  private(set) var taken: Set<UniqueID> = []
  /// Whether the station's own erasures may still be incomplete, because they ended on a full disk or with an error, or
  /// have not been checked yet.
  private var isErasing = false

  /// Notes that the station itself is erasing records.
  mutating func beginErasing() { isErasing = true }

  /// Forgets the content of the files when other files replace them.
  mutating func forgetFiles() { (erased, present) = ([], []) }

  /// Compares the events that the station holds with those that it held previously.
  ///
  /// - Parameters:
  ///   - inventory: The events that the station holds now.
  ///   - isAsked: Whether the user has been asked about the erasures in the meantime.
  /// - Returns: Whether the missing records are considered to have been erased by other stations.
  mutating func compare(with inventory: Inventory, isAsked: Bool) -> Bool {
    let held = Set(inventory.events.filter { !$0.value.isStripped }.map(\.key.prefix16))
    let adds = Set(inventory.erased.map(\.hash))
    let gone = present.subtracting(held).intersection(adds)
    present = held
    let isOwn = isErasing
    if !gone.isEmpty { isErasing = false }
    guard !isAsked, !isOwn else { return false }
    taken.formUnion(gone)
    return true
  }
}
