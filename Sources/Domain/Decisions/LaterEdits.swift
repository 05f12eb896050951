package import Bytes

/// A value that somebody else has written to a field after a command had.
package struct LaterEdit: Hashable, Sendable {
  package let kind: Kind
  /// The record.
  package let id: UniqueID
  package let field: Field
  /// The entities the record consists of.
  package let members: [EventKey]
  package let write: Stored
}

extension Records {
  /// The values shown, or in conflict, that others wrote to what a command wrote, having seen it.
  ///
  /// Of a record that the command added, each field counts. Quiet fields do not, nor does what is deleted.
  ///
  /// - Parameters:
  ///   - facts: The events of the command.
  ///   - isOther: Whether an event is somebody else's, and stays when the command is undone.
  /// - Returns: The edits, record by record in the order of the command, each field once.
  package func laterEdits(of facts: [Fact], by isOther: (EventKey) -> Bool) -> [LaterEdit] {
    var found: [LaterEdit] = []
    var known: Set<LaterEdit> = []
    // Many facts may be about the members of one.
    var documents: [EventKey: Document] = [:]
    for fact in facts where fact.body.verb == .add || fact.body.verb == .edit {
      guard let key = shownMember(of: fact.entity),
        let document = documents[key] ?? document(of: key), document.isAlive
      else { continue }
      documents[key] = document
      for edit in edits(of: document, after: fact, by: isOther) where known.insert(edit).inserted {
        found.append(edit)
      }
    }
    return found
  }

  private func edits(
    of document: Document, after fact: Fact, by isOther: (EventKey) -> Bool
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
          write: $0)
      }
    }
  }
}

extension Fact {
  /// The entity it is about: for an add the one it brings.
  fileprivate var entity: EventKey {
    if case .entity(let target) = body.target { target } else { key }
  }
}
