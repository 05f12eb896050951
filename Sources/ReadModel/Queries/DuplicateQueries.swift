package import Bytes
package import Domain
internal import SQLite

/// Two shown records that look like the same record.
package struct DuplicatePair: Equatable, Sendable {
  package let kind: Kind
  /// The record that was added first, then the record that was added later.
  package let first: EventKey
  package let firstID: UniqueID
  package let second: EventKey
  package let secondID: UniqueID
}

/// Finds documents that look alike.
package struct DuplicateQueries {
  let tables: TableConnection

  private struct Lookalike {
    let key: EventKey
    let id: UniqueID
    let names: [String]
    let date: CivilDate?
  }

  /// Finds birthdays with the same name and compatible dates, and lists with the same name.
  ///
  /// Case, width and diacritics of names are ignored. Each record is paired with the oldest record that it looks like,
  /// so the number of pairs does not grow with the square of the number of records.
  ///
  /// If the key of a record is given, only records with the same name are compared.
  package func duplicates(of key: EventKey? = nil) throws(ReadModelError) -> [DuplicatePair] {
    try birthdaysAlike(key) + listsAlike(key)
  }

  /// Finds open to-dos with the same title, list and parent, and with compatible due dates.
  ///
  /// Strings are compared and records are paired as in `duplicates`. A to-do without a due date is compatible with any
  /// due date. A repeating to-do has the due date of its current occurrence.
  package func todosAlike() throws(ReadModelError) -> [DuplicatePair] {
    let sql = """
      SELECT log, sequence, id, title_folded,
        coalesce(shown_list_log || ' ' || shown_list_sequence, '') AS on_list,
        coalesce((
          SELECT shown_log || ' ' || shown_sequence FROM entity
          WHERE log = parent_log AND sequence = parent_sequence), '') AS under,
        due_number
      FROM \(TodoTable.shown)
      WHERE NOT closed AND title_folded IN (
        SELECT title_folded FROM todo WHERE NOT closed AND title_folded != ''
        GROUP BY title_folded HAVING count(*) > 1)
      ORDER BY title_folded, on_list, under, added_at, id
      """
    let rows = try tables.rows(sql, []) { row in
      Lookalike(
        key: row.key(0), id: row.uniqueID(2), names: [row.text(3), row.text(4), row.text(5)],
        date: row.date(6))
    }
    return Self.pairs(of: rows, .todo)
  }

  /// Finds the record with which a new record could be confused; nil if there is none.
  ///
  /// To-dos are compared with the open to-dos on their list, and choices with the other choices of their question.
  /// Strings are compared as in `duplicates`. If there are several such records, the result is the oldest of them.
  package func namesake(of key: EventKey, _ kind: Kind) throws(ReadModelError) -> UniqueID? {
    switch kind {
    case .birthday, .list:
      let pair = try duplicates(of: key).first { [$0.first, $0.second].contains(key) }
      return pair.map { $0.first == key ? $0.secondID : $0.firstID }
    case .todo:
      guard try isTitleTaken(besides: key) else { return nil }
      return try namesake(
        in: "todo", where: TodoTable.isShown, "title_folded", key, Self.isOpenBeside)
    case .question: return try namesake(in: QuestionTable.shown, "content_folded", key)
    case .choice: return try namesakeOfChoice(key)
    default: return nil
    }
  }

  /// Whether another to-do has the same title.
  ///
  /// Most new to-dos have new titles, and this query compiles in a quarter of the time of the one for namesakes.
  private func isTitleTaken(besides key: EventKey) throws(ReadModelError) -> Bool {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM todo WHERE (title_start, title_folded) = (
          SELECT title_start, title_folded FROM todo WHERE log = ?1 AND sequence = ?2)
        AND (log, sequence) != (?1, ?2))
      """
    return try tables.integer(sql, key.values) == 1
  }

  private static let isOpenBeside = """
    AND title_start = (SELECT title_start FROM todo WHERE (log, sequence) = (?1, ?2))
    AND NOT closed AND \(TodoTable.shownList) IS (
      SELECT list.log, list.sequence FROM todo
      JOIN entity AS parent ON parent.log = list_log AND parent.sequence = list_sequence
      JOIN list ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE (todo.log, todo.sequence) = (?1, ?2))
    """

  private func namesake(
    in table: String, where isShown: String = "TRUE", _ folded: String, _ key: EventKey,
    _ condition: String = ""
  ) throws(ReadModelError) -> UniqueID? {
    let sql = """
      SELECT id FROM \(table)
      WHERE \(folded) = (
          SELECT \(folded) FROM \(table) WHERE (log, sequence) = (?1, ?2) AND \(isShown))
        AND \(folded) != '' AND (log, sequence) != (?1, ?2) AND \(isShown) \(condition)
      ORDER BY added_at, id LIMIT 1
      """
    return try tables.rows(sql, key.values) { $0.uniqueID(0) }.first
  }

  private func namesakeOfChoice(_ key: EventKey) throws(ReadModelError) -> UniqueID? {
    let queries = QuestionQueries(tables: tables)
    guard let choice = try queries.choice(key), let name = choice.name.map(Folding.fold) else {
      return nil
    }
    return try queries.choices(of: choice.question).first { other in
      // Among choices that were added together, only the later one has a namesake.
      let isLater = other.head.key.log == key.log && other.head.key.sequence >= key.sequence
      return !isLater && other.name.map(Folding.fold) == name
    }?.head.id
  }

  private func birthdaysAlike(_ key: EventKey?) throws(ReadModelError) -> [DuplicatePair] {
    let sql = """
      SELECT log, sequence, id, first_name_folded, last_name_folded, birthdate_number
      FROM \(BirthdayTable.shown)
      WHERE (last_name_folded, first_name_folded) IN (
        SELECT last_name_folded, first_name_folded FROM birthday
        WHERE (last_name_folded != '' OR first_name_folded != '') \(Self.restriction(to: key))
        GROUP BY last_name_folded, first_name_folded \(Self.repetition(besides: key)))
      ORDER BY last_name_folded, first_name_folded, added_at, id
      """
    let rows = try tables.rows(sql, key?.values ?? []) { row in
      Lookalike(
        key: row.key(0), id: row.uniqueID(2), names: [row.text(3), row.text(4)], date: row.date(5))
    }
    return Self.pairs(of: rows, .birthday)
  }

  private func listsAlike(_ key: EventKey?) throws(ReadModelError) -> [DuplicatePair] {
    let sql = """
      SELECT log, sequence, id, name_folded FROM \(ListTable.shown)
      WHERE name_folded IN (
        SELECT name_folded FROM list WHERE name_folded != '' \(Self.restriction(to: key))
        GROUP BY name_folded \(Self.repetition(besides: key)))
      ORDER BY name_folded, added_at, id
      """
    let rows = try tables.rows(sql, key?.values ?? []) { row in
      Lookalike(key: row.key(0), id: row.uniqueID(2), names: [row.text(3)], date: nil)
    }
    return Self.pairs(of: rows, .list)
  }

  /// Restricts the names to those of one record, if a key is given.
  private static func restriction(to key: EventKey?) -> String {
    key == nil ? "" : "AND log = ?1 AND sequence = ?2"
  }

  /// Restricts the names to those that occur more than once, if no key is given.
  private static func repetition(besides key: EventKey?) -> String {
    key == nil ? "HAVING count(*) > 1" : ""
  }

  /// Pairs each record with the earliest record that has the same names and a compatible date, if there is one.
  ///
  /// The rows are sorted by name.
  private static func pairs(of rows: [Lookalike], _ kind: Kind) -> [DuplicatePair] {
    var pairs: [DuplicatePair] = []
    var alike: [Lookalike] = []
    for row in rows {
      if alike.first?.names != row.names { alike = [] }
      if let older = alike.first(where: { isConsistent($0.date, row.date) }) {
        pairs.append(
          DuplicatePair(
            kind: kind, first: older.key, firstID: older.id, second: row.key, secondID: row.id))
      }
      alike.append(row)
    }
    return pairs
  }

  /// Whether two dates, parts of which may be unknown, can be the same day.
  private static func isConsistent(_ left: CivilDate?, _ right: CivilDate?) -> Bool {
    guard let left, let right else { return true }
    func mayEqual(_ left: Int?, _ right: Int?) -> Bool {
      left == nil || right == nil || left == right
    }
    return mayEqual(left.year, right.year) && mayEqual(left.month, right.month)
      && mayEqual(left.day, right.day)
  }
}
