internal import Domain
internal import SQLite

/// The table of to-dos; a to-do is hidden if its list is dead, and is shown without a list if its list has never been
/// folded.
enum TodoTable: KindTable {
  static let kind = Kind.todo
  static let name = "todo"
  /// The number of leading characters of a title's sort key that `todo_by_title` contains.
  static let titleStart = 12
  /// The minute of the day that sorts to-dos without a due time after those with one.
  static let untimed: Int64 = 1440

  static let schema = """
    CREATE TABLE todo (
      \(CommonColumns.definition),
      title TEXT, list_log INTEGER, list_sequence INTEGER, done INTEGER NOT NULL,
      completed_at INTEGER, priority INTEGER NOT NULL, created_at INTEGER,
      due TEXT, position INTEGER, due_number INTEGER, title_folded TEXT NOT NULL,
      title_order TEXT,
      closed INTEGER NOT NULL, cancelled INTEGER NOT NULL, closed_on INTEGER, due_time INTEGER,
      zone TEXT, start_number INTEGER, remind TEXT,
      parent_log INTEGER, parent_sequence INTEGER, closed_at INTEGER NOT NULL,
      \(RepeatColumns.definition)\(shape.derivations),
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE todo_count (
      list_log INTEGER NOT NULL, list_sequence INTEGER NOT NULL, todos INTEGER NOT NULL,
      open INTEGER NOT NULL, undated INTEGER NOT NULL,
      PRIMARY KEY (list_log, list_sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let shown = """
    (SELECT todo.log, todo.sequence, todo.id, todo.added_at, todo.disputed, todo.note,
        todo.tags, todo.extra, todo.search, title, list_log, list_sequence, done, completed_at,
        priority, created_at, due, position, due_number, title_folded, title_order, urgency,
        undated,
        due_order, time_order, dated_creation, creation_order, unplaced, position_order,
        title_start, recency, closed_at, closed, cancelled, closed_on, due_time, zone, start_number, remind,
        parent_log, parent_sequence, repeat, until, slot, first_due, series_log, series_sequence,
        ended, list.log AS shown_list_log, list.sequence AS shown_list_sequence,
        list.id AS list_id, list.name AS list_name
      FROM todo
      LEFT JOIN entity AS parent ON parent.log = list_log AND parent.sequence = list_sequence
      LEFT JOIN list
        ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE parent.shown_log IS NULL OR parent.alive) AS shown_todo
    """

  /// The condition that ``shown`` places on a row of `todo`.
  ///
  /// Most queries use this condition instead of ``shown``, which takes longer to compile than a short query takes to
  /// run.
  static let isShown = """
    coalesce((SELECT parent.shown_log IS NULL OR parent.alive FROM entity AS parent
      WHERE parent.log = list_log AND parent.sequence = list_sequence), TRUE)
    """

  /// The key of the list shown for a row of `todo`; no row if there is no such list.
  static let shownList = shownList("list.log, list.sequence")

  /// Returns the SQL for columns of the list shown for a row of `todo`; no row if there is no such list.
  static func shownList(_ columns: String) -> String {
    """
    (SELECT \(columns) FROM entity AS parent
      JOIN list ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE parent.log = list_log AND parent.sequence = list_sequence)
    """
  }

  /// The query for the number of shown to-dos, from `todo_count`; counting the to-dos themselves would take longer than
  /// the rest of a short query.
  static let count = "SELECT coalesce(sum(todos), 0) FROM \(shownCounts)"

  /// The rows of `todo_count` for to-dos that are shown.
  static let shownCounts = """
    (SELECT todos, open, undated FROM todo_count
      LEFT JOIN entity AS parent ON parent.log = list_log AND parent.sequence = list_sequence
      WHERE parent.shown_log IS NULL OR parent.alive)
    """

  static let derived = [
    DerivedColumn("urgency", .negative, "priority"),
    DerivedColumn("undated", .isMissing, "due_number"),
    DerivedColumn("due_order", .or(0), "due_number"),
    DerivedColumn("time_order", .or(untimed), "due_time"),
    DerivedColumn("dated_creation", .isThere, "created_at"),
    DerivedColumn("creation_order", .or(0), "created_at"),
    DerivedColumn("unplaced", .isMissing, "position"),
    DerivedColumn("position_order", .or(0), "position"),
    DerivedColumn("recency", .negative, "closed_at"),
    DerivedColumn("title_start", .start(titleStart), "title_order", or: "title_folded"),
  ]

  /// The indexes for lists and for the orders of ``TodoOrder``, so that a query need not read all rows for one page.
  ///
  /// `todo_open` and `todo_open_by_due` omit closed to-dos, which become the majority over time. `todo_done` contains
  /// only done to-dos, and is used to find what was done on a day. `todo_by_start` and `todo_cancelled` have few
  /// entries; with them and the column `closed` of `todo_by_list`, the to-dos that a list leaves out can be counted
  /// quickly. `todo_by_parent` finds sub-tasks, and `todo_by_rule` finds repeating to-dos. `todo_due` counts open
  /// to-dos, and `todo_by_zone` finds the zones of due times; both answer without reading rows (see ``DueColumns``).
  static let indexes = [
    TableIndex("todo_by_list", "list_log", "list_sequence", "closed"),
    TableIndex("todo_by_urgency", urgency),
    TableIndex("todo_open", urgency, where: .fails("closed")),
    TableIndex("todo_by_due", due),
    TableIndex("todo_open_by_due", due, where: .fails("closed")),
    TableIndex("todo_done", "completed_at", where: .holds("done")),
    TableIndex("todo_by_creation", age),
    TableIndex("todo_by_position", ["unplaced", "position_order"] + age),
    TableIndex("todo_by_title", "title_start"),
    TableIndex("todo_by_start", "start_number", where: .has("start_number")),
    TableIndex("todo_by_parent", "parent_log", "parent_sequence", where: .has("parent_log")),
    TableIndex("todo_cancelled", "cancelled", where: .holds("cancelled")),
    TableIndex("todo_by_rule", "repeat", where: .has("repeat")),
    TableIndex(
      "todo_due", "due_number", "due_time", "zone", "start_number", "list_log", "list_sequence",
      "closed", where: .fails("closed")),
    TableIndex("todo_by_zone", "due_number", "due_time", "zone", where: .has("zone")),
  ]

  private static let age = ["dated_creation", "creation_order", "added_at", "sequence"]
  private static let day = ["undated", "due_order", "time_order"]
  private static let due = day + ["urgency"] + age
  private static let urgency = ["urgency"] + day + age

  static let columns =
    [
      "title", "list_log", "list_sequence", "done", "completed_at", "priority", "created_at", "due",
      "position", "due_number", "title_folded", "title_order", "closed", "cancelled", "closed_on",
      "due_time", "zone", "start_number", "remind", "parent_log", "parent_sequence", "closed_at",
    ] + RepeatColumns.names

  /// The priority of a to-do whose own priority is missing or unknown.
  private static let normalPriority: Int64 = 1

  static func row(of content: DocumentContent) -> [SQLiteValue] {
    let title = content.text(Field.Todo.title)
    let folded = title.map(Folding.fold)
    let list = content.reference(Field.Todo.list)
    let priority = content.integer(Field.Todo.priority).flatMap { (0...2).contains($0) ? $0 : nil }
    let due = content.date(Field.Todo.due)
    let isDone = content.boolean(Field.Todo.done) == true
    // If one device completed the to-do and another device cancelled it, the completion takes precedence.
    let isCancelled = !isDone && content.boolean(Field.Todo.cancelled) == true
    let parent = content.reference(Field.Todo.parent)
    return CommonColumns.values(of: content, searchable: folded.map { [$0] } ?? []) + [
      SQLiteValue(title), list.map { .integer($0.log) } ?? .null,
      list.map { .integer($0.sequence) } ?? .null,
      .integer(isDone ? 1 as Int64 : 0),
      SQLiteValue(content.integer(Field.Todo.completedAt)),
      .integer(priority ?? normalPriority),
      SQLiteValue(content.integer(Field.Todo.createdAt)),
      SQLiteValue(due?.iso), SQLiteValue(content.integer(Field.Todo.position)),
      SQLiteValue(due?.packed), .text(folded ?? ""),
      SQLiteValue(folded.flatMap(NaturalOrder.key)),
      .integer(isDone || isCancelled ? 1 as Int64 : 0), .integer(isCancelled ? 1 as Int64 : 0),
      SQLiteValue(content.date(Field.Todo.closedOn)?.packed),
      SQLiteValue(due == nil ? nil : content.integer(Field.Todo.dueTime)),
      SQLiteValue(content.text(Field.Todo.zone)),
      SQLiteValue(content.date(Field.Todo.start)?.packed),
      SQLiteValue(content.json(Field.Todo.remind)), parent.map { .integer($0.log) } ?? .null,
      parent.map { .integer($0.sequence) } ?? .null,
      .integer(
        isDone || isCancelled
          ? closingTime(
            completedAt: isDone ? content.integer(Field.Todo.completedAt) : nil,
            cancelledOn: isDone ? nil : content.date(Field.Todo.closedOn),
            addedAt: content.addedAt) : 0),
    ] + (content.repeats ?? RepeatColumns()).values
  }

  /// Returns the time at which a to-do was closed; see ``TodoOrder/openFirst``.
  static func closingTime(
    completedAt: Int64?, cancelledOn: CivilDate?, addedAt: Int64
  ) -> Int64 {
    let noonOfDay = cancelledOn?.epochDay.map { Int64($0) * 86_400_000 + 43_200_000 }
    // Sorting in memory needs some spare bits above the number.
    return min(max(completedAt ?? noonOfDay ?? addedAt, -(1 << 53)), 1 << 53)
  }
}
