internal import Domain

/// Tells what is shown under one entity after the other.
enum Showing {
  /// Where the document of an entity is shown, if it has one, and what it shows where that is here and it is alive.
  static func show(
    _ entity: borrowing Entity, of records: Records
  ) -> (shown: Shown?, content: DocumentContent?) {
    let key = entity.key
    if let content = DocumentContent.plain(entity, in: records) {
      return (Shown(under: key, isAlive: true), content)
    }
    guard let home = records.home(of: entity) else { return (nil, nil) }
    let shown = Shown(under: home.shown, isAlive: home.isAlive)
    // What many are joined in is worked out once, for the one that it is shown under.
    guard shown == Shown(under: key, isAlive: true), let document = records.document(of: key) else {
      return (shown, nil)
    }
    return (shown, DocumentContent(document, in: records))
  }
}
