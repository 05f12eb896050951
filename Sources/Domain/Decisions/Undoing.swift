package import Bytes

/// The events that an undo writes, and a report of what the undo leaves unchanged and reopens.
package struct Undoing: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The record would look the same without the command, because it has since been changed or the command had no
    /// visible effect.
    case shownAnyway
    /// The command restored the document, which another change also restored or keeps alive.
    case keptAnyway
    /// The document is deleted, so only a restore can write to it, or the write would bring back a deleted parent.
    case dead
  }

  /// A field of a document that an undo leaves unchanged; nil stands for the document's life.
  package struct Left: Hashable, Sendable {
    package let kind: Kind
    package let id: UniqueID
    package let field: Field?
    package let reason: Reason

    package init(kind: Kind, id: UniqueID, field: Field?, reason: Reason) {
      self.kind = kind
      self.id = id
      self.field = field
      self.reason = reason
    }
  }

  /// A document's field that is in conflict after the undo; nil stands for a delete against an edit.
  package struct Reopened: Hashable, Sendable {
    package let kind: Kind
    /// The id of the record or of one of its members; an undo can join or separate records.
    package var id: UniqueID
    package let field: Field?
    /// Whether the field or the life was already in conflict before the undo.
    package let wasOpen: Bool
    /// The conflicting values other than the one shown.
    package var others: [Value]

    init(
      _ document: Document, _ field: Field?, _ others: [Value], writtenTo member: UniqueID? = nil
    ) {
      (kind, id) = (document.kind, member ?? document.id)
      (self.field, self.others) = (field, others)
      wasOpen =
        field.map { document.shown($0)?.isConflict ?? false }
        ?? (document.deleteAgainstEdit != nil)
    }
  }

  package var drafts: [Draft] = []
  package internal(set) var left: [Left] = []
  package internal(set) var reopened: [Reopened] = []
}

/// The fields that a command wrote, and the lives that it touched, by entity.
struct CommandTrace {
  /// The fields written to each entity, without alternatives, sources, owners and notes on the event.
  private(set) var fields: [EventKey: Set<Field>] = [:]
  /// Entities and aliases that the command added, deleted, restored or edited, and entities that its adds and edits
  /// refer to.
  private(set) var lives: Set<EventKey> = []
  /// The elements of ``lives`` that were added, deleted or restored, and not merely edited or referred to.
  private(set) var lifeVerbs: Set<EventKey> = []
  /// The elements of ``lifeVerbs`` that were deleted.
  private(set) var deleted: Set<EventKey> = []

  init(_ facts: [Fact]) {
    for fact in facts { note(fact) }
  }

  /// The entities that the command wrote to, and those that its aliases join; nil if it has no alias.
  func entitiesOfJoins(in shelf: some Shelf) -> Set<EventKey>? {
    let joins = lives.compactMap { shelf.entity(of: $0)?.birth }.filter { $0.kind == nil }
    return joins.isEmpty ? nil : Set(joins.flatMap(\.joins)).union(fields.keys)
  }

  private mutating func note(_ fact: Fact) {
    let key: EventKey
    switch (fact.body.verb, fact.body.target) {
    case (.add, _), (.alias, _): key = fact.key
    case (_, .entity(let target)): key = target
    case (_, .kind): return
    }
    lives.insert(key)
    switch fact.body.verb {
    case .add, .edit:
      // The kind determines which fields refer to a parent. Checking an extra entity is harmless.
      for write in fact.body.writes {
        if let parent = write.value.reference { lives.insert(parent) }
      }
      if fact.body.verb == .add { lifeVerbs.insert(key) }
      let written = fact.body.writes.map(\.field).filter { $0 > .owner && !$0.isAlternative }
      fields[key, default: []].formUnion(written)
    case .delete, .restore, .alias:
      lifeVerbs.insert(key)
      if fact.body.verb == .delete { deleted.insert(key) }
    }
  }
}
