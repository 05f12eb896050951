internal import Domain

extension ExportContents {
  /// Returns the fields of a document that have changed since the file was last read.
  ///
  /// The earlier state is given by digests rather than by the text of the file, because the text may mean a different
  /// day in a different time zone.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - base: The digests of the file's fields; nil if they are unknown, in which case all fields count as changed.
  ///   - format: The format of the file.
  /// - Returns: The changed fields.
  func changes(
    of document: Document, since base: FieldDigests?, in format: FileFormat
  ) -> Set<Field> {
    let fields = Schema.schema(of: document.kind)?.fields.map(\.field) ?? []
    guard let base else { return Set(fields) }
    return Set(
      fields.filter { field in
        // The book derives these fields of a to-do even if the file does not contain them.
        let isDerived =
          document.kind == .todo && [Field.Todo.createdAt, Field.Todo.completedAt].contains(field)
        if isDerived, !base.fields.contains(field) { return false }
        let content = content(of: field, in: document, as: format)
        return !base.isSame(field, content, in: document.kind)
      }
    ).subtracting([.source, .owner, .extra])
  }

  /// Returns the content that a file of the given format would contain for a field if the file agreed with the
  /// document.
  func content(
    of field: Field, in document: Document, as format: FileFormat
  ) -> ForeignRecord.Content? {
    if document.kind == .todo, field == Field.Todo.list {
      return listName(of: document).map { .list(named: $0) }
    }
    if document.kind == .todo, field == Field.Todo.parent {
      return parent(of: document).map {
        .record(uid: $0.uid(from: format) ?? $0.id.uuid)
      }
    }
    let value = document.value(field)
    return value == .null ? nil : .value(value)
  }
}
