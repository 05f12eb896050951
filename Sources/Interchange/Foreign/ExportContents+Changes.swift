internal import Domain

extension ExportContents {
  /// Returns the fields of a document that have changed since a file was last read.
  ///
  /// The earlier state is given by digests instead of the text of the file, which may mean a different day in a
  /// different time zone.
  func changes(of document: Document, since base: FieldDigests?) -> Set<Field> {
    let fields = Schema.schema(of: document.kind)?.fields.map(\.field) ?? []
    guard let base else { return Set(fields) }
    return Set(
      fields.filter { field in
        // The book derives these fields of a to-do even if the file does not contain them.
        let isDerived =
          document.kind == .todo && [Field.Todo.createdAt, Field.Todo.completedAt].contains(field)
        if isDerived, !base.fields.contains(field) { return false }
        return !base.isSame(field, content(of: field, in: document), in: document.kind)
      }
    ).subtracting([.source, .owner, .extra])
  }

  /// Returns the content that a file would have for a field if it agreed with the document.
  func content(of field: Field, in document: Document) -> ForeignRecord.Content? {
    if document.kind == .todo, field == Field.Todo.list {
      return listName(of: document).map { .list(named: $0) }
    }
    let value = document.value(field)
    return value == .null ? nil : .value(value)
  }
}
