/// The statements that begin and end the transactions of a connection.
///
/// A short command runs dozens of transactions, most of which only read.
struct TransactionSteps {
  let beginReading = TransactionStep("BEGIN")
  let beginWriting = TransactionStep("BEGIN IMMEDIATE")
  let commit = TransactionStep("COMMIT")
}

/// A statement without parameters, which is compiled on first use.
final class TransactionStep {
  private let sql: String
  private var statement: Statement?

  init(_ sql: String) { self.sql = sql }

  func run(on connection: Connection) throws(SQLiteError) {
    if statement == nil { statement = try connection.prepare(sql) }
    try statement?.run()
  }
}
