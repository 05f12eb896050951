/// A cache over an unchanging shelf, for repeated queries about members of the same documents.
final class KnownShelf<Base: Shelf>: Shelf {
  private let base: Base
  private var documents: [EventKey: Document?] = [:]
  private var written: [Slot: Set<EventKey>] = [:]

  private struct Slot: Hashable {
    let document: EventKey
    let field: Field
  }

  init(_ base: Base) { self.base = base }

  func document(of key: EventKey) -> Document? {
    if let known = documents[key] { return known }
    let document = base.document(of: key)
    for member in document?.members ?? [key] { documents.updateValue(document, forKey: member) }
    return document
  }

  func entity(of key: EventKey) -> Entity? { base.entity(of: key) }
  func isAlive(_ key: EventKey) -> Bool { base.isAlive(key) }
  func children(of key: EventKey, _ kind: Kind) -> [Document] { base.children(of: key, kind) }
  func recurrence(of key: EventKey) -> Recurrence? { base.recurrence(of: key) }

  /// Whether a write to a field must go to a member of a document.
  func mustWrite(_ field: Field, to member: EventKey, of document: Document) -> Bool {
    let slot = Slot(document: document.key, field: field)
    if let known = written[slot] { return known.contains(member) }
    let members = Set(membersToWrite(field, of: document))
    written[slot] = members
    return members.contains(member)
  }
}
