/// The kind of an entity, by its number in the journal.
///
/// Numbers other than those below come from newer versions; entities of such kinds are kept but not shown.
package struct Kind: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package static let birthday = Kind(rawValue: 0)
  package static let list = Kind(rawValue: 1)
  package static let todo = Kind(rawValue: 2)
  package static let question = Kind(rawValue: 3)
  package static let choice = Kind(rawValue: 4)
  package static let pick = Kind(rawValue: 5)

  package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a field; its meaning depends on the kind, except for the common fields.
package struct Field: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  // Fields that all kinds have.
  package static let source = Field(rawValue: 0)
  package static let owner = Field(rawValue: 1)
  package static let note = Field(rawValue: 2)
  /// All tags as one list, which older programs write.
  ///
  /// Each tag also has a register; see ``Tag``.
  package static let tags = Field(rawValue: 3)
  package static let extra = Field(rawValue: 4)

  // Notes on the event, not on the entity.
  package static let provenance = Field(rawValue: -1)
  package static let because = Field(rawValue: -2)

  /// The second entity of an alias.
  package static let with = Field(rawValue: 5)

  package static func < (left: Field, right: Field) -> Bool { left.rawValue < right.rawValue }
}
