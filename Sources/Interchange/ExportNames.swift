internal import Bytes
internal import Domain

/// Assigns the ids that exported records have in operation logs; no two records of a kind share one.
struct ExportNames {
  private struct Name: Hashable {
    let kind: Kind
    let uid: Source.UID
  }

  private var taken: Set<Name> = []

  /// Reserves a uid under which records have been imported from operation logs.
  mutating func reserve(_ source: Source, _ kind: Kind) {
    if source.importer == 0 { taken.insert(Name(kind: kind, uid: source.uid)) }
  }

  /// Returns the uid under which a record was imported from an operation log or, if there is none, its id in the book.
  ///
  /// The uids of other importers are ignored, because they may be the same for different records.
  mutating func name(_ kind: Kind, _ sources: [Source], _ id: UniqueID) -> String {
    if let source = sources.first(where: { $0.importer == 0 }) { return source.uid.text }
    var uid = Source.UID.bytes(id)
    // If an export of this book has been imported again, the id may already be the uid of another record.
    while !taken.insert(Name(kind: kind, uid: uid)).inserted { uid = Source.UID(uid.text + "+") }
    return uid.text
  }
}

extension FieldSchema {
  /// Returns the content of an assignment for a value; nil if the type of the field does not allow the value, or if the
  /// value refers to a record without an id.
  func content(of value: Value, ids: [EventKey: String]) -> Operation.Content? {
    if let key = value.reference {
      guard case .reference = type else { return nil }
      return ids[key].map(Operation.Content.source)
    }
    return json(of: value) == nil ? nil : .value(value)
  }
}
