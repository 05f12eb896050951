internal import Domain

/// Finds deleted to-dos, which are in no table of to-dos.
///
/// The fields of these to-dos are read from the stored state of their entities.
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
  /// The row of a deleted to-do, on its list if the list is alive; nil for a document of a different kind, and for an
  /// occurrence, which is deleted only when what was stored about it is undone.
  fileprivate init?(deleted document: Document, in records: Records) {
    guard let todo = Todo(document), !document.isOccurrence else { return nil }
    let addedAt = records.entities[document.key]?.birth?.effectiveTime ?? 0
    let closedOn = document.value(Field.Todo.closedOn).date
    let list = todo.list.flatMap { records.document(of: $0) }.flatMap { $0.isAlive ? $0 : nil }
    self.init(
      head: RowHead(
        key: document.key, id: document.id, addedAt: addedAt,
        isDisputed: document.deleteAgainstEdit != nil, note: document.note, tags: document.tags),
      title: document.text(Field.Todo.title), list: list?.key, listID: list?.id,
      listName: list?.text(Field.List.name), isDone: todo.isDone, completedAt: todo.completedAt,
      priority: todo.priority.rawValue, createdAt: todo.createdAt, due: todo.due,
      position: todo.position, isClosed: todo.isClosed, isCancelled: todo.isCancelled,
      closedOn: closedOn,
      closedAt: todo.isClosed
        ? TodoTable.closingTime(
          completedAt: todo.isDone ? todo.completedAt : nil,
          cancelledOn: todo.isDone ? nil : closedOn, addedAt: addedAt) : 0,
      dueTime: todo.dueTime, zone: todo.zone, start: todo.start, remind: todo.remind,
      parent: todo.parent, parentID: todo.parent.flatMap { records.document(of: $0)?.id },
      rule: document.text(Field.Todo.repeat), until: document.value(Field.Todo.until).date,
      slot: nil,
      firstDue: nil, series: nil, seriesID: nil)
  }
}

extension TodoFilter {
  /// Whether a row meets the conditions that ``restrict(_:by:)`` adds to a query.
  ///
  /// `place` must name the shown member of the list.
  fileprivate func isMet(by row: TodoRow) -> Bool {
    guard row.isClosed ? includesClosed : includesOpen,
      priority.map({ $0 == row.priority }) ?? true, due.isMet(by: row), hidden.isMet(by: row),
      fragment.isEmpty || TitleSearch.isPart(fragment, ofTitle: row.title ?? "")
    else { return false }
    let folded = row.head.tags.map(Folding.fold)
    guard tags.allSatisfy({ folded.contains(Folding.fold($0)) }),
      anyTags.isEmpty || anyTags.contains(where: { folded.contains(Folding.fold($0)) })
    else { return false }
    return switch place {
    case .anywhere: true
    case .withoutList: row.list == nil
    case .list(let key): row.list == key
    }
  }
}

extension TodoFilter.Hidden {
  fileprivate func isMet(by row: TodoRow) -> Bool {
    switch self {
    case .included: true
    case .excluded(let day): !row.isHidden(on: day)
    case .only(let day): row.isHidden(on: day)
    }
  }
}

extension TodoFilter.Due {
  /// Whether the due date of a row meets the condition.
  fileprivate func isMet(by row: TodoRow) -> Bool {
    let due = row.due?.packed
    switch self {
    case .whenever: return true
    case .dated: return due != nil
    case .undated: return due == nil
    case .within(let days, let zones):
      return due.map { Self.span(of: row, in: zones)?.contains(row) ?? days.contains($0) } ?? false
    case .before(let day): return Self.isMet(by: due, before: day)
    case .overdue(let day, let minute, let zones):
      guard let due, due >= 512, due % 32 > 0 else { return Self.isMet(by: due, before: day) }
      if let span = Self.span(of: row, in: zones) { return span.contains(row) }
      return DueSpan.Point(row) < DueSpan.Point(day: day.packed, minute: minute)
    case .on(let days, let minute, let zones):
      guard let due, due % 32 > 0 else {
        return row.due?.lastDay.map { days.contains($0) } ?? false
      }
      if let span = Self.span(of: row, in: zones) { return span.contains(row) }
      let start = DueSpan.Point(day: days.lowerBound.packed, minute: minute)
      return due <= days.upperBound.packed && !(DueSpan.Point(row) < start)
    }
  }

  private static func isMet(by due: Int64?, before day: CivilDate) -> Bool {
    guard let due, due >= 512, due < day.packed else { return false }
    // A month has no day, and a year has neither day nor month. A month or year is over once a later one has begun.
    if due % 32 > 0 { return true }
    return due < day.packed - day.packed % (due % 512 > 0 ? 32 : 512)
  }

  /// The span for the zone of a to-do that has a due time.
  private static func span(of row: TodoRow, in zones: [DueSpan]) -> DueSpan? {
    guard row.dueTime != nil, row.due?.day != nil else { return nil }
    return zones.first { $0.zone == row.zone }
  }
}
