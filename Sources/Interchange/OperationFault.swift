package import Bytes
package import Domain

/// Why a line of an operation log is not carried out; nothing is written for it then.
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
  /// The key holds something of another type, or too much of it.
  case badKey(String)
  case badTime
  case unknownOperation(String)
  case unknownKind(String)
  /// The kind has no field of that name; only beside `set` may there be keys that nobody knows.
  case unknownField(Kind, String)
  /// One field under two names, or both inside `set` and beside it.
  case repeated(String)
  case badValue(Kind, String, Reason)
  case provenanceTooLong(maximumBytes: Int)

  // Carrying it out.
  /// No record of the kind has that id.
  case unknownID(Kind, String)
  /// The field of that name refers to what is not known.
  case unknownReference(Kind, String, id: String)
  /// An add of the same source gave the id to another record: the field of that name holds something else there.
  case addedBefore(Kind, String, field: String)
  /// The record is deleted; only an add or a restore brings it back.
  case dead(Kind, String)
  case refused(Refusal)
}
