/// The documents and entities that decisions read, as currently folded.
package protocol Shelf {
  /// The document that an entity belongs to, dead or alive.
  func document(of key: EventKey) -> Document?
  /// The kept state of an entity.
  func entity(of key: EventKey) -> Entity?
  /// Whether a single entity or alias is alive, regardless of its document.
  func isAlive(_ key: EventKey) -> Bool
  /// The live documents of a kind whose parent is the document of an entity, sorted by id.
  func children(of key: EventKey, _ kind: Kind) -> [Document]
  /// How a to-do repeats; nil if neither the to-do nor any of its ancestors repeats.
  func recurrence(of key: EventKey) -> Recurrence?
  /// The values that the end of a series had before its present value, latest first; nil if there are none, or if the
  /// shelf knows only present values.
  func earlierEnds(of key: EventKey) -> [Value]?
}

extension Shelf {
  package func earlierEnds(of key: EventKey) -> [Value]? { nil }
}

extension Records: Shelf {
  package func entity(of key: EventKey) -> Entity? { joined.entities[key] }

  package func isAlive(_ key: EventKey) -> Bool {
    joined.entities[key].map { $0.birth != nil && $0.isAlive(by: joined.causality) } ?? false
  }

  package func recurrence(of key: EventKey) -> Recurrence? {
    RecurrenceFinder(self).recurrence(of: key)
  }

  package func children(of key: EventKey, _ kind: Kind) -> [Document] {
    guard let field = Schema.schema(of: kind)?.parentField?.field,
      let parent = joined.shownMember(of: key)
    else { return [] }
    return documents(kind).filter { $0.isAlive && $0.value(field).reference == parent }
  }
}

extension Shelf {
  /// The members of a document that must receive a write to a field.
  ///
  /// These are the shown member and all members that have a write to the field, because that write would otherwise
  /// compete with the new write. An occurrence is not always read from its shown member; the first member that it is
  /// read from takes the place of the shown member.
  func membersToWrite(_ field: Field, of document: Document) -> [EventKey] {
    let isShownRead = document.members.contains(document.key)
    let first = isShownRead ? document.key : document.members.first
    return document.members.filter { member in
      member == first || !(entity(of: member)?.writes(of: field).isEmpty ?? true)
    }
  }

  /// The document of an entity, for a command that writes to it.
  ///
  /// - Throws: ``Refusal`` if the document is unknown or dead.
  func liveDocument(of key: EventKey) throws(Refusal) -> Document {
    guard let document = document(of: key) else { throw .unknown(key) }
    guard document.isAlive else { throw .dead(document.kind, document.id) }
    return document
  }
}
