import Bytes
import Journaling

/// Which records erasures have removed from a station, and which of these were not its own.
struct ErasureTally {
  /// The `add` events of the records that the station has erased from its files.
  var erased: Set<Landmark> = []
  /// The events that the station last held with their bodies, by the first halves of their chain hashes.
  private var present: Set<UniqueID> = []
  /// The `add` events of the records that others have erased here without asking the user.
  private(set) var taken: Set<UniqueID> = []
  /// Whether bytes of the station's own erasures may still be in its files, because the erasure ended on a full disk
  /// or with an error, or was not yet checked.
  private var isErasing = false

  /// Notes that the station erases records itself.
  mutating func beginErasing() { isErasing = true }

  /// Forgets what the files were, when others take their place.
  mutating func forgetFiles() { (erased, present) = ([], []) }

  /// Compares what the station holds with what it held before.
  ///
  /// - Parameters:
  ///   - inventory: The events that the station holds now.
  ///   - isAsked: Whether the user was asked about what was erased since.
  /// - Returns: Whether what is gone counts as taken by others.
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
