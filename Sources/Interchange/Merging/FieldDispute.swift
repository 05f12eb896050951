package import Domain

/// A field that an import does not change, because it is unclear whether the value in the file should replace the value
/// in the book.
package struct FieldDispute: Hashable, Sendable {
  package enum Reason: Sendable {
    /// The book and the writer of the file have both changed the field since their last common state.
    case changedInBoth
    /// The earlier value is unknown, so it is also unknown which side has changed the field.
    case unknown
    /// The file has no value, and it is unknown whether it ever had one.
    case unsaid
    /// The file has a parent that the book does not have.
    case noParent
    /// The file has a parent that is a part of the to-do in the book.
    case ownPart
    /// The to-do is closed in the book, and the open to-do of the file is added.
    case closed
  }

  /// The name of the record in this book.
  package var title: String
  package var kind: Kind
  /// The key of the record in this book; nil for a new record.
  package var key: EventKey?
  package var field: Field
  package var reason: Reason
  /// The value in the book; nil for none.
  package var own: ForeignRecord.Content?
  /// The value in the file; nil for none.
  package var told: ForeignRecord.Content?
}

extension FieldDispute.Reason {
  /// Whether the user can choose the value of the file.
  package var isChoice: Bool {
    switch self {
    case .changedInBoth, .unknown, .unsaid: true
    case .noParent, .ownPart, .closed: false
    }
  }
}

extension FieldDispute {
  /// Returns whether the book still differs from the file.
  package func stands(in records: Records) -> Bool {
    guard let key else { return true }
    guard let document = records.document(of: key), document.isAlive else { return false }
    let contents = ExportContents(records)
    if case .record(let uid)? = told {
      // The dispute does not name the format, and each format may have its own uid for the record.
      let other = contents.document(field, of: document)
      let names = other.map { [$0.id.uuid] + $0.sources.map(\.uid.text) } ?? []
      return !names.contains(uid)
    }
    // Only references to records differ between formats.
    return contents.content(of: field, in: document, as: .operations) != told
  }
}

extension ExportContents {
  /// Returns the name of a record; an occurrence has the name of its series, with the slot.
  func title(of document: Document) -> String {
    guard document.isOccurrence, let slot = document.value(Field.Todo.slot).date else {
      return document.name
    }
    return "\(self.document(.owner, of: document)?.name ?? "") (\(slot.iso))"
  }
}

extension Document {
  /// The name of the record, as users see it.
  var name: String {
    let fields: [Field] =
      switch kind {
      case .birthday: [Field.Birthday.firstName, Field.Birthday.lastName]
      case .list: [Field.List.name]
      case .todo: [Field.Todo.title]
      case .question: [Field.Question.content]
      default: [Field.Choice.name]
      }
    return fields.compactMap(text).joined(separator: " ")
  }
}
