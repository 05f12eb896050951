package import Bytes
package import Domain
package import Platform
internal import SQLite

/// The tables that answer all queries, and the state that is needed to update them from the logs.
///
/// The tables hold no data that is not in the logs, so a damaged file is replaced with a new one that is built from the
/// logs. Rows and the positions of the logs are written in one transaction, so the tables can be behind the logs, but
/// rows and positions always agree. The records in the tables depend only on the set of folded facts, not on their
/// order of arrival.
///
/// Keys and log numbers are valid only together with ``LogTable/positions()`` of the same file.
package final class ReadModel {
  /// The location of the tables.
  package enum Place: Hashable, Sendable {
    case memory
    case file(String)
  }

  /// The combined version of the tables and of the domain's schema.
  ///
  /// A file with a different version is replaced with a new one.
  package static let version = TableSchema.version

  package let tables: TableConnection
  /// The row writer, which is created on first use and kept for its compiled statements.
  private lazy var rowWriter = RowWriter(tables.statements)
  private lazy var knownPositions = KnownPositions(tables)

  package init(_ tables: TableConnection) { self.tables = tables }

  /// Opens the tables, and creates them if the database is empty.
  ///
  /// No other process may replace the file at the same time; see ``existing(at:)``.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)`` if the file is damaged, has a different version, or is not a read
  ///   model; a different ``ReadModelError`` if it cannot be opened.
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
    try prepareWriting()
  }

  /// Opens the tables in a file that other processes may replace at the same time.
  ///
  /// A database consists of a file and its companions, which SQLite opens by their paths when it first reads. If the
  /// path still leads to the opened file after that, no process has removed the companions in the meantime.
  ///
  /// - Parameter path: The path of an existing file.
  /// - Returns: The tables; nil if the database is empty, or if the file was replaced while it was opened.
  /// - Throws: ``ReadModelError/unusable(_:)`` if the file is damaged, has a different version, or is not a read
  ///   model; a different ``ReadModelError`` if it cannot be opened.
  package static func existing(at path: String) throws(ReadModelError) -> ReadModel? {
    let connection = try reading { () throws(SQLiteError) in
      try Connection(.file(path, .readWrite))
    }
    connection.leftLogBytes = leftLogBytes
    let model = ReadModel(TableConnection(connection, to: path))
    let state: TableSchema.State
    do throws(ReadModelError) {
      state = try TableSchema.state(of: model.tables)
    } catch {
      if model.isReplaced { return nil }
      throw error
    }
    guard state == .ready, !model.isReplaced else { return nil }
    try model.prepareWriting()
    return model
  }

  /// Opens the tables of a new file that no other process uses yet.
  ///
  /// After ``writeBackLog()``, the file can be renamed once these tables are closed, which removes the companions.
  ///
  /// - Parameter path: The path of a file from ``build(file:from:change:on:)``.
  /// - Returns: The tables.
  /// - Throws: ``ReadModelError`` if the file cannot be opened.
  package static func draft(at path: String) throws(ReadModelError) -> ReadModel {
    let connection = try reading { () throws(SQLiteError) in
      try Connection(.file(path, .readWrite))
    }
    let model = ReadModel(TableConnection(connection, to: path))
    try model.prepareWriting()
    return model
  }

  /// Writes all changes back to the file, so that nothing is only in the write-ahead log.
  ///
  /// - Throws: ``ReadModelError`` if the disk fails, or if another connection uses the file.
  package func writeBackLog() throws(ReadModelError) {
    try reading { () throws(SQLiteError) in try tables.connection.writeBackLog() }
  }

  private func prepareWriting() throws(ReadModelError) {
    // With WAL and NORMAL, a power cut may undo the latest commits but leaves an earlier state whose rows and
    // positions agree. The next start applies the missing events. With OFF, the file could be left with pages of
    // several states.
    //
    // Erased content must not remain in free pages; secure_delete ensures this.
    //
    // A hundred events change about 300 pages. With a checkpoint at 3000 pages, a page that changes in every commit is
    // copied into the file once for about ten commits. The cache is large enough to hold these pages until then.
    try tables.run(
      """
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 3000;
      PRAGMA cache_size = -\(TableConnection.pagesKiB)
      """)
  }

  /// The maximum size, in bytes, of a write-ahead log that is left next to the file when the connection closes.
  ///
  /// A command writes about 60 kB, so only about every eighth command makes a checkpoint, which takes three flushes.
  /// The next process that opens the file reads the log first, as it would after a crash.
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
  package var subtasks: SubtaskQueries { SubtaskQueries(tables: tables) }
  package var repeats: RepeatReader { RepeatReader(tables: tables) }
  package var deletedTodos: DeletedTodoQueries { DeletedTodoQueries(tables: tables) }
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

  /// Whether the path of the tables no longer leads to their file, because it was removed or replaced.
  package var isReplaced: Bool { tables.connection.isReplaced }

  /// The positions of all logs, by the ids of the logs.
  ///
  /// They are read only if the tables have changed since the last call.
  package func positions() throws(ReadModelError) -> [UniqueID: LogPosition] {
    try knownPositions.positions()
  }

  /// Runs several queries on one state of the database.
  ///
  /// A snapshot is faster than separate queries, each of which has to find the latest state.
  ///
  /// - Parameters:
  ///   - wrap: Converts an error at the beginning or the end of the transaction.
  ///   - body: Runs the queries; it must not write.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or the result of `wrap`.
  package func snapshot<Value, Failure: Error>(
    failingAs wrap: (ReadModelError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try tables.snapshot(failingAs: wrap, body)
  }

  /// Reads all pages and indexes, and checks that each kind's table has as many rows as there are living documents of
  /// the kind.
  ///
  /// The check is slow.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)`` if the check fails.
  package func check() throws(ReadModelError) { try TableSchema.check(tables) }

  /// The suffixes of the files that SQLite may leave next to a database file.
  ///
  /// To replace a read model with a file from ``build(file:from:change:on:)``, first remove the old file, then its
  /// companions, then rename the new file. SQLite would apply companions of the old file to the new one. While one
  /// process does this, no other process may do the same or create a file, and all others must open the file with
  /// ``existing(at:)``.
  package static let companionSuffixes = ["-wal", "-shm"]

  /// Builds tables in memory from a complete fold.
  ///
  /// - Parameters:
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - beside: Runs part of the work on another thread.
  /// - Returns: The tables.
  /// - Throws: ``ReadModelError/needsRefold`` if the records must be folded again, or another ``ReadModelError`` if
  ///   SQLite fails.
  package static func inMemory(
    from records: Records, change: Change, beside: Machine.Beside? = nil
  ) throws(ReadModelError) -> ReadModel {
    // The first piece of the file arrives last.
    var pieces: [[UInt8]] = []
    try TableBuilder.lay(records, change, asFile: false, beside) { piece, offset in
      pieces.insert(piece, at: offset == 0 ? 0 : pieces.count)
    }
    let connection = try reading { () throws(SQLiteError) in try Connection(pieces: pieces) }
    return ReadModel(TableConnection(connection))
  }

  /// Builds a file from a complete fold, including the parts of the state digest.
  ///
  /// The file is flushed to the disk when the method returns.
  ///
  /// - Parameters:
  ///   - path: The path of the new file; no file may exist there. It is usually next to the file to be replaced.
  ///   - records: The complete fold.
  ///   - change: All positions, *seen* entries and settings.
  ///   - machine: The machine whose disk and threads are used.
  /// - Throws: ``ReadModelError``, if the file exists, the records must be folded again, or the disk fails.
  package static func build(
    file path: Path, from records: Records, change: Change, on machine: Machine
  ) throws(ReadModelError) {
    let file = try onDisk { () throws(DiskError) in try OpenFile(path, .create, on: machine.disk) }
    do throws(ReadModelError) {
      try TableBuilder.lay(records, change, asFile: true, machine.beside) {
        piece, offset throws(ReadModelError) in
        try onDisk { () throws(DiskError) in
          try file.write(piece, at: offset)
          // The disk writes the piece while the next piece is computed.
          try file.beginWriting(at: offset, count: piece.count)
        }
      }
      try onDisk { () throws(DiskError) in try file.flush() }
    } catch {
      // The unfinished file takes up space that may be scarce. A failure to remove the file is harmless.
      try? machine.disk.remove(path)
      throw error
    }
  }

  private static func onDisk<Value: ~Copyable>(
    _ body: () throws(DiskError) -> Value
  ) throws(ReadModelError) -> Value {
    do throws(DiskError) { return try body() } catch { throw .disk(error) }
  }

  /// Writes a copy of the tables to a new file, which is flushed to the disk when the method returns.
  ///
  /// - Parameters:
  ///   - path: The path of the copy; no file may exist there.
  ///   - machine: The machine whose disk is used.
  /// - Throws: ``ReadModelError``, if the file exists, the tables are damaged or the disk fails.
  package func copy(to path: Path, on machine: Machine) throws(ReadModelError) {
    // SQLite writes a copy to an empty file. Creating the file here fails if the path exists, so the code below only
    // ever removes the file created here.
    try Self.onDisk { () throws(DiskError) in
      _ = try OpenFile(path, .create, on: machine.disk)
    }
    do throws(ReadModelError) {
      // The copy includes the contents of the write-ahead log, and has no separate log.
      try reading { () throws(SQLiteError) in
        try tables.statements.run("VACUUM INTO ?1", [.text(path.string)])
      }
      try Self.flush(path, on: machine.disk)
    } catch {
      // The unfinished file takes up space that may be scarce. A failure to remove the file is harmless.
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
