internal import Domain
internal import Platform
internal import SQLite

// Empty tables take in all that some records hold: rows are made on one core while SQLite puts them in their places
// on the other, and what the state digest is made of while it makes the indexes.

extension ReadModel {
  /// So many entities make a part.
  private static let entitiesAtOnce = 512
  /// How many parts of rows wait in memory.
  private static let waitingParts = 8

  /// Fills empty tables.
  ///
  /// - Parameters:
  ///   - records: All that is folded.
  ///   - change: What else is to be kept.
  ///   - isDigested: Whether what the state digest is made of is kept, too.
  ///   - beside: Runs something on another thread.
  /// - Throws: ``ReadModelError``, when the rows cannot be written.
  func fill(
    from records: Records, _ change: Change, digesting isDigested: Bool, _ beside: Machine.Beside?
  ) throws(ReadModelError) {
    guard !records.needsRefold else { throw .needsRefold }
    let keys = records.entities.keys.sorted()
    let parts = stride(from: 0, to: keys.count, by: Self.entitiesAtOnce).map { start in
      keys[start..<min(start + Self.entitiesAtOnce, keys.count)]
    }
    let digests = PartsAhead(parts.count, lead: parts.count, beside: isDigested ? beside : nil) {
      records.documentDigests(under: parts[$0])
    }
    try transaction { () throws(ReadModelError) in
      try createTables()
      try load(parts, of: records, beside)
      digests.begin()
      try write(change)
      try createIndexes()
      guard isDigested else { return }
      try keep(Reckoning(of: parts.indices.flatMap(digests.part)))
    }
  }

  private func load(
    _ parts: [ArraySlice<EventKey>], of records: Records, _ beside: Machine.Beside?
  ) throws(ReadModelError) {
    let batches = PartsAhead(parts.count, lead: Self.waitingParts, beside: beside) {
      RowBatch(of: parts[$0], in: records)
    }
    try reading { () throws(SQLiteError) in
      let entities = try TableLoader("entity", Self.entityColumns, statements)
      let conflicts = try TableLoader("conflict", ConflictRow.columns, statements)
      var documents: [TableLoader] = []
      for table in Self.tables {
        documents.append(try TableLoader(table.name, table.storedColumns, statements))
      }
      for number in parts.indices {
        let batch = batches.part(number)
        try entities.load(batch.entities)
        try conflicts.load(batch.conflicts)
        for (table, rows) in zip(documents, batch.documents) { try table.load(rows) }
      }
    }
  }
}
