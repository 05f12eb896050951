package import Bytes
package import Domain
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

  /// What a device's events that went over do.
  package struct Changes: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    /// What they do to records, by kind; only those of which there is something to tell.
    package var tallies: [Tally]
    /// The records themselves, as they are now; empty where they are more than a line can hold.
    package var few: [Mention]
    /// What they say about devices, in their order.
    package var devices: [LastingChange]
    /// How many of them say that something is erased.
    package var erased: UInt64
    /// How many of these are held here until the user accepts them.
    package var held: UInt64
    /// How many of them have no content left because their record was erased.
    package var emptied: UInt64
    /// How many of them say something of the book itself: who takes part, what is erased, taken in or undone.
    package var others: UInt64
  }

  /// A record and what was done to it.
  package struct Mention: Hashable, Sendable {
    package var deed: Tally.Deed
    package var kind: Kind
    package var title: String
  }

  /// A deleted list or question with the records that its deletion hides.
  package struct Cascade: Sendable {
    package var document: Document
    /// The name of the device that deleted it.
    package var device: String
    /// How many records are hidden with it, by kind.
    package var children: [Kind: Int]
    /// Those whose latest change that device had not seen.
    package var unseen: [Document]
  }

  /// A device that was revoked, or that waits to be admitted, and how many of its events do not count for that reason.
  package struct Uncounted: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    /// Those that went over.
    package var events: UInt64
    /// Those that had counted here until this sync.
    package var former: UInt64
    /// Whether they count once the device is admitted, as after a book has been joined.
    package var isWaiting = false
  }

  package var sent: [Share]
  package var received: [Share]
  /// Events that did not go out: no signature proves them, and this device has no key to sign for their log.
  package var withheld: [Share]
  /// Events that were lost here and have come back: bodies, too.
  package var healed: [Share]
  /// What went to the other side.
  package var went: [Changes]
  /// What counts here since this sync: what has come, and what waited for its device to be admitted.
  package var came: [Changes]
  /// What went over or was here, and does not count since its device was revoked or waits; this device left out.
  package var uncounted: [Uncounted]
  /// What is to be settled because of what came.
  package var conflicts: [Conflict]
  /// Deleted lists and questions that hide other records, as far as that is new to this device.
  package var cascades: [Cascade]
  /// Records that live on, though one that they were joined with is erased, because of what came.
  package var survivors: [Document]
  /// Erasures by other devices that are held here, after this sync.
  package var held: [HeldErasures]
  /// Devices met that nobody has admitted, after this sync.
  package var waiting: [Device]
  /// Devices this sync has admitted.
  package var admitted: [Device]
  /// Devices that others have let in, as this sync has told.
  package var letIn: [Device]
  /// Whether devices were to be admitted by one that is not admitted itself.
  package var couldNotAdmit: Bool
  package var standing: Standing
  /// Whether others fold what this device writes.
  package var isAdmitted: Bool { standing == .admitted }
  /// Whether this device has heard that it was admitted, and had waited for it.
  package var becameAdmitted: Bool
  /// What went over the line, and the peer says at its end that it does not hold.
  package var untaken: [Share]
  /// What held a part of the sync back.
  package var problems: [SyncProblem]
  /// Events about records that this device wrote under a key it has left, and that it showed until this sync.
  package var hidden: UInt64
  /// The state digest; nil in news of a session that goes on, where nobody waits for it.
  package var digest: Digest?
  /// Events about records that this device shows and no other one does; the digest is of the state without them.
  package var shownAlone: UInt64
  /// What went over the line, where there was one.
  package var traffic: Traffic?
  /// Where both stood before, if that was asked for.
  package var comparison: [LogComparison] = []

  /// The digest in words that two people can compare.
  package var words: [String]? { digest.map(Words.pronounceable) }
}

extension Receipt {
  /// So many events of whom, by the names of devices.
  static func shares(
    _ counts: [UniqueID: UInt64], _ names: [UniqueID: String]
  ) -> [Receipt.Share] {
    counts.map { log, events in
      Receipt.Share(device: names[log] ?? log.hex, replica: log, events: events)
    }.sorted { ($0.device, $0.replica) < ($1.device, $1.replica) }
  }
}
