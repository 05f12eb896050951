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
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW shown_todo AS
      SELECT todo.log, todo.sequence, todo.id, todo.added_at, todo.disputed, todo.note,
        todo.tags, todo.extra, todo.search, title, list_log, list_sequence, done, completed_at,
        priority, created_at, due, position, due_number, title_folded,
        list.log AS shown_list_log, list.sequence AS shown_list_sequence,
        list.id AS list_id, list.name AS list_name
      FROM todo
      LEFT JOIN entity AS parent ON parent.log = list_log AND parent.sequence = list_sequence
      LEFT JOIN list
        ON list.log = parent.shown_log AND list.sequence = parent.shown_sequence
      WHERE parent.shown_log IS NULL OR parent.alive;
    """

  static let indexes = "CREATE INDEX todo_by_list ON todo (list_log, list_sequence);"

  static let insert = """
    INSERT INTO todo VALUES
      (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
    """

  static let delete = "DELETE FROM todo WHERE log = ?1 AND sequence = ?2"

  /// What a to-do without a known priority counts as.
  private static let normalPriority: Int64 = 1

  static func values(of content: DocumentContent) -> [SQLiteValue] {
    let title = content.text(Field.Todo.title)
    let list = content.reference(Field.Todo.list)
    let priority = content.integer(Field.Todo.priority).flatMap { (0...2).contains($0) ? $0 : nil }
    let due = content.date(Field.Todo.due)
    return [
      SQLiteValue(title), list.map { .integer($0.log) } ?? .null,
      list.map { .integer($0.sequence) } ?? .null,
      .integer(content.boolean(Field.Todo.done) == true ? 1 as Int64 : 0),
      SQLiteValue(content.integer(Field.Todo.completedAt)),
      .integer(priority ?? normalPriority),
      SQLiteValue(content.integer(Field.Todo.createdAt)),
      SQLiteValue(due?.iso), SQLiteValue(content.integer(Field.Todo.position)),
      SQLiteValue(due?.packed), .text(Folding.fold(title ?? "")),
    ]
  }

  static func searchable(in content: DocumentContent) -> [String?] {
    [content.text(Field.Todo.title)]
  }
}
