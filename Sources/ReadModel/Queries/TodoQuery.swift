package import Bytes
package import Domain

/// The to-dos of a live query.
package struct TodoSubject: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case anywhere
    /// On the list with the given id; the result is empty while no living list has this id.
    case list(UniqueID)
    case withoutList
  }

  package var place: Place
  /// The other conditions; the filter's own `place` is ignored.
  package var filter: TodoFilter

  package init(place: Place = .anywhere, filter: TodoFilter = TodoFilter()) {
    self.place = place
    self.filter = filter
    self.filter.place = .anywhere
  }
}

/// The division of to-dos into sections.
package enum TodoDivision: Hashable, Sendable {
  /// By list, sorted by name; to-dos without a list last.
  case list
  /// By priority, highest first.
  case priority
  /// Open to-dos, then done to-dos.
  case done
  /// By due date, earliest first; to-dos without a due date last.
  case due
}

extension Query where Row == TodoRow {
  /// To-dos, by priority unless a different order is given.
  package static func todos(
    _ place: TodoSubject.Place = .anywhere, _ filter: TodoFilter = TodoFilter(),
    by order: TodoOrder = .priority, in division: TodoDivision? = nil
  ) -> Query {
    Query(TodoSubject(place: place, filter: filter), by: order, in: division)
  }
}

extension TodoRow: QueryRow {
  package static let kinds: Set<Kind> = [.todo, .list]

  package static func rows(
    of subject: TodoSubject, by order: TodoOrder, in tables: TableConnection
  ) throws(ReadModelError) -> [TodoRow] {
    var filter = subject.filter
    switch subject.place {
    case .anywhere: filter.place = .anywhere
    case .withoutList: filter.place = .withoutList
    case .list(let id):
      guard let list = try DocumentQueries(tables: tables).document(id: id), list.kind == .list,
        list.isAlive
      else {
        return []
      }
      filter.place = .list(list.key)
    }
    return try TodoQueries(tables: tables).todos(filter, by: order)
  }

  package func section(in division: TodoDivision) -> SectionKey {
    switch division {
    case .list:
      guard let listID else { return SectionKey(rank: 1) }
      let name = listName ?? ""
      let folded = Folding.fold(name)
      return SectionKey(
        order: NaturalOrder.key(of: folded) ?? folded, title: name, tag: listID.hex)
    case .priority:
      let words = ["low", "normal", "high"]
      let isKnown = words.indices.contains(Int(clamping: priority))
      return SectionKey(rank: -priority, title: isKnown ? words[Int(priority)] : "")
    case .done: return SectionKey(rank: isClosed ? 1 : 0, title: isClosed ? "done" : "open")
    case .due: return SectionKey(rank: due?.packed ?? .max, title: due?.iso ?? "")
    }
  }

  /// Whether the touched documents may bring a to-do into the subject's place, and thus into its result.
  ///
  /// The answer is `true` if lists were touched, if the place is `anywhere`, or if a repeating to-do was touched,
  /// because rows of other to-dos are made from a repeating to-do.
  package static func mayBring(
    _ touched: Touched.Documents, of subject: TodoSubject, in tables: TableConnection
  ) throws(ReadModelError) -> Bool {
    guard subject.place != .anywhere, touched[.list] == nil else { return true }
    for id in touched[.todo] ?? [] {
      guard let document = try DocumentQueries(tables: tables).document(id: id) else { continue }
      guard let row = try TodoQueries(tables: tables).todo(document.key) else {
        // The row of a series shows its open occurrence, which has no row, and may have shown a deleted occurrence.
        if document.isAlive { return true }
        if try hasSeries(in: tables) { return true }
        continue
      }
      if row.rule != nil || row.slot != nil { return true }
      if try isOn(subject.place, row, in: tables) { return true }
    }
    return false
  }

  private static func hasSeries(in tables: TableConnection) throws(ReadModelError) -> Bool {
    try tables.integer("SELECT EXISTS (SELECT 1 FROM todo WHERE repeat IS NOT NULL)") == 1
  }

  private static func isOn(
    _ place: TodoSubject.Place, _ row: TodoRow, in tables: TableConnection
  ) throws(ReadModelError) -> Bool {
    switch place {
    case .anywhere: true
    case .withoutList: row.listID == nil
    // The id may be that of another member of the list's document.
    case .list(let id):
      row.list == nil
        ? false : try DocumentQueries(tables: tables).document(id: id)?.key == row.list
    }
  }

  package var withoutKeys: TodoRow {
    TodoRow(
      head: head.withoutKey, title: title, list: nil, listID: listID, listName: listName,
      isDone: isDone, completedAt: completedAt, priority: priority, createdAt: createdAt,
      due: due, position: position, isClosed: isClosed, isCancelled: isCancelled,
      closedOn: closedOn, closedAt: closedAt, dueTime: dueTime, zone: zone, start: start,
      remind: remind, parent: nil, parentID: parentID, rule: rule, until: until, slot: slot,
      firstDue: firstDue, series: nil, seriesID: seriesID)
  }
}
