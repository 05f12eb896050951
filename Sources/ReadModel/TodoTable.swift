internal import Domain
internal import SQLite

/// A to-do whose list is dead is hidden; one whose list was never folded is shown without one.
enum TodoTable: KindTable {
  static let kind = Kind.todo
  static let name = "todo"

  static let schema = """
    CREATE TABLE todo (
      \(CommonColumns.definition),
      title TEXT, list_log INTEGER, list_sequence INTEGER, done INTEGER NOT NULL,
      completed_at INTEGER, priority INTEGER NOT NULL, created_at INTEGER,
      due TEXT, position INTEGER, due_number INTEGER, title_folded TEXT NOT NULL,
      urgency INTEGER AS (-priority), undated INTEGER AS (due_number IS NULL),
      due_order INTEGER AS (coalesce(due_number, 0)),
      dated_creation INTEGER AS (created_at IS NOT NULL),
      creation_order INTEGER AS (coalesce(created_at, 0)),
      unplaced INTEGER AS (position IS NULL), position_order INTEGER AS (coalesce(position, 0)),
      title_start TEXT AS (substr(title_folded, 1, 12)),
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE todo_count (
      list_log INTEGER NOT NULL, list_sequence INTEGER NOT NULL, todos INTEGER NOT NULL,
      open INTEGER NOT NULL,
      PRIMARY KEY (list_log, list_sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let shown = """
    (SELECT todo.log, todo.sequence, todo.id, todo.added_at, todo.disputed, todo.note,
        todo.tags, todo.extra, todo.search, title, list_log, list_sequence, done, completed_at,
        priority, created_at, due, position, due_number, title_folded, urgency, undated,
        due_order, dated_creation, creation_order, unplaced, position_order, title_start,
        list.log AS shown_list_log, list.sequence AS shown_list_sequence,
        list.id AS list_id, list.name AS list_name
      FROM todo
      LEFT JOIN entity AS parent ON parent.log = list_log AND parent.sequence = list_sequence
      LEFT JOIN list
        ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE parent.shown_log IS NULL OR parent.alive) AS shown_todo
    """

  static let indexes = orders + counts

  /// The orders of ``TodoOrder``, so that a page is read without the rest; what is done is passed over where only
  /// the rest is asked for, since in time that is most.
  private static let orders = """
    CREATE INDEX todo_by_list ON todo (list_log, list_sequence);
    CREATE INDEX todo_by_urgency ON todo (urgency, undated, due_order, \(age));
    CREATE INDEX todo_open ON todo (urgency, undated, due_order, \(age)) WHERE NOT done;
    CREATE INDEX todo_by_due ON todo (undated, due_order, urgency, \(age));
    CREATE INDEX todo_by_creation ON todo (\(age));
    CREATE INDEX todo_by_position ON todo (unplaced, position_order, \(age));
    CREATE INDEX todo_by_title ON todo (title_start);
    """

  private static let age = "dated_creation, creation_order, added_at, sequence"

  /// Counts what is on each list, by the reference as it was written; ``TodoCounts`` goes on from there.
  private static let counts = """
    INSERT INTO todo_count
      SELECT list_log, list_sequence, count(*), sum(NOT done) FROM todo
      WHERE list_log IS NOT NULL GROUP BY list_log, list_sequence;
    """

  static let columns = [
    "title", "list_log", "list_sequence", "done", "completed_at", "priority", "created_at", "due",
    "position", "due_number", "title_folded",
  ]

  /// What a to-do without a known priority counts as.
  private static let normalPriority: Int64 = 1

  static func row(of content: DocumentContent) -> [SQLiteValue] {
    let title = content.text(Field.Todo.title)
    let folded = title.map(Folding.fold)
    let list = content.reference(Field.Todo.list)
    let priority = content.integer(Field.Todo.priority).flatMap { (0...2).contains($0) ? $0 : nil }
    let due = content.date(Field.Todo.due)
    return CommonColumns.values(of: content, searchable: folded.map { [$0] } ?? []) + [
      SQLiteValue(title), list.map { .integer($0.log) } ?? .null,
      list.map { .integer($0.sequence) } ?? .null,
      .integer(content.boolean(Field.Todo.done) == true ? 1 as Int64 : 0),
      SQLiteValue(content.integer(Field.Todo.completedAt)),
      .integer(priority ?? normalPriority),
      SQLiteValue(content.integer(Field.Todo.createdAt)),
      SQLiteValue(due?.iso), SQLiteValue(content.integer(Field.Todo.position)),
      SQLiteValue(due?.packed), .text(folded ?? ""),
    ]
  }
}
