package import Bytes

/// Why a command is not carried out; nothing is written then.
package enum Refusal: Error, Hashable, Sendable {
  /// Nothing is known under that name.
  case unknown(EventKey)
  /// It is deleted; only a restore writes to it.
  case dead(Kind, UniqueID)
  /// A kind from a newer version.
  case unknownKind(Kind)
  /// The command is for things of another kind.
  case notOfKind(expected: Kind, found: Kind)
  /// The kind has no such field.
  case unknownField(Kind, Field)
  /// Only the event that adds the thing writes the field.
  case fixed(Kind, Field)
  /// The field must hold something.
  case required(Kind, Field)
  case badValue(Kind, Field, ValueFault)
  /// The field refers to something of another kind.
  case badReference(Kind, Field, found: Kind)
  /// A birthday with neither a name nor a date.
  case empty(Kind)
  /// It has children, and the command was to deny that.
  case notEmpty(Kind, UniqueID, children: Int)
  /// Its children cannot be without it.
  case childrenNeedParent(Kind, UniqueID)
  case noChoices(UniqueID)
  case weightsSumToZero(UniqueID)
  case weightsTooLarge(UniqueID)
  /// Nothing is to be settled in the field, or about a deletion if no field is given.
  case noConflict(Kind, Field?)
  /// The two differ in a field that only their adds write, so they can never be one.
  case unlike(Kind, Field)
  /// Records of two kinds are never one.
  case unlikeKinds(Kind, Kind)
}
