import Synchronization

/// Faults that can be planted in the program, to check that the simulation finds them.
///
/// This file and the changes in `faults.txt` are only in the program that `Tools/harvest` builds.
package enum Planted: String, CaseIterable, Sendable {
  /// An append is acknowledged before it is flushed.
  case skipTailFlush
  /// A sealed file replaces a tail before it is flushed.
  case skipSealFlush
  /// A failed flush is repeated, and its success is then trusted.
  case retryFlush
  /// A write follows the bytes that a crash left after the end of a tail.
  case keepTornTail
  /// The names of new files and folders are not flushed.
  case skipNameFlush
  /// The writes of a killed process are published before they are flushed.
  case skipSettle
  /// The writes of a killed process are assumed to be flushed.
  case claimSettled
  /// The data of a failed flush is moved to a new file without the rest of the old file.
  case rescueAlone
  /// A damaged frame in the middle of a tail ends the log there.
  case truncateOnDamage
  /// Frames that no head proves are stored.
  case acceptUnproved
  /// A head signed by another device is accepted.
  case acceptAnyHead
  /// A branch of a copied device's log is not kept.
  case dropBranches
  /// The events that fill a hole are not written before the old file is removed.
  case healWithoutWriting
  /// A log with a hole is reported as complete.
  case hideHoles
  /// Events after the last head of a log are not sent.
  case dropUnsigned
  /// Received events of an erased record are stored with their bodies.
  case keepErasedOnArrival
  /// Received events are acknowledged before they are flushed.
  case skipReceivedFlush
  /// Bodies that other devices have erased stay in the files.
  case keepErased
  /// Bodies are removed although their erasure is held until the user accepts it.
  case stripHeld
  /// A rolled-back book goes unnoticed.
  case ignoreWitness
  /// Nothing outside the book records the end of its log.
  case skipWitness
  /// The missing events of a log are forgotten when its device begins a new log.
  case forgetLoss
  /// A second loss of the same log is not recorded.
  case keepNoLosses
  /// A device continues its log although the end of the log is damaged.
  case reuseSequence
  /// A book copied to another machine continues the same log.
  case shareLog
  /// The log of an admitted device stays set aside.
  case forgetAside
  /// Folded events stay the same when a device is admitted or cut.
  case ignoreTrustNews
  /// Events that fill a hole are not folded.
  case ignoreHealing
  /// The cached digest is used although logs have grown.
  case staleDigest
  /// Events under a former key stay visible on their device, although they no longer count.
  case showFormerLogs
  /// A process does not see the writes of other processes.
  case ignoreOthers
  /// An event does not record the events that its author had seen.
  case forgetSeen
  /// A device continues a log that another device also writes.
  case keepSplitLog
  /// The clock alone decides which of two writes is shown.
  case clockOnly
  /// An edit that arrives before the record it edits is dropped.
  case dropEarlyEdits
  /// Two records are joined only if both have already arrived.
  case dropEarlyJoins
  /// Only the written one of several joined records is updated.
  case touchItselfOnly
  /// The rows of deleted records stay.
  case keepRows
  /// An undo also reverts records that other devices depend on, and does not report this.
  case sweepInSilence
  /// A clock that was once fast dates all later events.
  case datedByOrder
  /// Fields of a newer version are not kept with a record.
  case dropUnknownFields
  /// A tag that is added and removed concurrently is lost.
  case loseTag
  /// To-dos that are sub-tasks of each other are hidden.
  case hideCycle
  /// The day on which a to-do was closed is computed again, in the zone of the device that shows it.
  case receiversDay
  /// The next date of a series counts from the last closed date instead of the first date.
  case countFromPrevious
  /// The undo of a completion reverts a concurrent completion that it did not know of.
  case undoOverrules
  /// Two devices that close the same date of a series add two occurrences.
  case addTwice
  /// No key packages are put into a sealed store.
  case shareNoKeys
  /// A device seals with a key that a revoked device may have.
  case sealUnfit

  private static let chosen = Mutex<Planted?>(nil)

  /// Plants the given fault, or none.
  package static func plant(_ fault: Planted?) { chosen.withLock { $0 = fault } }

  package var isOn: Bool { Self.chosen.withLock { $0 } == self }
}
