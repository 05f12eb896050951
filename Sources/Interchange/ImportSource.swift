package import Domain

/// What an import takes in, record by record.
package protocol ImportSource: Sendable {
  /// The name space that the uids of its records belong to.
  var importer: UInt64 { get }
  /// How many records there are, or lines that may hold one.
  var count: Int { get }

  /// What is to be done about a record of a book that holds all that was done for those before it.
  ///
  /// - Throws: ``OperationFault`` where the record is to be skipped.
  mutating func step(at place: Int, on records: Records) throws(OperationFault) -> ImportStep
}

/// What is to be done about one record of an import.
package enum ImportStep: Sendable {
  /// There is no record.
  case blank
  /// The record is of no concern.
  case passed
  /// The book has deleted it, and keeps to that.
  case keptDeleted
  /// Only the book has changed it since the file was written. The operation, if any, notes what was read.
  case outdated(Operation?)
  /// These, of which one is about the record itself; none if nothing differs.
  case operations([Operation], main: Int)
  /// Nothing that anybody sees, but something to remember of the file for the next time.
  case noted(Operation)
  /// One of these, and of the record these fields stay as they are, though the file says something else.
  indirect case disputed(ImportStep, [FieldDispute])
}
