package import Bytes
package import Domain

/// The reason why a line of an operation log is not applied.
///
/// A fault leaves the book unchanged.
package enum OperationFault: Error, Hashable, Sendable {
  /// The fault in the content of a field.
  package enum Reason: Error, Hashable, Sendable {
    case value(ValueFault)
    case date(CivilDateError)
  }

  // Faults when a line is read.
  case tooLong(maximumBytes: Int)
  case notJSON(JSONError)
  case notAnObject
  case missing(String)
  /// The value of the key has the wrong type or is too long.
  case badKey(String)
  case badTime
  case unknownOperation(String)
  case unknownKind(String)
  /// The kind has no field of that name.
  ///
  /// Unknown keys are allowed only outside `set`.
  case unknownField(Kind, String)
  /// A field is given under two names, or both inside `set` and next to it.
  case repeated(String)
  case badValue(Kind, String, Reason)
  case provenanceTooLong(maximumBytes: Int)

  // Faults when an operation is applied.
  /// No record of the kind has the id.
  case unknownID(Kind, String)
  /// The field refers to an unknown record.
  case unknownReference(Kind, String, id: String)
  /// An earlier add in the same import used the id for a record with a different value in the field.
  case addedBefore(Kind, String, field: String)
  /// The edit would close the first date of a repeating to-do, but that date already has an occurrence.
  case closesNoDate(String)
  /// The record is deleted, and only an add or a restore can bring it back.
  case dead(Kind, String)
  case refused(Refusal)
}
