internal import Domain

/// Finds what is shown under an entity.
enum Showing {
  /// Returns the member under which the entity's document is shown, and the document's content if that member is this
  /// entity and the document is alive.
  static func show(
    _ entity: borrowing Entity, of records: Records
  ) -> (shown: Shown?, content: DocumentContent?) {
    let key = entity.key
    if let content = DocumentContent.plain(entity, in: records) {
      return (Shown(under: key, isAlive: true), content)
    }
    guard let home = records.home(of: entity) else { return (nil, nil) }
    let shown = Shown(under: home.shown, isAlive: home.isAlive)
    // A document with many members is computed once, for its shown member.
    guard shown == Shown(under: key, isAlive: true), let document = records.document(of: key) else {
      return (shown, nil)
    }
    return (shown, DocumentContent(document, in: records))
  }
}
