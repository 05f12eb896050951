package import Bytes
package import Domain
import Journaling
package import Platform
package import Syncing

/// The result of a sync.
package struct Receipt: Sendable {
  /// A device, and the number of its events that were sent or received.
  package struct Share: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    package var events: UInt64
  }

  /// What the events of a device do that were sent or received.
  package struct Changes: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    /// What they do to records, by kind.
    ///
    /// Kinds without changes are left out.
    package var tallies: [Tally]
    /// The records themselves, as they are now; empty if there are too many for one line.
    package var few: [Mention]
    /// Changes to devices, in order.
    package var devices: [LastingChange]
    /// The number of events that erase something.
    package var erased: UInt64
    /// The number of these that are held here until the user accepts them.
    package var held: UInt64
    /// The number of events that have no content any more, because their record was erased.
    package var emptied: UInt64
    /// The number of events about the book itself: members, erasures, imports and undo.
    package var others: UInt64
  }

  /// A record and what was done to it.
  package struct Mention: Hashable, Sendable {
    package var deed: Tally.Deed
    package var kind: Kind
    package var title: String
  }

  /// A deleted list or question, with the records that its deletion hides.
  package struct Cascade: Sendable {
    package var document: Document
    /// The name of the device that deleted it.
    package var device: String
    /// The number of records that are hidden with it, by kind.
    package var children: [Kind: Int]
    /// Those of them whose latest change that device had not seen.
    package var unseen: [Document]
  }

  /// A device that was revoked, or that waits to be admitted, and the number of its events that do not count for that
  /// reason.
  package struct Uncounted: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    /// The number of those that were sent or received.
    package var events: UInt64
    /// The number of those that had counted here until this sync.
    package var former: UInt64
    /// Whether they count once the device is admitted, for example after a book was joined.
    package var isWaiting = false
  }

  package var sent: [Share]
  package var received: [Share]
  /// Events that were not sent, because no signature proves them and this device has no key to sign for their log.
  package var withheld: [Share]
  /// Events, or bodies, that were lost here and are back.
  package var healed: [Share]
  /// What was sent.
  package var went: [Changes]
  /// What counts here since this sync: events that were received, and events that waited for their device to be
  /// admitted.
  package var came: [Changes]
  /// Events that were sent, received or held, and do not count because their device was revoked or waits; without
  /// this device.
  package var uncounted: [Uncounted]
  /// The unsettled conflicts in which events that count newly take part, or that joined records have.
  package var conflicts: [Conflict]
  /// Deleted lists and questions that hide other records, if that is new to this device.
  package var cascades: [Cascade]
  /// Records that stay although one that they were joined with is erased, because an erasure or a join counts newly.
  package var survivors: [Document]
  /// The erasures by other devices that are held here, after this sync.
  package var held: [HeldErasures]
  /// The devices that were met and not admitted, after this sync.
  package var waiting: [Device]
  /// The devices that this sync has admitted.
  package var admitted: [Device]
  /// The devices that other members have admitted, as this sync has shown.
  package var letIn: [Device]
  /// Whether this device was to admit others and is not admitted itself.
  package var couldNotAdmit: Bool
  package var standing: Standing
  /// Whether a device is left that can admit and revoke others.
  package var hasTrustedDevice: Bool
  /// Whether other devices fold the events of this one.
  package var isAdmitted: Bool { standing == .admitted }
  /// Whether this device has learned that it was admitted, after waiting for it.
  package var becameAdmitted: Bool
  /// Events that were sent over a line and that the peer, by its last statement, does not hold.
  package var untaken: [Share]
  /// Files that were removed because they may hold what other devices have erased: copies of damaged bytes, and of the
  /// view from before a loss.
  package var removed: [Path]
  /// Problems that stopped a part of the sync.
  package var problems: [SyncProblem]
  /// The number of events about records that this device wrote under a key that it has left, and that it showed until
  /// this sync.
  package var hidden: UInt64
  /// The state digest; nil in the later reports of a live session, where nobody waits for it.
  package var digest: Digest?
  /// The number of events about records that this device shows and no other device does.
  ///
  /// The digest does not cover them.
  package var shownAlone: UInt64
  /// The bytes and round trips over the line; nil if there was no line.
  package var traffic: Traffic?
  /// What both sides held before, if that was asked for.
  package var comparison: [LogComparison] = []

  /// The digest in words that two people can compare.
  package var words: [String]? { digest.map(Words.pronounceable) }
}

extension Receipt {
  /// The number of events of each device, by name.
  static func shares(
    _ counts: [UniqueID: UInt64], _ names: [UniqueID: String]
  ) -> [Receipt.Share] {
    counts.map { log, events in
      Receipt.Share(device: names[log] ?? log.hex, replica: log, events: events)
    }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }
}
