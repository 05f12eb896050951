internal import Bytes
package import Domain
internal import SQLite

/// The tables that answer every question, and all that is needed to keep them up with the journal.
///
/// Nothing here is the only copy of anything: whatever is wrong with the file, a new one is built from the
/// journal. Rows and the positions of the logs they reflect are written in one transaction, so the tables may
/// be behind, never out of step. They depend on the set of facts folded alone, not on the order of arrival.
///
/// Keys and log numbers mean something only together with ``positions()`` of the same file.
package final class ReadModel {
  /// Where the tables are.
  package enum Place: Hashable, Sendable {
    case memory
    case file(String)
  }

  let connection: Connection
  /// Where it can be opened again; nil in memory.
  let file: String?
  let statements: StatementShelf
  /// Whoever only reads needs none.
  private(set) lazy var writer = RowWriter(statements)

  /// Opens the tables, making them where there is nothing yet.
  ///
  /// - Throws: ``ReadModelError/unusable(_:)`` when the file is damaged, of another version or none of ours.
  package init(_ place: Place) throws(ReadModelError) {
    guard case .file(let path) = place else {
      connection = try Self.blank.get().opened()
      file = nil
      statements = StatementShelf(connection)
      return
    }
    connection = try reading { () throws(SQLiteError) in
      try Connection(.file(path, .readWriteCreate))
    }
    file = path
    statements = StatementShelf(connection)
    connection.leftLogBytes = Self.leftLogBytes
    switch try state() {
    case .ready: break
    case .empty: try create(inFile: true)
    }
    // With WAL and NORMAL a power cut may undo the latest commits but leaves a state that once was, rows and
    // positions in step: the next start applies the difference. OFF could leave a mixture.
    // What is erased must not be left behind in pages that are free.
    // A hundred events dirty some three hundred pages; those that are written again and again are carried over
    // once for ten commits, and stay in memory, up to 24 MB.
    try run(
      """
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 3000;
      PRAGMA cache_size = -\(Self.pagesKiB)
      """)
  }

  private static let pagesKiB = 24 << 10

  /// Keeps few of the pages that are read from now on: who goes through a table once needs none again, and memory that
  /// is touched for the first time takes longer to come by than a page to read.
  func keepFewPages() throws(ReadModelError) { try run("PRAGMA cache_size = -256") }

  /// Keeps pages again as whoever writes wants them.
  func keepPages() throws(ReadModelError) { try run("PRAGMA cache_size = -\(Self.pagesKiB)") }

  /// So long a log is left beside the file.
  ///
  /// A command writes some 60 kB, and to carry them over into the file would take it three flushes; so that is left to
  /// every eighth or so. Whoever opens the file reads the log first, as after a crash.
  private static let leftLogBytes: Int64 = 512 << 10

  /// Takes over a connection to tables made a moment ago.
  init(building connection: Connection) {
    self.connection = connection
    file = nil
    statements = StatementShelf(connection)
  }

  /// Opens tables that another one has found sound a moment ago, to read only.
  init(reading file: String) throws(ReadModelError) {
    connection = try reading { () throws(SQLiteError) in try Connection(.file(file, .readOnly)) }
    self.file = file
    statements = StatementShelf(connection)
    try keepFewPages()
  }

  /// All logs, by number.
  package func positions() throws(ReadModelError) -> [LogPosition] {
    try rows("SELECT number, id, replica, trunk, sequence, hash FROM log ORDER BY number") { row in
      LogPosition(
        number: row.number(0), id: row.uniqueID(1), replica: row.uniqueID(2),
        trunk: row.isNull(3) ? nil : row.number(3), sequence: row.unsigned(4),
        hash: row.uniqueID(5))
    }
  }

  /// What the caller kept under a name.
  package func setting(_ name: String) throws(ReadModelError) -> [UInt8]? {
    try rows("SELECT value FROM setting WHERE name = ?1", [.text(name)]) { $0.bytes(0) }.first
  }

  static let settingOrder = "INSERT OR REPLACE INTO setting VALUES (?1, ?2)"

  /// Keeps something under a name that no commit has to bring.
  package func keep(_ name: String, _ value: [UInt8]) throws(ReadModelError) {
    try reading { () throws(SQLiteError) in
      try statements.run(Self.settingOrder, [.text(name), .blob(value)])
    }
  }

  /// What all folded events had seen, with the logs under the numbers they have here.
  package func causality() throws(ReadModelError) -> Causality {
    var causality = Causality()
    for position in try positions() {
      let next = UInt32(causality.logs.count)
      guard position.number == next, position.trunk.map({ $0 < next }) ?? true else {
        throw .unusable(.damaged)
      }
      let number = causality.number(
        of: position.id, replica: position.replica, behind: position.trunk)
      guard number == next else { throw .unusable(.damaged) }
    }
    for sighting in try sightings() { causality.note(sighting) }
    return causality
  }

  private func sightings() throws(ReadModelError) -> [Sighting] {
    let sql = """
      SELECT log, sequence, other, up_to, missing FROM seen
      ORDER BY log, sequence, other, up_to, missing
      """
    return try rows(sql) { row throws(ReadModelError) in
      Sighting(
        event: row.key(0), other: row.number(2), upTo: row.unsigned(3),
        exceptions: try decodeRanges(row.bytes(4)))
    }
  }
}
