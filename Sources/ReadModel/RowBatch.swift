internal import Bytes
internal import Domain
internal import SQLite

/// The rows of some entities for tables that hold none of them, and what their documents add to the state digest.
struct RowBatch: Sendable {
  /// For each b-tree of each table, in the order of ``ReadModel/pickings``.
  private(set) var runs = ReadModel.pickings.map { $0.trees.map { _ in RecordRun() } }
  private(set) var counts = TodoCounts()
  private(set) var digests: [Records.DocumentDigest] = []

  /// Makes the rows of some entities, given in order.
  init(of keys: ArraySlice<EventKey>, in records: Records, digesting isDigested: Bool) {
    var digester = Records.Digester()
    var showing = Showing()
    var room = CBORWriter()
    for key in keys {
      guard let entity = records.entities[key] else { continue }
      if isDigested, let digest = digester.digest(under: entity, in: records) {
        digests.append(digest)
      }
      let (shown, content) = showing.show(entity, of: records)
      put(entity.row(shown: shown, in: &room), in: ReadModel.entityPlace)
      if let content { add(content) }
    }
  }

  private mutating func add(_ content: DocumentContent) {
    guard let table = ReadModel.table(of: content.kind) else { return }
    let row = table.row(of: content)
    if content.kind == .todo { counts.replace(nil, by: row) }
    put(row, in: ReadModel.kindPlace + Int(content.kind.rawValue))
    for row in content.conflictRows { put(row, in: ReadModel.conflictPlace) }
  }

  private mutating func put(_ row: consuming [SQLiteValue], in table: Int) {
    ReadModel.pickings[table].put(row, in: &runs[table])
  }
}
