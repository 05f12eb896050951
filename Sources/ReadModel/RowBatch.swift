internal import Bytes
internal import Domain
internal import SQLite

/// The rows of some entities for tables that hold none of them.
struct RowBatch: Sendable {
  private(set) var entities = RowBuffer(width: ReadModel.entityColumns.count)
  /// In the order of ``ReadModel/tables``.
  private(set) var documents = ReadModel.tables.map { RowBuffer(width: $0.storedColumns.count) }
  private(set) var conflicts = RowBuffer(width: ConflictRow.columns.count)

  /// Makes the rows of some entities, given in order.
  init(of keys: ArraySlice<EventKey>, in records: Records) {
    var showing = Showing(of: records)
    var room = CBORWriter()
    for key in keys {
      guard let entity = records.entities[key] else { continue }
      let (shown, content) = showing.show(entity)
      entities.append(entity.row(shown: shown, in: &room))
      if let content { add(content) }
    }
  }

  private mutating func add(_ content: DocumentContent) {
    guard let table = ReadModel.table(of: content.kind) else { return }
    documents[Int(content.kind.rawValue)].append(table.row(of: content))
    for row in content.conflictRows { conflicts.append(row) }
  }
}
