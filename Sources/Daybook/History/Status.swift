package import Bytes
package import Domain
import Journaling

/// How a book stands.
package struct Status: Sendable {
  /// Events of the domain that are folded.
  package var events: UInt64
  /// The state every device with the same events agrees on.
  package var digest: Digest
  /// Events about records that this device shows and no other one does; the digest is of the state without them.
  package var shownAlone: UInt64
  /// Events about records that this device wrote under a key it has left, and that it does not show.
  package var hidden: UInt64
  /// How far each log of the book is held.
  package var version: [(replica: UniqueID, sequence: UInt64)]
  package var counts: [(kind: Kind, count: Int64)]
  package var standing: Standing
  /// Whether others fold what this device writes, or will when it begins to.
  package var isAdmitted: Bool { standing == .admitted || standing == .unknown }
  /// Whether any device is left that can admit and revoke others.
  package var hasTrustedDevice: Bool
  /// Events that cannot be read here.
  package var missing: [(replica: UniqueID, range: ClosedRange<UInt64>)]
  /// What is kept and passed on, and only a newer version can show.
  package var newer: Newer
  /// Erasures by other devices that are held here; while there are some, the digest is not that of the others.
  package var heldErasures: [HeldErasures]
  package var devices: [Device]
  /// What the other devices have written of what they may.
  package var usage: [DeviceUsage]
  /// The events of all devices, whether they count and whatever they are about.
  package var held: UInt64 { devices.reduce(0) { $0 + $1.events } }
  /// The names of devices of which two copies write, and so their logs have branches.
  package var forked: [String] { Device.forked(devices) }

  /// The digest in words that two people can compare.
  package var words: [String] { Words.pronounceable(digest) }
}

/// How a book stood at a moment.
package struct PastStatus: Sendable {
  /// Events of the domain that are folded and had happened.
  package var events: UInt64
  /// The state every device with the same events agrees on.
  package var digest: Digest
  /// Those of the events that this device shows and no other one does; the digest is of the state without them.
  package var shownAlone: UInt64
  package var counts: [(kind: Kind, count: Int64)]
  /// The digest in words that two people can compare.
  package var words: [String] { Words.pronounceable(digest) }
}

extension Status {
  /// What a newer version has written.
  package struct Newer: Hashable, Sendable {
    /// Living records of kinds, or with fields or values, that are not known here.
    package var records: Int64
    /// Events that say nothing here.
    package var events: UInt64
    package var isNothing: Bool { records == 0 && events == 0 }
  }
}
