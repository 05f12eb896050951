package import Bytes

extension Journal {
  /// The chain hash of the given log at the given event, or nil if the device does not have the event.
  package func hash(of log: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    var recent = RecentHashes()
    return try parts.finder.hash(of: log, at: sequence, recent: &recent)
  }

  /// The chain hash of the given log at the given event, or nil if the device does not have the event.
  ///
  /// With the same recent hashes, lookups of events near each other read each frame once.
  package func hash(
    of log: UniqueID, at sequence: UInt64, recent: inout RecentHashes
  ) throws(JournalError) -> Digest? {
    try parts.finder.hash(of: log, at: sequence, recent: &recent)
  }
}
