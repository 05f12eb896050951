package import ReadModel

extension Book {
  /// Follows a query: what is there, and then every change to it, by this or any other process.
  ///
  /// All that is watched of a book is kept up to date by one thread with a book of its own, which runs while
  /// anybody follows anything. The sequences may be used on any task, and outlive this book.
  ///
  /// - Parameters:
  ///   - query: Which rows.
  ///   - order: How they are sorted; as the query says, if nothing is said.
  ///   - division: What divides them into sections; as the query says, if nothing is said.
  /// - Returns: The changes, each leading from one result to a later one.
  package func watch<Row: QueryRow>(
    _ query: Query<Row>, sortedBy order: Row.Order? = nil, sections division: Row.Division? = nil
  ) -> LiveQuery<Row> {
    var query = query
    if let order { query.order = order }
    if let division { query.division = division }
    return LiveQuery(query, by: watched)
  }

  /// What keeps the live queries up to date.
  package var watched: Watcher {
    if let watcher { return watcher }
    let made = Watcher(of: layout.folder, on: machine, view: place)
    watcher = made
    return made
  }
}
