package import Bytes

/// What an undo writes, and what it leaves as it is.
package struct Undoing: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// It would be shown the same without the command: it has been changed since, or never was by
    /// it.
    case shownAnyway
    /// The document is deleted, and only a restore writes to such.
    case dead
  }

  /// What of a document is left: a field, or with no field its life.
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

  /// What of a document is in conflict again: a field, or with no field a delete against an edit.
  package struct Reopened: Hashable, Sendable {
    package let kind: Kind
    package let id: UniqueID
    package let field: Field?
    /// The values beside the one shown.
    package var others: [Value]

    init(_ document: Document, _ field: Field?, _ others: [Value]) {
      (kind, id) = (document.kind, document.id)
      (self.field, self.others) = (field, others)
    }
  }

  package var drafts: [Draft] = []
  package internal(set) var left: [Left] = []
  package internal(set) var reopened: [Reopened] = []
}

/// What a command did, by entity: which fields it wrote and whose life it touched.
struct CommandTrace {
  /// Sorted, so that the same command is always undone by the same events.
  private(set) var fields: [EventKey: Set<Field>] = [:]
  /// Entities and aliases that were added, deleted, restored or edited, and parents that were
  /// named.
  private(set) var lives: Set<EventKey> = []
  /// Those of ``lives`` that a verb was meant for, and not merely an edit or a child.
  private(set) var lifeVerbs: Set<EventKey> = []
  /// Those of ``lifeVerbs`` that were deleted.
  private(set) var deleted: Set<EventKey> = []

  init(_ facts: [Fact]) {
    for fact in facts { note(fact) }
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
      // Which fields name a parent depends on the kind; looking at one too many does no harm.
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
