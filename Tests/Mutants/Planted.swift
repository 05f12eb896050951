import Synchronization

/// Faults that can be planted in the program, to see that what looks for faults finds them.
///
/// This file, and what `faults.txt` has of each, are in no program but the one that `Tools/harvest` builds.
package enum Planted: String, CaseIterable, Sendable {
  /// An append is acknowledged before it is flushed.
  case skipTailFlush
  /// A sealed file takes the place of a tail before it is flushed.
  case skipSealFlush
  /// A flush that failed is tried again and then believed.
  case retryFlush
  /// What a crash left behind a tail is written behind.
  case keepTornTail
  /// The names of new files and folders are not flushed.
  case skipNameFlush
  /// What a killed process wrote is published before it is flushed.
  case skipSettle
  /// What a killed process wrote is taken for flushed.
  case claimSettled
  /// What a failed flush leaves is put into a new file without the rest of the old one.
  case rescueAlone
  /// A damaged frame in the midst of a tail ends the log there.
  case truncateOnDamage
  /// Frames that no head proves are stored.
  case acceptUnproved
  /// A head that somebody else has signed is taken.
  case acceptAnyHead
  /// A branch of a copied device's log is not kept.
  case dropBranches
  /// What filled a hole is not written before the old file goes.
  case healWithoutWriting
  /// A log with a hole is told of as whole.
  case hideHoles
  /// The end of a log without a head is not sent.
  case dropUnsigned
  /// What comes of an erased record is stored with its body.
  case keepErasedOnArrival
  /// What others sent is acknowledged before it is flushed.
  case skipReceivedFlush
  /// Bodies that others have erased stay in the files.
  case keepErased
  /// Bodies go though the erasure of them is held until the user accepts it.
  case stripHeld
  /// A book that was rolled back is not noticed.
  case ignoreWitness
  /// Nothing outside of the book remembers how far its log went.
  case skipWitness
  /// What a log lacks is forgotten when its device leaves it.
  case forgetLoss
  /// What another loss has told of before is not written down.
  case keepNoLosses
  /// A device writes on where the end of its log was damaged.
  case reuseSequence
  /// A book copied to another machine goes on in the same log.
  case shareLog
  /// The log of a device that was admitted stays aside.
  case forgetAside
  /// Who came to be trusted or cut does not change what was folded.
  case ignoreTrustNews
  /// What comes back into a hole is not folded.
  case ignoreHealing
  /// The digest is kept although logs have grown.
  case staleDigest
  /// What a device wrote under a key that it has left stays shown there, though it counts no more.
  case showFormerLogs
  /// A process does not see what others write.
  case ignoreOthers
  /// An event does not tell what its author had seen.
  case forgetSeen
  /// A device goes on in a log that somebody else writes, too.
  case keepSplitLog
  /// The clock alone says which of two writes holds.
  case clockOnly
  /// An edit that comes before what it edits is dropped.
  case dropEarlyEdits
  /// Two records are joined only where both are there already.
  case dropEarlyJoins
  /// Of records that are joined only the one written to is shown anew.
  case touchItselfOnly
  /// Rows of what is deleted stay.
  case keepRows
  /// An undo takes what others depend on along, and does not say so.
  case sweepInSilence
  /// A clock that was ahead once dates all that is written later.
  case datedByOrder
  /// Fields of a newer version are not kept with a record.
  case dropUnknownFields
  /// A tag that is added and removed at once is lost.
  case loseTag
  /// To-dos that are sub-tasks of each other are hidden.
  case hideCycle
  /// The day on which a to-do was closed is computed again, in the zone of the device that shows it.
  case receiversDay
  /// The next date of a series counts from the one that was closed last, and not from the first.
  case countFromPrevious
  /// The undo of a completion overrules one that it did not know of.
  case undoOverrules
  /// Two devices that close one date of a series add two occurrences.
  case addTwice

  private static let chosen = Mutex<Planted?>(nil)

  /// Plants one of them, or none.
  package static func plant(_ fault: Planted?) { chosen.withLock { $0 = fault } }

  package var isOn: Bool { Self.chosen.withLock { $0 } == self }
}
