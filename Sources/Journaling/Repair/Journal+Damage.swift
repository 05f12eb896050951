package import Bytes

extension Journal {
  /// The stored events of each replica that belong to no log, because events that connect them to a log are lost.
  package var unplacedEvents: [UniqueID: [ClosedRange<UInt64>]] { parts.index.unplacedByReplica }

  /// The events of ``unplacedEvents`` by strand, with the lost events between them.
  package var unplacedStrands: [UniqueID: ClosedRange<UInt64>] { parts.index.unplacedInBook }

  /// The last events in damaged frames after the ends of the book's logs, without their hashes.
  ///
  /// The next writer cuts these frames off.
  package func damagedEnds() throws(JournalError) -> [Landmark] {
    try parts.recovery.damagedEnds()
  }

  /// The last events that the list of holes shows to have been held although the book's logs now end before them, without
  /// their hashes.
  ///
  /// The next writer removes them from the list.
  package func endsAfterHoles() -> [Landmark] { parts.lossKeeper.endsAfterHoles() }

  /// Removes bytes outside frames from files that still hold all of their events, and keeps copies in quarantine.
  package mutating func removeStrayBytes() throws(JournalError) -> [Repair] {
    try parts.strayByteRemover.removeStrayBytes()
  }
}
