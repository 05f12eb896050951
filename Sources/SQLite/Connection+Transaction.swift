extension Connection {
  /// Runs the body as one transaction, which is rolled back if the body throws.
  ///
  /// The write lock is taken at the start, so the body never fails halfway because the database is busy. Transactions
  /// do not nest.
  ///
  /// - Parameter body: The work of the transaction.
  /// - Returns: The result of the body, after the commit.
  /// - Throws: The error thrown by the body, or ``SQLiteError`` if beginning or committing fails.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try transaction(failingAs: { $0 }, body)
  }

  /// Runs the body as one transaction and throws only errors of the body's type.
  ///
  /// - Parameters:
  ///   - wrap: Converts an error that occurs when beginning or committing.
  ///   - body: The work of the transaction.
  /// - Returns: The result of the body, after the commit.
  /// - Throws: The error thrown by the body, or the converted error.
  package func transaction<Value, Failure: Error>(
    failingAs wrap: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try within(steps.beginWriting, failingAs: wrap, body)
  }

  /// Runs the body on one consistent state of the database.
  ///
  /// If a transaction is open, the body becomes part of it.
  ///
  /// - Parameters:
  ///   - wrap: Converts an error that occurs when beginning or ending.
  ///   - body: The queries.
  /// - Returns: The result of the body.
  /// - Throws: The error thrown by the body, or the converted error.
  package func snapshot<Value, Failure: Error>(
    failingAs wrap: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if isInTransaction { return try body() }
    return try within(steps.beginReading, failingAs: wrap, body)
  }

  private func within<Value, Failure: Error>(
    _ begin: TransactionStep, failingAs wrap: (SQLiteError) -> Failure,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(SQLiteError) { try begin.run(on: self) } catch { throw wrap(error) }
    do throws(Failure) {
      let value = try body()
      do throws(SQLiteError) { try steps.commit.run(on: self) } catch { throw wrap(error) }
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  private func rollBack() {
    // After a failed write, for example because the disk is full, SQLite may already have rolled the transaction back.
    guard isInTransaction else { return }
    // The original error is more important. If the rollback also fails, the transaction remains open and uncommitted,
    // and closing the connection discards it.
    try? execute("ROLLBACK")
  }
}
