internal import Bytes
internal import Domain
internal import SQLite

/// The rows of some entities for tables that hold none of them, and what their documents add to the state digest.
struct RowBatch: Sendable {
  /// For each b-tree of each table, in the order of ``ReadModel/pickings``.
  private(set) var runs: [[RecordRun]]
  private(set) var counts = TodoCounts()
  private(set) var digests: [Records.DocumentDigest] = []

  /// Makes the rows of some entities, given in order.
  init(of keys: ArraySlice<EventKey>, in records: Records, digesting isDigested: Bool) {
    let pickings = ReadModel.makePickings()
    runs = pickings.map { $0.trees.map { _ in RecordRun() } }
    var digester = Records.Digester()
    var showing = Showing()
    var room = CBORWriter()
    for key in keys {
      guard let entity = records.entities[key] else { continue }
      if isDigested, let digest = digester.digest(under: entity, in: records) {
        digests.append(digest)
      }
      let (shown, content) = showing.show(entity, of: records)
      pickings[ReadModel.entityPlace].put(
        entity.row(shown: shown, in: &room), in: &runs[ReadModel.entityPlace])
      if let content { add(content, pickings) }
    }
  }

  private mutating func add(_ content: DocumentContent, _ pickings: [TablePicking]) {
    guard let table = ReadModel.table(of: content.kind) else { return }
    let row = table.row(of: content)
    let place = ReadModel.kindPlace + Int(content.kind.rawValue)
    pickings[place].put(row, in: &runs[place])
    if content.kind == .todo { counts.replace(nil, by: row) }
    for row in content.conflictRows {
      pickings[ReadModel.conflictPlace].put(row, in: &runs[ReadModel.conflictPlace])
    }
  }
}
