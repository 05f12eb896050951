internal import Domain

/// Finds deleted to-dos, which are in no table of to-dos.
///
/// Their fields are read from the stored state of their entities.
package struct DeletedTodoQueries {
  let tables: TableConnection

  /// The deleted to-dos that meet the conditions.
  package func todos(
    _ filter: TodoFilter = TodoFilter(), by order: TodoOrder = .priority
  ) throws(ReadModelError) -> [TodoRow] {
    try tables.snapshot { () throws(ReadModelError) in
      let keys = try TitleSearch(tables: tables).deletedDocuments(kind: .todo).map(\.key)
      let records = try RecordReader(tables: tables).hydrateWithReferences(
        Set(keys), causality: try LogTable(tables: tables).causality())
      var filter = filter
      if case .list(let key) = filter.place {
        filter.place = .list(try DocumentQueries(tables: tables).document(key)?.key ?? key)
      }
      let rows = keys.compactMap { records.document(of: $0) }
        .compactMap { TodoRow(deleted: $0, in: records) }.filter(filter.isMet)
      guard order.isOfNumbers else {
        return rows.sorted { ($0.title ?? "", $0.head.id) < ($1.title ?? "", $1.head.id) }
      }
      return order.sorted(rows)
    }
  }
}

extension TodoRow {
  /// The row of a to-do that is deleted, on its list if that is alive; nil if the document is of a different kind.
  fileprivate init?(deleted document: Document, in records: Records) {
    guard let todo = Todo(document) else { return nil }
    let list = todo.list.flatMap { records.document(of: $0) }.flatMap { $0.isAlive ? $0 : nil }
    self.init(
      head: RowHead(
        key: document.key, id: document.id,
        addedAt: records.entities[document.key]?.birth?.effectiveTime ?? 0,
        isDisputed: document.deleteAgainstEdit != nil, note: document.note, tags: document.tags),
      title: document.text(Field.Todo.title), list: list?.key, listID: list?.id,
      listName: list?.text(Field.List.name), isDone: todo.isDone, completedAt: todo.completedAt,
      priority: todo.priority.rawValue, createdAt: todo.createdAt, due: todo.due,
      position: todo.position)
  }
}

extension TodoFilter {
  /// Whether a row meets the same conditions as in ``restrict(_:by:)``.
  ///
  /// `place` must name the shown member of the list.
  fileprivate func isMet(by row: TodoRow) -> Bool {
    guard row.isDone ? includesDone : includesOpen,
      priority.map({ $0 == row.priority }) ?? true, due.isMet(by: row.due?.packed),
      fragment.isEmpty || TitleSearch.isPart(fragment, ofTitle: row.title ?? "")
    else { return false }
    let folded = row.head.tags.map(Folding.fold)
    guard tags.allSatisfy({ folded.contains(Folding.fold($0)) }) else { return false }
    return switch place {
    case .anywhere: true
    case .withoutList: row.list == nil
    case .list(let key): row.list == key
    }
  }
}

extension TodoFilter.Due {
  /// Whether a packed due date, or nil for none, meets the condition.
  fileprivate func isMet(by due: Int64?) -> Bool {
    switch self {
    case .whenever: return true
    case .dated: return due != nil
    case .undated: return due == nil
    case .within(let days): return due.map(days.contains) ?? false
    case .before(let day):
      guard let due, due >= 512, due < day.packed else { return false }
      // A month has no day, and a year has no month either. Each is over once a later one has begun.
      if due % 32 > 0 { return true }
      return due < day.packed - day.packed % (due % 512 > 0 ? 32 : 512)
    }
  }
}
