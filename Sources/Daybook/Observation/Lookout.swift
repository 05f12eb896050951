package import Platform
package import ReadModel

/// A book that is looked at again when something was committed to it, by this or any other process.
///
/// It waits for the end of the lock that every writer holds: by then what was written is durable, and most
/// often posted. While nobody commits, nothing is done at all.
package final class Lookout {
  package let book: Book
  private let watch: any Watch
  private var last: Glance?

  /// Begins to watch; what is committed from now on is seen.
  package init(on book: Book) throws(DaybookError) {
    self.book = book
    watch = try wrap(DaybookError.disk) { () throws(DiskError) in
      try book.machine.disk.watch(book.layout.folder)
    }
  }

  /// What ends the call of ``wait(patienceMilliseconds:)`` that waits, or the next one.
  package var bell: any Watch { watch }

  /// Waits until something may have been committed.
  ///
  /// - Parameter patienceMilliseconds: How long to wait; nil is for ever, and zero does not wait.
  /// - Returns: Whether it may; not when patience ran out or a signal came.
  /// - Throws: ``DaybookError/disk(_:)``, as when the book's folder is gone.
  package func wait(patienceMilliseconds: Int?) throws(DaybookError) -> Bool {
    let news = try wrap(DaybookError.disk) { () throws(DiskError) in
      try watch.wait(patienceMilliseconds: patienceMilliseconds)
    }
    switch news {
    case .nothing: return false
    case .anything: return true
    case .entries(let names):
      let telling = [book.layout.lock.name, book.layout.bookFile.name]
      return names.contains { telling.contains($0) }
    }
  }

  /// The read model as it is now, and what may be different since it was asked for the last time.
  package func look() throws(DaybookError) -> (model: ReadModel, touched: Touched) {
    let (before, now) = (last, try book.glance())
    last = now
    guard let before else { return (now.model, .anything) }
    return (now.model, try book.touched(since: before, until: now))
  }
}

/// The result of a query, kept up to date.
package struct LiveResult<Row: QueryRow> {
  package let query: Query<Row>
  package private(set) var sections: [RowSection<Row>]
  private var isRead: Bool

  /// Begins with nothing, or goes on with what was there already.
  package init(_ query: Query<Row>, showing sections: [RowSection<Row>]? = nil) {
    self.query = query
    self.sections = sections ?? query.nothing
    isRead = sections != nil
  }

  /// Brings the result up to a read model.
  ///
  /// - Parameters:
  ///   - model: Where the rows are.
  ///   - touched: What may be different since the last time.
  /// - Returns: What has changed, which the first time is all there is; nil if nothing has.
  /// - Throws: ``DaybookError/view(_:)``, when the rows cannot be read.
  package mutating func refresh(
    from model: ReadModel, touched: Touched
  ) throws(DaybookError) -> ChangeSet<Row>? {
    let (query, before) = (query, isRead ? sections : nil)
    let found = try wrap(DaybookError.view) { () throws(ReadModelError) in
      if let before, try !model.mayChange(query, showing: before, by: touched) {
        return nil as [RowSection<Row>]?
      }
      return try model.result(of: query)
    }
    guard let found else { return nil }
    let changes = ChangeSet(from: sections, to: found)
    defer { isRead = true }
    if isRead, changes.isEmpty { return nil }
    sections = found
    return changes
  }
}
