package import Domain

/// A source of records to import.
package protocol ImportSource: Sendable {
  /// The namespace of the uids of the records.
  var importer: UInt64 { get }
  /// The number of records, or of lines that may contain one.
  var count: Int { get }

  /// Returns the step to take for a record.
  ///
  /// - Parameters:
  ///   - place: The index of the record.
  ///   - records: The records of the book, including the results of all previous steps.
  /// - Returns: The step.
  /// - Throws: ``OperationFault`` if the record is skipped.
  mutating func step(at place: Int, on records: Records) throws(OperationFault) -> ImportStep
}

/// The step to take for one record of an import.
package enum ImportStep: Sendable {
  /// The line contains no record.
  case blank
  /// The record is ignored.
  case passed
  /// The record was deleted in the book, and stays deleted.
  case keptDeleted
  /// Only the book has changed the record since the file was written.
  ///
  /// The operation, if any, stores the data that was read.
  case outdated(Operation?)
  /// The operations to apply.
  ///
  /// The operation at `main` is about the record itself. The array is empty if nothing differs.
  case operations([Operation], main: Int)
  /// No visible change is needed, but the operation stores data about the file for the next import.
  case noted(Operation)
  /// The inner step is taken, followed by the operations on the occurrences of its record.
  indirect case repeating(ImportStep, [Operation])
  /// The inner step is taken, except for disputed fields.
  ///
  /// The disputed fields keep their values although the file differs.
  indirect case disputed(ImportStep, [FieldDispute])
}
