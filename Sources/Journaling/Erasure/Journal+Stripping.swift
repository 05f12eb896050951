package import Bytes

extension Journal {
  /// Removes the bodies of erased entities as ``strip(_:in:)`` does, and adds what was removed to a report.
  ///
  /// - Parameters:
  ///   - erasures: The erased entities.
  ///   - logs: The logs to search, or nil for all.
  ///   - report: Receives everything that was removed, even if an error is thrown.
  /// - Throws: ``JournalError``. Work done before the error is kept.
  package mutating func strip(
    _ erasures: Erasures, in logs: Set<UniqueID>?, into report: inout StripReport
  ) throws(JournalError) {
    try parts.eraser.strip(erasures, in: logs, into: &report)
  }
}
