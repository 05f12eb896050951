internal import Domain
import Platform
internal import SQLite

/// Builds the database of a complete fold, page by page.
enum TableBuilder {

  /// The pickings of all tables: `entity`, `conflict` and `occurrence`, then the tables of the kinds.
  ///
  /// The pickings are computed for each caller. If two threads shared them, counting references to the same arrays for
  /// every row would take longer than the rest of the work.
  static var pickings: [TablePicking] {
    [TableSchema.entityShape, TableSchema.conflictShape, OccurrenceTable.shape]
      .map { TablePicking(of: $0) } + TableSchema.kindTables.map { TablePicking(of: $0.shape) }
  }

  // The indices of the tables in `pickings`.
  static let (entityPlace, conflictPlace, occurrencePlace, kindPlace) = (0, 1, 2, 3)

  /// The number of entities in one batch.
  private static let entitiesAtOnce = 2_048

  /// Builds the bytes of the database, in pieces.
  ///
  /// - Parameters:
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - isFile: Whether to build a file. A file also stores the parts of the state digest and uses a write-ahead
  ///     log.
  ///   - beside: Runs part of the work on another thread.
  ///   - put: Takes a piece and its offset; the first piece of the database comes last.
  /// - Throws: ``ReadModelError/needsRefold`` if the records must be folded again, an SQLite error, or an error from
  ///   `put`.
  static func lay(
    _ records: Records, _ change: Change, asFile isFile: Bool, _ beside: Machine.Beside?,
    put: ([UInt8], Int) throws(ReadModelError) -> Void
  ) throws(ReadModelError) {
    guard !records.needsRefold else { throw .needsRefold }
    let keys = records.entities.keys.sorted()
    let parts = stride(from: 0, to: keys.count, by: entitiesAtOnce).map { start in
      keys[start..<min(start + entitiesAtOnce, keys.count)]
    }
    let repeats = FoldedRepeats(records)
    let making = ParallelPrefetcher(parts.count, lead: parts.count, beside: beside) {
      RowBatch(of: parts[$0], in: records, repeating: repeats, digesting: isFile)
    }
    let batches = parts.indices.map(making.part)
    let drafts = drafts(of: batches)
    let trees = ParallelPrefetcher(drafts.count, lead: drafts.count, beside: beside) { number in
      RecordRun.tree(of: drafts[number].runs, sorting: drafts[number].isSorted)
    }
    trees.begin()
    let blank = try BlankTables.shared.get()
    let tables = TableConnection(try blank.opened())
    try begin(tables, change, batches, digesting: isFile)
    var image = DatabaseImage(
      try reading { () throws(SQLiteError) in try tables.connection.contents() })
    var end = image.beginning.count
    for (number, draft) in drafts.enumerated() {
      guard let root = blank.roots[draft.name] else {
        preconditionFailure("each b-tree is in the schema")
      }
      let pages = image.plant(trees.part(number), at: root)
      if !pages.isEmpty { try put(pages, end) }
      end += pages.count
    }
    if isFile { image.keepWriteAheadLog() }
    try put(image.beginning, 0)
  }

  /// The contents of a b-tree, before it is built.
  private struct Draft: Sendable {
    let name: String
    let runs: [RecordRun]
    let isSorted: Bool
  }

  /// The b-trees of the tables in ``pickings`` and of their indexes, largest first.
  ///
  /// With this order, two threads that build them finish at about the same time.
  private static func drafts(of batches: [RowBatch]) -> [Draft] {
    let drafts = pickings.enumerated().flatMap { place, picking in
      picking.trees.indices.map { number in
        Draft(
          name: picking.names[number], runs: batches.map { $0.runs[place][number] },
          isSorted: picking.trees[number].isSorted)
      }
    }
    let sizes = drafts.map { draft in draft.runs.reduce(0) { $0 + $1.byteCount } }
    return drafts.indices.sorted { sizes[$0] > sizes[$1] }.map { drafts[$0] }
  }

  /// Fills the tables whose rows SQLite itself writes: logs, *seen* entries, settings, counts of to-dos and the parts
  /// of the state digest.
  private static func begin(
    _ tables: TableConnection, _ change: Change, _ batches: [RowBatch], digesting isDigested: Bool
  ) throws(ReadModelError) {
    let rowWriter = RowWriter(tables.statements)
    try tables.transaction { () throws(ReadModelError) in
      try ChangeWriter(tables: tables, rowWriter: rowWriter).write(change)
      var counts = TodoCounts()
      for batch in batches { counts.add(batch.counts) }
      try reading { [counts] () throws(SQLiteError) in try counts.write(with: tables.statements) }
      if isDigested {
        try StateDigestKeeper(tables: tables, rowWriter: rowWriter).keep(
          Reckoning(of: batches.flatMap(\.digests)))
      }
    }
  }
}
