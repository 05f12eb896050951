package import Domain

/// A field that an import leaves as it is, since nothing tells that the file's value is to replace the book's.
package struct FieldDispute: Hashable, Sendable {
  package enum Reason: Sendable {
    /// The book and the writer of the file have both changed it since they had the same.
    case changedInBoth
    /// Nothing tells what it was before, and so who has changed it.
    case unknown
    /// The file has nothing, and nothing tells whether it had something once.
    case unsaid
  }

  /// What the record is called here.
  package var title: String
  package var kind: Kind
  /// The record, as the book names it.
  package var key: EventKey
  package var field: Field
  package var reason: Reason
  /// What the book has; nil for nothing.
  package var own: ForeignRecord.Content?
  /// What the file says; nil for nothing.
  package var told: ForeignRecord.Content?
}

extension FieldDispute {
  /// Whether a book still has something else than the file says.
  package func stands(in records: Records) -> Bool {
    guard let document = records.document(of: key), document.isAlive else { return false }
    return ExportContents(records).content(of: field, in: document) != told
  }
}

extension Document {
  /// What people call a record.
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
