package import Bytes

/// A value that another author wrote to a field after a command wrote to it.
package struct LaterEdit: Hashable, Sendable {
  package let kind: Kind
  /// The id of the document.
  package let id: UniqueID
  package let field: Field
  /// The entities that the document consists of.
  package let members: [EventKey]
  package let write: Stored
  /// Whether the command added the entity that it wrote to.
  package let isOfAdd: Bool
}

extension Records {
  /// The values, shown or in conflict, that others wrote to the command's fields with knowledge of the command.
  ///
  /// For a record that the command added, every field counts. Quiet fields and deleted records do not count.
  ///
  /// - Parameters:
  ///   - facts: The events of the command.
  ///   - isOther: Whether an event has another author and remains in effect when the command is undone.
  /// - Returns: The edits in the order of the facts, each edit once.
  package func laterEdits(of facts: [Fact], by isOther: (EventKey) -> Bool) -> [LaterEdit] {
    var found: [LaterEdit] = []
    var known: Set<LaterEdit> = []
    let added = Set(facts.lazy.filter { $0.body.verb == .add }.map(\.key))
    // Several facts may concern members of the same document.
    var documents: [EventKey: Document] = [:]
    for fact in facts where fact.body.verb == .add || fact.body.verb == .edit {
      guard let key = shownMember(of: fact.entity),
        let document = documents[key] ?? document(of: key), document.isAlive
      else { continue }
      documents[key] = document
      let isOfAdd = added.contains(fact.entity)
      for edit in edits(of: document, after: fact, isOfAdd, by: isOther)
      where known.insert(edit).inserted {
        found.append(edit)
      }
    }
    return found
  }

  private func edits(
    of document: Document, after fact: Fact, _ isOfAdd: Bool, by isOther: (EventKey) -> Bool
  ) -> [LaterEdit] {
    document.fields.flatMap { shown -> [LaterEdit] in
      let isWritten = fact.body.writes.contains { $0.field == shown.field }
      guard fact.body.verb == .add || isWritten,
        !(Schema.field(shown.field, of: document.kind)?.isQuiet ?? false)
      else { return [] }
      return shown.survivors.filter { write in
        isOther(write.key) && causality.past(of: write.key, includes: fact.key)
      }.map {
        LaterEdit(
          kind: document.kind, id: document.id, field: shown.field, members: document.members,
          write: $0, isOfAdd: isOfAdd)
      }
    }
  }
}

extension Fact {
  /// The entity that the fact concerns; for an add, the entity that it adds.
  fileprivate var entity: EventKey {
    if case .entity(let target) = body.target { target } else { key }
  }
}

/// Removes later edits from the facts of a fold, so that the earlier values are shown.
package struct LaterEditRemover {
  private var fields: [EventKey: Set<Field>] = [:]
  private let facts: [Fact]
  private let isOther: (EventKey) -> Bool

  /// Creates a remover of edits that were made after a command.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - facts: The events of the command.
  ///   - isOther: Whether an event has another author and remains in effect when the command is undone.
  package init(
    _ edits: [LaterEdit], after facts: [Fact], by isOther: @escaping (EventKey) -> Bool
  ) {
    for edit in edits {
      for member in edit.members { fields[member, default: []].insert(edit.field) }
    }
    self.facts = facts
    self.isOther = isOther
  }

  /// Removes from a fact the writes that overwrote writes of the command.
  package func strip(_ fact: inout Fact, _ causality: Causality) {
    guard fact.body.verb == .edit, case .entity(let key) = fact.body.target,
      let fields = fields[key], isOther(fact.key)
    else { return }
    let later = fact.key
    guard facts.contains(where: { causality.past(of: later, includes: $0.key) }) else { return }
    fact.body.writes.removeAll { write in
      // The completion time of a to-do is written together with `done`.
      fields.contains(write.field)
        || write.field == Field.Todo.completedAt && fields.contains(Field.Todo.done)
    }
  }
}
