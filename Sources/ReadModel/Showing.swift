internal import Domain

/// Tells what is shown under one entity after the other, and works out but once what several are joined in.
struct Showing {
  /// Those of entities whose turn comes later.
  private var documents: [EventKey: Document] = [:]

  /// Where the document of an entity is shown, if it has one, and what it shows where that is here and it is alive.
  ///
  /// The entities are to be asked about in order.
  mutating func show(
    _ entity: borrowing Entity, of records: Records
  ) -> (shown: Shown?, content: DocumentContent?) {
    let key = entity.key
    if let content = DocumentContent.plain(entity, in: records) {
      return (Shown(under: key, isAlive: true), content)
    }
    if entity.kind != nil, records.isAlone(entity), !records.isAlive(entity) {
      return (Shown(under: key, isAlive: false), nil)
    }
    guard let document = document(of: key, records) else { return (nil, nil) }
    let shown = Shown(under: document.key, isAlive: document.isAlive)
    let isHere = shown == Shown(under: key, isAlive: true)
    return (shown, isHere ? DocumentContent(document, in: records) : nil)
  }

  private mutating func document(of key: EventKey, _ records: Records) -> Document? {
    if !documents.isEmpty, let known = documents.removeValue(forKey: key) { return known }
    guard let document = records.document(of: key) else { return nil }
    if document.members.count > 1 {
      for member in document.members where member > key { documents[member] = document }
    }
    return document
  }
}
