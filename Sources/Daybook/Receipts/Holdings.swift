import Bytes
import Crypto
import Journaling

/// What a book held before a sync, to find out what the sync has brought.
struct Holdings {
  /// The number of events of each replica that were held.
  var held: [UniqueID: UInt64]
  /// The last event of each log that counted.
  var counted: [UniqueID: UInt64]
  /// The same, by its hash.
  ///
  /// When a log forks, its events continue as one of its branches.
  var countedEnds: [UniqueID: [Landmark]] = [:]
  /// Events of each replica that were lost, or had lost their bodies, when the sync began.
  var lost: [UniqueID: [ClosedRange<UInt64>]]
  /// The keys of the members; nil if there was no book yet.
  var admittedKeys: Set<PublicKey>?
  /// Whether this device waited to be admitted.
  var isWaiting: Bool
  /// The number of events of this device that it did not show.
  var hidden: UInt64
}
