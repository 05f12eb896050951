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
      position: todo.position, isClosed: todo.isClosed, isCancelled: todo.isCancelled,
      closedOn: document.value(Field.Todo.closedOn).date, closedAt: 0, dueTime: todo.dueTime,
      zone: todo.zone, start: todo.start, remind: todo.remind, parent: todo.parent)
  }
}

extension TodoFilter {
  /// Whether a row meets the same conditions as in ``restrict(_:by:)``.
  ///
  /// `place` must name the shown member of the list.
  fileprivate func isMet(by row: TodoRow) -> Bool {
    guard row.isClosed ? includesDone : includesOpen,
      priority.map({ $0 == row.priority }) ?? true, due.isMet(by: row.due?.packed),
      fragment.isEmpty || TitleSearch.isPart(fragment, ofTitle: row.title ?? "")
    else { return false }
    let folded = row.head.tags.map(Folding.fold)
    guard tags.allSatisfy({ folded.contains(Folding.fold($0)) }),
      anyTags.isEmpty || anyTags.contains(where: { folded.contains(Folding.fold($0)) })
    else { return false }
    switch hidden {
    case .included: break
    case .excluded(let day): if row.isHidden(on: day) { return false }
    case .only(let day): if !row.isHidden(on: day) { return false }
    }
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
    case .before(let day): return due.flatMap(Self.lastDay).map { $0 < day } ?? false
    case .on(let days): return due.flatMap(Self.lastDay).map(days.contains) ?? false
    }
  }

  /// The last day of a packed date with a year: a month or a year counts as its last day.
  private static func lastDay(of due: Int64) -> CivilDate? {
    CivilDate(packed: due).flatMap { $0.year == nil ? nil : $0.lastDay }
  }
}
