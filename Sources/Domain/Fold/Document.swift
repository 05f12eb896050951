package import Bytes

/// What people see as one record: an entity, or several of one kind that were joined.
package struct Document: Hashable, Sendable {
  /// A field as it is shown.
  package struct Shown: Hashable, Sendable {
    package let field: Field
    /// The survivors with distinct values, the highest stamp first; references name the document they belong to.
    package let survivors: [Stored]
    /// Whether several values survive, in a field that does not merely show its latest write.
    package let isConflict: Bool

    package var value: Value { survivors.first?.value ?? .null }
  }

  /// A delete and an event that gave life, neither of which had seen the other.
  package struct Dispute: Hashable, Sendable {
    package let delete: Mark
    package let giver: Mark
  }

  package let kind: Kind
  /// The member it is shown under: the one whose add has the lowest stamp.
  package let key: EventKey
  package let id: UniqueID
  /// The entities it consists of, by the stamps of their adds.
  package let members: [EventKey]
  package let isAlive: Bool
  /// Where its members came from, in their order.
  package let sources: [Source]
  /// Sorted by field; those that were ever written.
  package let fields: [Shown]
  /// Set while someone deleted it and someone else, who did not know, gave it life, and nobody has settled it.
  package let deleteAgainstEdit: Dispute?

  package var source: Source? { sources.first }

  package func shown(_ field: Field) -> Shown? {
    let place = fields.firstPlace { $0.field >= field }
    return place < fields.count && fields[place].field == field ? fields[place] : nil
  }

  /// The value shown; null where there is none.
  package func value(_ field: Field) -> Value { shown(field)?.value ?? .null }

  package var conflicts: [Shown] { fields.filter(\.isConflict) }
}
