package import Bytes
import Journaling
package import Syncing

/// What a sync came to.
package struct Receipt: Sendable {
  /// A device and how many of its events went over.
  package struct Share: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    package var events: UInt64
  }

  package var sent: [Share]
  package var received: [Share]
  /// Events that were lost here and have come back: bodies, too.
  package var healed: [Share]
  /// Devices met that nobody has admitted, after this sync.
  package var waiting: [Device]
  /// Devices this sync has admitted.
  package var admitted: [Device]
  /// Whether devices were to be admitted by one that is not admitted itself.
  package var couldNotAdmit: Bool
  package var standing: Standing
  /// Whether others fold what this device writes.
  package var isAdmitted: Bool { standing == .admitted }
  /// What held a part of the sync back.
  package var problems: [SyncProblem]
  package var digest: Digest

  /// The digest in words that two people can compare.
  package var words: [String] { Words.pronounceable(digest) }
}
