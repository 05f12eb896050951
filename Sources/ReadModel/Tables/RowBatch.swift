internal import Bytes
internal import Domain
internal import SQLite

/// The rows of the given entities for empty tables, and the digests of their documents.
struct RowBatch: Sendable {
  /// One run for each b-tree of each table, in the order of ``TableBuilder/pickings``.
  private(set) var runs: [[RecordRun]]
  private(set) var counts = TodoCounts()
  private(set) var digests: [DocumentDigest] = []

  /// Buffers that are reused for each entity.
  private struct Room: ~Copyable {
    var state = CBORWriter()
    var row = PackedRow()
  }

  /// Makes the rows of the given entities, whose keys are sorted.
  init(
    of keys: ArraySlice<EventKey>, in records: Records, repeating repeats: FoldedRepeats,
    digesting isDigested: Bool
  ) {
    var digester = DocumentDigester()
    var room = Room()
    let allPickings = TableBuilder.pickings
    let pickings = allPickings.span
    runs = allPickings.map { $0.trees.map { _ in RecordRun() } }
    for (number, key) in keys.enumerated() {
      if number == Self.sample { reserveCapacity(forTimes: keys.count / number + 1) }
      guard let entity = records.entity(of: key) else { continue }
      if isDigested, let digest = digester.digest(under: entity, in: records.joined) {
        digests.append(digest)
      }
      let (shown, content) = Showing.show(entity, of: records)
      let row = entity.row(shown: shown, in: &room.state)
      put(row, in: TableBuilder.entityPlace, pickings, &room)
      if let content { add(content, in: records, repeats, pickings, &room) }
    }
  }

  /// The number of entities after which the capacity for the rest is estimated.
  private static let sample = 64

  private mutating func reserveCapacity(forTimes factor: Int) {
    for table in runs.indices {
      for run in runs[table].indices { runs[table][run].reserveCapacity(forTimes: factor) }
    }
  }

  private mutating func add(
    _ content: DocumentContent, in records: Records, _ repeats: FoldedRepeats,
    _ pickings: Span<TablePicking>, _ room: inout Room
  ) {
    guard let table = TableSchema.table(of: content.kind) else { return }
    if content.kind == .todo, let row = OccurrenceTable.row(of: content) {
      put(row, in: TableBuilder.occurrencePlace, pickings, &room)
    }
    let shown = content.kind == .todo ? repeats.shown(content, in: records) : content
    if let row = shown.map(table.row(of:)) {
      if content.kind == .todo { counts.replace(nil, by: row) }
      put(row, in: TableBuilder.kindPlace + Int(content.kind.rawValue), pickings, &room)
    }
    for row in content.conflictRows { put(row, in: TableBuilder.conflictPlace, pickings, &room) }
  }

  private mutating func put(
    _ row: consuming [SQLiteValue], in table: Int, _ pickings: Span<TablePicking>,
    _ room: inout Room
  ) {
    pickings[table].put(row, in: &runs[table], &room.row)
  }
}
