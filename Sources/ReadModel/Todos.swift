package import Bytes
package import Domain
internal import SQLite

package struct TodoRow: Equatable, Sendable {
  package let head: RowHead
  package let title: String?
  /// The list's shown member, id and name.
  package let list: EventKey?
  package let listID: UniqueID?
  package let listName: String?
  package let isDone: Bool
  package let completedAt: Int64?
  package let priority: Int64
  package let createdAt: Int64?
  package let due: CivilDate?
  package let position: Int64?
}

package enum TodoOrder: Sendable {
  /// The highest priority first, then what is due first, then the oldest.
  case priority
  /// The oldest first.
  case creation
  case title
  /// As arranged by hand; what never was comes last, the oldest first.
  case position

  // Events of one command have one time; their numbers tell them apart, on every device alike.
  private static let byAge = "created_at, added_at, sequence, id"

  fileprivate var sql: String {
    switch self {
    case .priority: "priority DESC, due_number IS NULL, due_number, \(Self.byAge)"
    case .creation: Self.byAge
    case .title: "title_folded, title, \(Self.byAge)"
    case .position: "position IS NULL, position, \(Self.byAge)"
    }
  }
}

/// Which to-dos are asked for.
package struct TodoFilter: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case anywhere
    /// On the list that an entity belongs to.
    case list(EventKey)
    case withoutList
  }

  package var place: Place
  package var includesDone: Bool
  /// What the title contains, whatever the case, width or diacritics.
  package var fragment: String

  package init(place: Place = .anywhere, includesDone: Bool = true, fragment: String = "") {
    self.place = place
    self.includesDone = includesDone
    self.fragment = fragment
  }
}

extension ReadModel {
  package func todos(
    _ filter: TodoFilter = TodoFilter(), by order: TodoOrder = .priority, page: Page = .all
  ) throws(ReadModelError) -> [TodoRow] {
    var values: [SQLiteValue] =
      page.values + [
        .integer(filter.includesDone ? 1 as Int64 : 0), .text(Folding.fold(filter.fragment)),
      ]
    let place: String
    switch filter.place {
    case .anywhere: place = ""
    case .withoutList: place = "AND shown_list_log IS NULL"
    case .list(let key):
      place = """
        AND (list_log, list_sequence) IN (
          SELECT member.log, member.sequence FROM entity AS named
          JOIN entity AS member ON member.shown_log = named.shown_log
            AND member.shown_sequence = named.shown_sequence
          WHERE named.log = ?5 AND named.sequence = ?6)
        """
      values += key.values
    }
    return try todos(
      """
      WHERE (?3 OR NOT done) AND instr(title_folded, ?4) > 0 \(place)
      ORDER BY \(order.sql) LIMIT ?1 OFFSET ?2
      """, values)
  }

  package func todo(_ key: EventKey) throws(ReadModelError) -> TodoRow? {
    try todos("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  private func todos(
    _ clauses: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> [TodoRow] {
    let sql = """
      SELECT \(RowHead.columns), title, shown_list_log, shown_list_sequence, list_id, list_name,
        done, completed_at, priority, created_at, due_number, position
      FROM shown_todo \(clauses)
      """
    return try rows(sql, values) { row in
      let start = RowHead.count
      return TodoRow(
        head: RowHead(row), title: row.textOrNil(start), list: row.keyOrNil(start + 1),
        listID: row.uniqueIDOrNil(start + 3), listName: row.textOrNil(start + 4),
        isDone: row.boolean(start + 5), completedAt: row.integerOrNil(start + 6),
        priority: row.integer(start + 7), createdAt: row.integerOrNil(start + 8),
        due: row.date(start + 9), position: row.integerOrNil(start + 10))
    }
  }
}
