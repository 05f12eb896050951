extension Connection {
  /// Runs the body as one change: all of it is kept, or, on any error, none.
  ///
  /// The write lock is taken at the start, so that a body never fails half way for being busy.
  /// Transactions do not nest.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try transaction(failingAs: { $0 }, body)
  }

  /// Runs the body as one change and throws its kind of error only.
  ///
  /// - Parameters:
  ///   - wrap: Tells a failure to begin or commit in the caller's terms.
  ///   - body: What to do inside the transaction.
  /// - Returns: What the body returned, once it is committed.
  /// - Throws: What the body threw, or what `wrap` made of a failure to begin or commit.
  package func transaction<Value, Failure: Error>(
    failingAs wrap: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try within("BEGIN IMMEDIATE", failingAs: wrap, body)
  }

  /// Runs the body on one state of the database, and takes the lock that reading needs once for all its queries.
  ///
  /// Within a transaction it is part of that.
  ///
  /// - Parameters:
  ///   - wrap: Tells a failure to begin or end in the caller's terms.
  ///   - body: What to read.
  /// - Returns: What the body returned.
  /// - Throws: What the body threw, or what `wrap` made of a failure to begin or end.
  package func snapshot<Value, Failure: Error>(
    failingAs wrap: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if isInTransaction { return try body() }
    return try within("BEGIN", failingAs: wrap, body)
  }

  private func within<Value, Failure: Error>(
    _ begin: String, failingAs wrap: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(SQLiteError) { try execute(begin) } catch { throw wrap(error) }
    do throws(Failure) {
      let value = try body()
      do throws(SQLiteError) { try execute("COMMIT") } catch { throw wrap(error) }
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  private func rollBack() {
    // A full disk or a failed write has already rolled back by itself.
    guard isInTransaction else { return }
    // The error that brought us here is the one to tell. Should this fail as well, the transaction
    // stays open and uncommitted, and closing the connection drops it.
    try? execute("ROLLBACK")
  }
}
