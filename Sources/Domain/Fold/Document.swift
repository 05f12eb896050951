package import Bytes

/// A record as users see it: one entity, or several of one kind that were joined.
package struct Document: Hashable, Sendable {
  /// The shown values of a field.
  package struct Shown: Hashable, Sendable {
    package let field: Field
    /// The surviving writes with distinct values, highest stamp first.
    ///
    /// References refer to the shown members of their documents.
    package let survivors: [Stored]
    /// Whether several values survive, in a field that does not simply show its latest write.
    package let isConflict: Bool

    package var value: Value { survivors.first?.value ?? .null }
  }

  /// A delete and an event that gave life, in conflict with each other.
  ///
  /// The two are concurrent, or an undo has reopened the conflict between them.
  package struct Dispute: Hashable, Sendable {
    package let delete: Mark
    package let giver: Mark
    /// The members that are each in dispute on their own, in the order of the document's members.
    package let members: [EventKey]
    /// Whether an undo has reopened the conflict; if so, the two events might not be those that were originally in
    /// conflict.
    package let isReopened: Bool
  }

  package let kind: Kind
  /// The member under which the document is shown: the member whose add has the lowest stamp.
  package let key: EventKey
  package let id: UniqueID
  /// The entities of the document, sorted by the stamps of their adds.
  ///
  /// For a living occurrence, these are its living entities, from which the occurrence is read.
  package let members: [EventKey]
  package let isAlive: Bool
  /// Whether the document is an occurrence: a to-do that names another to-do as its owner, even if that to-do is not
  /// folded.
  package let isOccurrence: Bool
  /// The distinct sources of the members, in the order of the members.
  package let sources: [Source]
  /// The fields that have been written and, for a to-do, those derived from other writes; sorted by field.
  package let fields: [Shown]
  /// The unsettled conflict between a delete and an event that gave life; nil if there is none or the document is
  /// dead.
  package let deleteAgainstEdit: Dispute?
  /// The title of the series of an occurrence; nil for all other documents, and if the series is unknown.
  package let seriesTitle: String?

  package var source: Source? { sources.first }

  package func shown(_ field: Field) -> Shown? {
    let place = fields.firstPlace { $0.field >= field }
    return place < fields.count && fields[place].field == field ? fields[place] : nil
  }

  /// The shown value; null if there is none.
  package func value(_ field: Field) -> Value { shown(field)?.value ?? .null }

  package var conflicts: [Shown] { fields.filter(\.isConflict) }
}
