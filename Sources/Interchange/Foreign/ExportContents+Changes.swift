internal import Domain

extension ExportContents {
  /// The fields of a document that are not as they were when a file was read last.
  ///
  /// What they were is told by digests, and not by the file's words: these may mean another day in another time zone.
  func changes(of document: Document, since base: FieldDigests?) -> Set<Field> {
    let fields = Schema.schema(of: document.kind)?.fields.map(\.field) ?? []
    guard let base else { return Set(fields) }
    return Set(
      fields.filter { field in
        // The book knows these of a to-do whether or not the file does.
        let isDerived =
          document.kind == .todo && [Field.Todo.createdAt, Field.Todo.completedAt].contains(field)
        if isDerived, !base.fields.contains(field) { return false }
        return !base.isSame(field, content(of: field, in: document), in: document.kind)
      }
    ).subtracting([.source, .owner, .extra])
  }

  /// What a file has for a field that says what the document does.
  func content(of field: Field, in document: Document) -> ForeignRecord.Content? {
    if document.kind == .todo, field == Field.Todo.list {
      return listName(of: document).map { .list(named: $0) }
    }
    let value = document.value(field)
    return value == .null ? nil : .value(value)
  }
}
