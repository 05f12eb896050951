package import Bytes
package import Domain
import Journaling

/// The state of a book.
package struct Status: Sendable {
  /// The number of record events that are folded.
  package var events: UInt64
  /// The state digest, which is equal on all devices with the same events, unless erasures are held.
  package var digest: Digest
  /// The number of record events that take effect only on this device.
  ///
  /// The digest does not cover these events.
  package var shownAlone: UInt64
  /// The number of record events that this device wrote under an earlier key and no longer shows.
  ///
  /// The number is 0 if the content of these events is shown in other ways.
  package var hidden: UInt64
  /// The last held event of each log of the book.
  package var version: [(replica: UniqueID, sequence: UInt64)]
  package var counts: [(kind: Kind, count: Int64)]
  package var standing: Standing
  /// Whether this device is admitted, or has written nothing yet.
  package var isAdmitted: Bool { standing == .admitted || standing == .unknown }
  /// Whether any remaining device can admit and revoke others.
  package var hasTrustedDevice: Bool
  /// The events that cannot be read here, except those that the user has accepted as lost.
  package var missing: [(replica: UniqueID, range: ClosedRange<UInt64>)]
  /// The data that this version keeps and passes on, but that only a newer version can show.
  package var newer: Newer
  /// The erasures by other devices that are held here.
  ///
  /// While erasures are held, the digest can differ from the digests of the other devices.
  package var heldErasures: [HeldErasures]
  package var devices: [Device]
  /// The number of events of all devices and all types, including those that have no effect, excluding missing events.
  package var held: UInt64
  /// The usage and the quota of each other device.
  package var usage: [DeviceUsage]
  /// The amount that this device has written, which other devices compare with their quotas for this device.
  package var ownAmount: Quota
  /// The names of devices whose logs have forked, except those whose keys are revoked.
  package var forked: [String] { Device.forked(devices) }

  /// The digest as words, which two people can compare.
  package var words: [String] { Words.pronounceable(digest) }
}

/// The state of a book at a given time.
package struct PastStatus: Sendable {
  /// The number of record events that are folded up to the given time, by their effective times.
  package var events: UInt64
  /// The state digest at that time, which is equal on all devices with the same events, unless erasures are held.
  package var digest: Digest
  /// The number of these events that take effect only on this device.
  ///
  /// The digest does not cover these events.
  package var shownAlone: UInt64
  package var counts: [(kind: Kind, count: Int64)]
  /// The digest as words, which two people can compare.
  package var words: [String] { Words.pronounceable(digest) }
}

extension Status {
  /// The data that a newer version has written.
  package struct Newer: Hashable, Sendable {
    /// The number of living records with a kind, field or value that this version does not support.
    package var records: Int64
    /// The number of events that this version does not understand.
    package var events: UInt64
    package var isNothing: Bool { records == 0 && events == 0 }
  }
}
