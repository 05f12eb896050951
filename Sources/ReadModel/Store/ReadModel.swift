package import Domain
package import Platform
internal import SQLite

/// The tables that answer every question, and all that is needed to keep them up with the journal.
///
/// Nothing here is the only copy of anything: whatever is wrong with the file, a new one is built from the
/// journal. Rows and the positions of the logs they reflect are written in one transaction, so the tables may
/// be behind, never out of step. They depend on the set of facts folded alone, not on the order of arrival.
///
/// Keys and log numbers have a meaning only together with ``LogTable/positions()`` of the same file.
package final class ReadModel {
  /// Where the tables are.
  package enum Place: Hashable, Sendable {
    case memory
    case file(String)
  }

  /// The version of the tables and of the schema of the domain.
  ///
  /// A file of another version is built anew.
  package static let version = TableSchema.version

  package let tables: TableConnection
  /// Created by the first write, and kept with its statements.
  private lazy var rowWriter = RowWriter(tables.statements)

  package init(_ tables: TableConnection) { self.tables = tables }

  /// Opens the tables, and makes them if there are none yet.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)`` if the file is damaged, of another version, or not a read model.
  package init(_ place: Place) throws(ReadModelError) {
    guard case .file(let path) = place else {
      tables = TableConnection(try BlankTables.shared.get().opened())
      return
    }
    let connection = try reading { () throws(SQLiteError) in
      try Connection(.file(path, .readWriteCreate))
    }
    tables = TableConnection(connection, to: path)
    connection.leftLogBytes = Self.leftLogBytes
    switch try TableSchema.state(of: tables) {
    case .ready: break
    case .empty: try TableSchema.create(in: tables, isFile: true)
    }
    // With WAL and NORMAL, a power cut may undo the latest commits, but leaves a state that once was, with rows and
    // positions in step: the next start applies the difference. OFF could leave a mixture.
    // Erased content must not stay in free pages.
    // A hundred events dirty about 300 pages. Pages that are written again and again are copied into the file once for
    // ten commits, and stay in the cache.
    try tables.run(
      """
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 3000;
      PRAGMA cache_size = -\(TableConnection.pagesKiB)
      """)
  }

  /// The size up to which the write-ahead log is left beside the file when it is closed, in bytes.
  ///
  /// A command writes about 60 kB. Copying them into the file takes three flushes, so only about every eighth command
  /// does that. The next process to open the file reads the log first, as it would after a crash.
  private static let leftLogBytes: Int64 = 512 << 10

  // MARK: Parts

  package var logs: LogTable { LogTable(tables: tables) }
  package var settings: SettingTable { SettingTable(tables: tables) }
  package var records: RecordReader { RecordReader(tables: tables) }
  package var writer: ChangeWriter { ChangeWriter(tables: tables, rowWriter: rowWriter) }
  package var stateDigest: StateDigestKeeper {
    StateDigestKeeper(tables: tables, rowWriter: rowWriter)
  }
  package var documents: DocumentQueries { DocumentQueries(tables: tables) }
  package var birthdays: BirthdayQueries { BirthdayQueries(tables: tables) }
  package var lists: ListQueries { ListQueries(tables: tables) }
  package var todos: TodoQueries { TodoQueries(tables: tables) }
  package var questions: QuestionQueries { QuestionQueries(tables: tables) }
  package var pickCounter: PickCounter { PickCounter(tables: tables) }
  package var conflicts: ConflictQueries { ConflictQueries(tables: tables) }
  package var duplicates: DuplicateQueries { DuplicateQueries(tables: tables) }
  package var titleSearch: TitleSearch { TitleSearch(tables: tables) }
  package var rankedSearch: RankedSearch { RankedSearch(tables: tables) }
  package var hiddenSearch: HiddenSearch { HiddenSearch(tables: tables) }
  package var touchedDocuments: TouchedDocuments { TouchedDocuments(tables: tables) }
  package var liveQueries: QueryRunner { QueryRunner(tables: tables) }
  package var tableDump: TableDump { TableDump(tables: tables) }

  // MARK: The whole

  /// Asks many small queries of one state, which is sooner done than to look for the latest one at each.
  ///
  /// - Parameters:
  ///   - wrap: Converts a failure to begin or end.
  ///   - body: Reads; it must not write.
  /// - Returns: What the body returned.
  /// - Throws: What the body threw, or what `wrap` made of a failure to begin or end.
  package func snapshot<Value, Failure: Error>(
    failingAs wrap: (ReadModelError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try tables.snapshot(failingAs: wrap, body)
  }

  /// Reads every page and index, and checks that each document has its row.
  ///
  /// Slow.
  package func check() throws(ReadModelError) { try TableSchema.check(tables) }

  /// The files that SQLite may leave beside a database; they belong to that one and must go with it.
  ///
  /// Whoever puts one made of ``build(file:from:change:on:)`` in the place of another takes away the other one first
  /// and then these of its, since they would be taken for the new one's; then renames.
  package static let companionSuffixes = ["-wal", "-shm"]

  /// Makes tables in memory with all that some records hold.
  ///
  /// - Parameters:
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - beside: Runs a part of the work on another thread.
  /// - Returns: The tables.
  /// - Throws: ``ReadModelError``, when there is no memory for it.
  package static func inMemory(
    from records: Records, change: Change, beside: Machine.Beside? = nil
  ) throws(ReadModelError) -> ReadModel {
    // They come in order, but for the first.
    var pieces: [[UInt8]] = []
    try TableBuilder.lay(records, change, asFile: false, beside) { piece, offset in
      pieces.insert(piece, at: offset == 0 ? 0 : pieces.count)
    }
    let connection = try reading { () throws(SQLiteError) in try Connection(pieces: pieces) }
    return ReadModel(TableConnection(connection))
  }

  /// Makes a file with all that some records hold, and what their state digest is made of.
  ///
  /// It is safe on the disk when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet; usually beside the file it is to replace.
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - machine: Where it is made.
  /// - Throws: ``ReadModelError``, when something is there already or the disk refuses.
  package static func build(
    file path: Path, from records: Records, change: Change, on machine: Machine
  ) throws(ReadModelError) {
    let file = try onDisk { () throws(DiskError) in try OpenFile(path, .create, on: machine.disk) }
    do throws(ReadModelError) {
      try TableBuilder.lay(records, change, asFile: true, machine.beside) {
        piece, offset throws(ReadModelError) in
        try onDisk { () throws(DiskError) in
          try file.write(piece, at: offset)
          // The rest is worked out meanwhile.
          try file.beginWriting(at: offset, count: piece.count)
        }
      }
      try onDisk { () throws(DiskError) in try file.flush() }
    } catch {
      // What was written of it takes room that may be short; if it stays, it means nothing.
      try? machine.disk.remove(path)
      throw error
    }
  }

  private static func onDisk<Value: ~Copyable>(
    _ body: () throws(DiskError) -> Value
  ) throws(ReadModelError) -> Value {
    do throws(DiskError) { return try body() } catch { throw .disk(error) }
  }

  /// Writes a copy of the tables, safe on the disk when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - machine: Where it is made.
  /// - Throws: ``ReadModelError``, when the tables are damaged or the disk refuses; then nothing is left there.
  package func copy(to path: Path, on machine: Machine) throws(ReadModelError) {
    do throws(ReadModelError) {
      // It carries over what only the log beside the file holds, and needs none itself.
      try reading { () throws(SQLiteError) in
        try tables.statements.run("VACUUM INTO ?1", [.text(path.string)])
      }
      try Self.flush(path, on: machine.disk)
    } catch {
      // What was written of it takes room that may be short; if it stays, it means nothing.
      try? machine.disk.remove(path)
      throw error
    }
  }

  private static func flush(_ path: Path, on disk: any Disk) throws(ReadModelError) {
    do throws(DiskError) {
      let file = try OpenFile(path, .write, on: disk)
      try file.flush()
      try file.close()
    } catch {
      throw .disk(error)
    }
  }
}
