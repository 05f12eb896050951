package import Bytes

/// The reason why a command is refused.
///
/// A refused command writes nothing.
package enum Refusal: Error, Hashable, Sendable {
  /// No document is known for this key.
  case unknown(EventKey)
  /// The document is deleted and must be restored first.
  case dead(Kind, UniqueID)
  /// The kind comes from a newer version.
  case unknownKind(Kind)
  /// The command is for records of a different kind.
  case notOfKind(expected: Kind, found: Kind)
  /// The kind has no such field.
  case unknownField(Kind, Field)
  /// Only the event that adds an entity can write the field.
  case fixed(Kind, Field)
  /// The field cannot be empty.
  case required(Kind, Field)
  case badValue(Kind, Field, ValueFault)
  /// The field is counted back from the due date, but the to-do has no complete due date, or one that is too early.
  case noDayBeforeDue(Field)
  /// The field refers to a record of a different kind.
  case badReference(Kind, Field, found: Kind)
  /// A time needs a due date with a day.
  case timeWithoutDay
  /// A time zone needs a time.
  case zoneWithoutTime
  /// The to-do does not repeat.
  case noSeries(UniqueID)
  /// An occurrence inherits the field from its series.
  case ofSeries(Field)
  /// A repeating to-do needs a complete due date.
  case repeatsWithoutDue
  /// The rule does not fall on any day.
  case neverRepeats
  /// The rule would end before its first date.
  case endsBefore(first: CivilDate, until: CivilDate)
  /// An occurrence can be skipped or opened again, but not deleted.
  case deletesOccurrence(UniqueID)
  /// An occurrence cannot be joined with another record.
  case joinsOccurrence
  /// The to-do would be a sub-task of itself or of one of its own sub-tasks.
  case parentCycle(UniqueID, under: UniqueID)
  /// A birthday must have a name or a date.
  case empty(Kind)
  /// The record has children, and the command deletes only records without children.
  case notEmpty(Kind, UniqueID, children: Int)
  /// The children of the record cannot exist without it.
  case childrenNeedParent(Kind, UniqueID)
  case noChoices(UniqueID)
  case weightsSumToZero(UniqueID)
  case weightsTooLarge(UniqueID)
  /// The field has no such conflict; nil means that no delete is in conflict with an edit.
  case noConflict(Kind, Field?)
  /// The two records differ in a field that only adds write, so they cannot be joined.
  case unlike(Kind, Field)
  /// Records of different kinds cannot be joined.
  case unlikeKinds(Kind, Kind)
}
