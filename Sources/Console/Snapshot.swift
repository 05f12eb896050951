import Bytes
import Daybook
import Domain
import ReadModel

/// A book as it is, or as it was at some moment.
struct Snapshot {
  let book: Book
  let model: ReadModel
  /// Records that were read already, by the keys that name them.
  var loaded: [EventKey: Document] = [:]

  /// The documents of keys, in their order.
  func documents(_ keys: [EventKey]) throws -> [Document] {
    let causality = try model.causality()
    let alone = try model.hydrate(Set(keys), causality: causality)
    // A reference is shown only where the document it leads to is known.
    let named = alone.entities.values.flatMap { $0.writes.compactMap(\.value.reference) }
    let records = try model.hydrate(Set(keys + named), causality: causality)
    return keys.compactMap { records.document(of: $0) }
  }

  func document(_ key: EventKey) throws -> Document? { try documents([key]).first }

  /// The document with an id, which must be there at that moment.
  func document(withID id: UniqueID, called words: String) throws -> Document {
    guard let key = try model.document(id: id)?.key, let document = try document(key),
      document.isAlive
    else { throw DaybookError.unknown(words, kind: nil) }
    return document
  }

  /// The short ids, by id; they are the same whatever moment is looked at.
  func shortIDs(_ ids: [UniqueID]) throws -> [UniqueID: String] { try book.shortIDs(for: ids) }

  func shortID(_ id: UniqueID) throws -> String {
    try shortIDs([id])[id] ?? ShortID.text(of: id)
  }

  /// The id that a reference leads to.
  func id(of key: EventKey) throws -> UniqueID? {
    try loaded[key]?.id ?? model.document(key)?.id
  }

  /// What the record of a reference is called.
  func title(of key: EventKey) throws -> String? { try (loaded[key] ?? document(key))?.title }
}
