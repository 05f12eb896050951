package import Domain

/// The records of an import, one after the other.
package protocol ImportSource: Sendable {
  /// The namespace of the uids of the records.
  var importer: UInt64 { get }
  /// The number of records, or of lines that may contain one.
  var count: Int { get }

  /// Returns what to do about one record.
  ///
  /// - Parameters:
  ///   - place: The index of the record.
  ///   - records: A book that contains the results of all previous steps.
  /// - Returns: The step.
  /// - Throws: ``OperationFault`` if the record is skipped.
  mutating func step(at place: Int, on records: Records) throws(OperationFault) -> ImportStep
}

/// What to do about one record of an import.
package enum ImportStep: Sendable {
  /// There is no record.
  case blank
  /// The record is ignored.
  case passed
  /// The book has deleted the record, which stays deleted.
  case keptDeleted
  /// Only the book has changed the record since the file was written. The operation, if any, stores what was read.
  case outdated(Operation?)
  /// Apply these operations, of which the one at `main` is about the record itself; empty if nothing differs.
  case operations([Operation], main: Int)
  /// No visible change, but the operation stores facts about the file for the next import.
  case noted(Operation)
  /// Another step, and fields that keep their values although the file differs.
  indirect case disputed(ImportStep, [FieldDispute])
}
