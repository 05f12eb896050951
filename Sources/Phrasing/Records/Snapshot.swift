package import Bytes
package import Daybook
package import Domain
import Platform
package import ReadModel

/// The state of a book, now or at an earlier time.
package struct Snapshot {
  package let book: Book
  package let model: ReadModel
  /// The day from which records are viewed, which determines which to-dos are hidden.
  package var day: CivilDate?

  package init(book: Book, model: ReadModel, loaded: [EventKey: Document] = [:]) {
    self.book = book
    self.model = model
    day = book.machine.timekeeper.today
    self.loaded = loaded
  }

  /// Records that have already been read, by key.
  package var loaded: [EventKey: Document]
  /// All conflicts by record, once ``loadConflicts()`` has read them.
  private(set) var conflicts: [EventKey: [Conflict]]?

  /// Returns the documents with the given keys, in the same order; unknown keys are omitted.
  package func documents(_ keys: [EventKey]) throws -> [Document] {
    let records = try model.records.hydrateWithReferences(
      Set(keys), causality: try model.logs.causality())
    return keys.compactMap { records.document(of: $0) }
  }

  /// Reads all conflicts at once, which saves a query for each of many records.
  package mutating func loadConflicts() throws {
    conflicts = Dictionary(
      grouping: try book.conflictReader.conflicts(in: model), by: \.document.key)
  }

  package func document(_ key: EventKey) throws -> Document? { try documents([key]).first }

  /// Returns the live document with the given id; throws ``DaybookError`` if there is none.
  package func document(withID id: UniqueID, called words: String) throws -> Document {
    guard let key = try model.documents.document(id: id)?.key, let document = try document(key),
      document.isAlive
    else { throw DaybookError.unknown(words, kind: nil) }
    return document
  }

  /// Returns the numbers of dates that the to-dos in rows have missed before the day of the snapshot.
  package func missedDates(of rows: [TodoRow]) throws(ReadModelError) -> MissedDates {
    try MissedDates(of: rows, before: day, in: model)
  }

  /// Returns the short ids by id, which are the same at all times.
  package func shortIDs(_ ids: [UniqueID]) throws -> [UniqueID: String] {
    try book.finder.shortIDs(for: ids)
  }

  package func shortID(_ id: UniqueID) throws -> String {
    try shortIDs([id])[id] ?? ShortID.text(of: id)
  }

  /// Returns the id of the record to which a reference refers.
  package func id(of key: EventKey) throws -> UniqueID? {
    try loaded[key]?.id ?? model.documents.document(key)?.id
  }

  /// Returns the title, as shown in lists, of the record to which a reference refers.
  package func title(of key: EventKey) throws -> String? {
    try (loaded[key] ?? document(key)).map(listedTitle)
  }

  /// Returns the title that lists show for a record, which for a repeating to-do is that of its current date.
  package func listedTitle(of document: Document) throws -> String {
    try ShownTodo.ownText(of: Field.Todo.title, document, in: model) ?? document.title
  }
}

// MARK: - Values

extension Snapshot {
  /// Returns a value as JSON, for programs.
  package func json(_ value: Value, _ type: FieldType) throws -> JSON {
    try value.json(type, id: id)
  }

  /// Returns a field's value as text for users.
  ///
  /// An absent value is shown as the field's default.
  package func words(_ value: Value, of field: FieldSchema) throws -> String {
    try words(field.meaning(of: value), field.type)
  }

  /// Returns a value as text for users.
  package func words(_ value: Value, _ type: FieldType) throws -> String {
    try value.words(type, at: book.machine.timekeeper, title: title)
  }

  /// Returns the value or event on one side of a conflict as text for users.
  package func words(of side: Conflict.Side, in conflict: Conflict) throws -> String {
    switch (side.content, conflict.subject) {
    case (.edited, _): return "edited"
    case (.deleted, _): return "deleted"
    case (.value(let value), .field(let field)):
      guard let schema = Schema.field(field, of: conflict.document.kind) else {
        return "something from a newer daybook"
      }
      return try words(value, of: schema)
    case (.value, .life): return ""
    }
  }
}
