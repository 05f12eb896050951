package import Bytes
package import Domain
internal import SQLite

/// The fields that rows of all kinds have.
package struct RowHead: Equatable, Sendable {
  /// The document's shown member.
  package let key: EventKey
  package let id: UniqueID
  /// The time at which the record was added, in milliseconds.
  package let addedAt: Int64
  /// Whether the record was deleted and edited by events that had not seen each other.
  package let isDisputed: Bool
  package let note: String?
  package let tags: [String]
}

extension RowHead {
  /// The columns of the head, which are the first columns of a query.
  static let columns = "log, sequence, id, added_at, disputed, note, tags"
  /// The number of columns in the head, which is also the index of the first column after them.
  static let count = 7

  init(_ row: borrowing Statement) {
    key = row.key(0)
    id = row.uniqueID(2)
    addedAt = row.integer(3)
    isDisputed = row.boolean(4)
    note = row.textOrNil(5)
    tags = row.texts(6)
  }
}
