import Bytes
import Crypto
import Journaling

/// The events that a book held before a sync, used to find out which events the sync has added.
struct Holdings {
  /// The number of held events, by replica.
  var held: [UniqueID: UInt64]
  /// For each log, the last event that counted.
  var counted: [UniqueID: UInt64]
  /// The last events that counted, with their hashes, by replica.
  ///
  /// The hashes are needed when a log forks, because its events then belong to one of the branches.
  var countedEnds: [UniqueID: [Landmark]] = [:]
  /// The replicas whose logs had forked.
  var forked: Set<UniqueID> = []
  /// The events that were lost, or had lost their bodies, when the sync began, by replica.
  var lost: [UniqueID: [ClosedRange<UInt64>]]
  /// The keys of the members; nil if there was no book yet.
  var admittedKeys: Set<PublicKey>?
  /// Whether this device was waiting to be admitted.
  var isWaiting: Bool
  /// The number of events that this device had written but did not show.
  var hidden: UInt64
}
