internal import Domain
import Platform
internal import SQLite

/// Builds the database for a complete fold, page by page.
enum TableBuilder {

  /// What each table takes in: the two that every kind has, and those of the kinds.
  ///
  /// It is put together for whoever asks. Two threads that count their references to the same arrays at every row take
  /// longer for that than for all else.
  static var pickings: [TablePicking] {
    [TablePicking(of: TableSchema.entityShape), TablePicking(of: TableSchema.conflictShape)]
      + TableSchema.kindTables.map { TablePicking(of: $0.shape) }
  }

  // Where they stand among these.
  static let (entityPlace, conflictPlace, kindPlace) = (0, 1, 2)

  /// So many entities make a part.
  private static let entitiesAtOnce = 2_048

  /// Makes the bytes of a file, or of what would be one in memory, piece by piece.
  ///
  /// - Parameters:
  ///   - records: All that is folded.
  ///   - change: What else is to be kept.
  ///   - isFile: Whether it is to be a file, in which what the state digest is made of is kept, too.
  ///   - beside: Runs something on another thread.
  ///   - put: Takes some of the bytes, and the place of the first of them; those of the beginning come last.
  /// - Throws: ``ReadModelError``, when there is no memory for it, or what `put` throws.
  static func lay(
    _ records: Records, _ change: Change, asFile isFile: Bool, _ beside: Machine.Beside?,
    put: ([UInt8], Int) throws(ReadModelError) -> Void
  ) throws(ReadModelError) {
    guard !records.needsRefold else { throw .needsRefold }
    let keys = records.entities.keys.sorted()
    let parts = stride(from: 0, to: keys.count, by: entitiesAtOnce).map { start in
      keys[start..<min(start + entitiesAtOnce, keys.count)]
    }
    let making = ParallelPrefetcher(parts.count, lead: parts.count, beside: beside) {
      RowBatch(of: parts[$0], in: records, digesting: isFile)
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

  /// A b-tree that is to be built.
  private struct Draft: Sendable {
    let name: String
    let runs: [RecordRun]
    let isSorted: Bool
  }

  /// The b-trees of all tables and indexes, the largest first: the two threads end at the same time but for the
  /// smallest.
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

  /// Fills the tables that SQLite fills.
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
