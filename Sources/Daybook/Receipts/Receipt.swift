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

  /// The effects of a device's events that were sent or received.
  package struct Changes: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    /// The effects on records, by kind.
    ///
    /// Kinds without changes are left out.
    package var tallies: [Tally]
    /// The records in their current state; empty if there are too many for one line.
    package var few: [Mention]
    /// Changes to devices, in order.
    package var devices: [LastingChange]
    /// The number of events that erase something.
    package var erased: UInt64
    /// The number of erasures that are held here until the user accepts them.
    package var held: UInt64
    /// The number of events without content, because their record was erased.
    package var emptied: UInt64
    /// The number of events about the book itself: members, erasures, imports and undo.
    package var others: UInt64
  }

  /// A record and the change to it.
  package struct Mention: Hashable, Sendable {
    package var deed: Tally.Deed
    package var kind: Kind
    package var title: String
  }

  /// A deleted list, question or repeating to-do, with the records that its deletion hides.
  package struct Cascade: Sendable {
    package var document: Document
    /// The name of the device that deleted the record.
    package var device: String
    /// The number of records of each kind that are hidden with the deleted record, without the dates of a repeating
    /// to-do.
    package var children: [Kind: Int]
    /// The hidden records with a change that was unknown to that device.
    package var unseen: [Document]
  }

  /// A to-do that one device closed while another device made it repeat, and that therefore remains open.
  package struct ClosedFirst: Sendable {
    package var document: Document
    /// The name of the device that closed the to-do.
    package var closer: String
    /// The name of the device that made the to-do repeat.
    package var repeater: String
    /// What the closing means for the first date.
    package var closing: SeriesState.OwnClosing
  }

  /// A record that is kept although a record that it was merged with is erased or deleted.
  ///
  /// The device that erased or deleted the other record had not seen the merge.
  package struct Survivor: Sendable {
    package var document: Document
    /// The name of the device that deleted the other record; nil if the record is erased.
    package var deleter: String?
  }

  /// A device that was revoked or is waiting to be admitted, and the numbers of its events that therefore have no
  /// effect.
  package struct Uncounted: Hashable, Sendable {
    package var device: String
    package var replica: UniqueID
    /// The number of such events that were sent or received.
    package var events: UInt64
    /// The number of such events that counted here until this sync.
    package var former: UInt64
    /// Whether the events will take effect once the device is admitted, for example after a book was joined.
    package var isWaiting = false
  }

  package var sent: [Share]
  package var received: [Share]
  /// Events that were not sent, because no signature proves them and this device has no key to sign for their log.
  package var withheld: [Share]
  /// Events or bodies that were lost here and have been recovered.
  package var healed: [Share]
  /// The effects of the sent events.
  package var went: [Changes]
  /// The effects of the events that take effect here because of this sync: events that were received, and events whose
  /// device had been waiting to be admitted.
  package var came: [Changes]
  /// The other devices with events that were sent, received or held, and that have no effect because the device was
  /// revoked or is waiting to be admitted.
  package var uncounted: [Uncounted]
  /// The unsettled conflicts that involve events that now take effect for the first time, or records that were joined.
  package var conflicts: [Conflict]
  /// The deleted lists, questions and repeating to-dos that hide other records.
  ///
  /// A deletion is listed only if it takes effect for the first time, or if a change that it had not seen does.
  package var cascades: [Cascade]
  /// Records that are kept although a record that they were merged with is erased or deleted, if the erasure, the
  /// deletion or the merge takes effect for the first time.
  package var survivors: [Survivor]
  /// The erasures by other devices that are held here, after this sync.
  package var held: [HeldErasures]
  /// The devices that are still waiting to be admitted after this sync.
  package var waiting: [Device]
  /// The devices that this sync has admitted.
  package var admitted: [Device]
  /// The devices that other members have admitted, according to the events of this sync.
  package var letIn: [Device]
  /// Whether this device was asked to admit others but is not admitted itself.
  package var couldNotAdmit: Bool
  package var standing: Standing
  /// Whether any remaining device can admit and revoke others.
  package var hasTrustedDevice: Bool
  /// Whether other devices fold the events of this device.
  package var isAdmitted: Bool { standing == .admitted }
  /// Whether this device has learned that it was admitted, after waiting for it.
  package var becameAdmitted: Bool
  /// Events that were sent over a line and that, according to its last statement, the peer does not hold.
  package var untaken: [Share]
  /// Files that were removed because they may contain data that other devices have erased: copies of damaged bytes, and
  /// copies of the view from before a loss.
  package var removed: [Path]
  /// Problems that stopped part of the sync.
  package var problems: [SyncProblem]
  /// The number of record events that this device wrote under a former key and showed until this sync.
  package var hidden: UInt64
  /// The state digest; nil in the later reports of a live session, where it is not needed.
  package var digest: Digest?
  /// The number of record events that take effect only on this device.
  ///
  /// The digest does not cover these events.
  package var shownAlone: UInt64
  /// The bytes and round trips over the line; nil if there was no line.
  package var traffic: Traffic?
  /// A comparison of the events that both sides held before the sync, if requested.
  package var comparison: [LogComparison] = []
  /// The names of the devices whose logs this sync has found to be forked.
  package var forked: [String] = []
  /// To-dos that one device closed while another device made them repeat, if either change takes effect for the first
  /// time.
  package var closedFirst: [ClosedFirst] = []
  /// The devices that asked, through a sealed store, to join by an invitation of this device.
  package var guests: [StoreGuest] = []

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
