import Bytes
import Crypto
import Journaling

/// What a book held before a sync, by which is told what the sync has brought.
struct Holdings {
  /// How many events of each replica were held.
  var held: [UniqueID: UInt64]
  /// The last event of each log that counted.
  var counted: [UniqueID: UInt64]
  /// The same, by its hash: where a log forks, what it held goes on as one of its branches.
  var countedEnds: [UniqueID: [Landmark]] = [:]
  /// Events of each replica that were lost, or had lost their bodies when the sync was begun.
  var lost: [UniqueID: [ClosedRange<UInt64>]]
  /// The keys that took part; nil where there was no book yet.
  var admittedKeys: Set<PublicKey>?
  /// Whether this device waited to be admitted.
  var isWaiting: Bool
  /// Events of this device's own that it did not show.
  var hidden: UInt64
}
