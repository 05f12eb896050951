package import Bytes
package import Domain

/// Why a line of an operation log is not applied; such a line writes nothing.
package enum OperationFault: Error, Hashable, Sendable {
  /// What is wrong with the content of a field.
  package enum Reason: Error, Hashable, Sendable {
    case value(ValueFault)
    case date(CivilDateError)
  }

  // Reading the line.
  case tooLong(maximumBytes: Int)
  case notJSON(JSONError)
  case notAnObject
  case missing(String)
  /// The value of the key has the wrong type or is too long.
  case badKey(String)
  case badTime
  case unknownOperation(String)
  case unknownKind(String)
  /// The kind has no field of that name; only outside of `set` are unknown keys allowed.
  case unknownField(Kind, String)
  /// A field is given under two names, or both in `set` and next to it.
  case repeated(String)
  case badValue(Kind, String, Reason)
  case provenanceTooLong(maximumBytes: Int)

  // Applying the operation.
  /// No record of the kind has the id.
  case unknownID(Kind, String)
  /// The field refers to an unknown record.
  case unknownReference(Kind, String, id: String)
  /// An add from the same source gave the id to another record, which has another value in the field.
  case addedBefore(Kind, String, field: String)
  /// The record is deleted; only an add or a restore brings it back.
  case dead(Kind, String)
  case refused(Refusal)
}
