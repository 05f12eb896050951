package import Bytes
package import Domain
internal import SQLite

/// What a row of every kind tells.
package struct RowHead: Equatable, Sendable {
  /// The document's shown member.
  package let key: EventKey
  package let id: UniqueID
  /// When it was added, in milliseconds.
  package let addedAt: Int64
  /// Whether someone deleted it while someone else, not knowing, went on with it.
  package let isDisputed: Bool
  package let note: String?
  package let tags: [String]
}

extension RowHead {
  /// The columns it is read from, which a query names first.
  static let columns = "log, sequence, id, added_at, disputed, note, tags"
  /// The number of the first column after them.
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
