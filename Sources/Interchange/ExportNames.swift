internal import Bytes
internal import Domain

/// Gives what leaves the book the ids of operation logs: no two records of a kind share one.
struct ExportNames {
  private struct Name: Hashable {
    let kind: Kind
    let uid: Source.UID
  }

  private var taken: Set<Name> = []

  /// Keeps a uid for the records that come from operation logs under it.
  mutating func reserve(_ source: Source, _ kind: Kind) {
    if source.importer == 0 { taken.insert(Name(kind: kind, uid: source.uid)) }
  }

  /// The uid under which a record came from an operation log, or else the id the book gave it.
  ///
  /// The uids of other importers are left out: they may be the same for different records.
  mutating func name(_ kind: Kind, _ sources: [Source], _ id: UniqueID) -> String {
    if let source = sources.first(where: { $0.importer == 0 }) { return source.uid.text }
    var uid = Source.UID.bytes(id)
    // Where an export of this book came back into it, the id may be another record's uid.
    while !taken.insert(Name(kind: kind, uid: uid)).inserted { uid = Source.UID(uid.text + "+") }
    return uid.text
  }
}

extension FieldSchema {
  /// What an operation says for a value; nil for one that the field's type does not know, and for a reference
  /// to what has no id.
  func content(of value: Value, ids: [EventKey: String]) -> Operation.Content? {
    if let key = value.reference {
      guard case .reference = type else { return nil }
      return ids[key].map(Operation.Content.source)
    }
    return json(of: value) == nil ? nil : .value(value)
  }
}
