internal import Domain
internal import SQLite

enum QuestionTable: KindTable {
  static let kind = Kind.question
  static let name = "question"

  static let schema = """
    CREATE TABLE question (
      \(CommonColumns.definition),
      content TEXT, content_folded TEXT NOT NULL, content_order TEXT,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let shown = "question AS shown_question"

  static let indexes = [TableIndex("question_by_content", "content_folded")]

  static let columns = ["content", "content_folded", "content_order"]

  static func row(of content: DocumentContent) -> [SQLiteValue] {
    let text = content.text(Field.Question.content)
    let folded = text.map(Folding.fold)
    return CommonColumns.values(of: content, searchable: folded.map { [$0] } ?? []) + [
      SQLiteValue(text), .text(folded ?? ""), SQLiteValue(folded.flatMap(NaturalOrder.key)),
    ]
  }
}

/// The table of choices; a choice is hidden if its question is dead or has never been folded.
enum ChoiceTable: KindTable {
  static let kind = Kind.choice
  static let name = "choice"

  static let schema = """
    CREATE TABLE choice (
      \(CommonColumns.definition),
      owner_log INTEGER, owner_sequence INTEGER, name TEXT, weight INTEGER,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let shown = """
    (SELECT choice.log, choice.sequence, choice.id, added_at, disputed, note, tags, extra, search,
        owner_log, owner_sequence, name, weight,
        parent.shown_log AS question_log, parent.shown_sequence AS question_sequence
      FROM choice
      JOIN entity AS parent ON parent.log = owner_log AND parent.sequence = owner_sequence
      WHERE parent.alive AND parent.shown_log IS NOT NULL) AS shown_choice
    """

  static let count = countByOwner("choice")

  static let indexes = [TableIndex("choice_by_owner", "owner_log", "owner_sequence")]

  static let columns = ["owner_log", "owner_sequence", "name", "weight"]

  static func row(of content: DocumentContent) -> [SQLiteValue] {
    let owner = content.reference(.owner)
    let name = content.text(Field.Choice.name)
    let folded = name.map { [Folding.fold($0)] } ?? []
    return CommonColumns.values(of: content, searchable: folded) + [
      owner.map { .integer($0.log) } ?? .null, owner.map { .integer($0.sequence) } ?? .null,
      SQLiteValue(name), SQLiteValue(content.integer(Field.Choice.weight)),
    ]
  }
}

/// The table of picks; a pick is hidden if its question is dead or has never been folded.
enum PickTable: KindTable {
  static let kind = Kind.pick
  static let name = "pick"

  static let schema = """
    CREATE TABLE pick (
      \(CommonColumns.definition),
      owner_log INTEGER, owner_sequence INTEGER, choice_log INTEGER, choice_sequence INTEGER,
      draw BLOB,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let shown = """
    (SELECT pick.log, pick.sequence, pick.id, pick.added_at, pick.disputed, pick.note, pick.tags,
        pick.extra, pick.search, pick.owner_log, pick.owner_sequence, choice_log, choice_sequence,
        draw, parent.shown_log AS question_log, parent.shown_sequence AS question_sequence,
        chosen.shown_log AS shown_choice_log, chosen.shown_sequence AS shown_choice_sequence,
        choice.id AS choice_id, choice.name AS choice_name
      FROM pick
      JOIN entity AS parent
        ON parent.log = pick.owner_log AND parent.sequence = pick.owner_sequence
      LEFT JOIN entity AS chosen
        ON chosen.log = choice_log AND chosen.sequence = choice_sequence
      LEFT JOIN choice
        ON choice.log = chosen.shown_log AND choice.sequence = chosen.shown_sequence
      WHERE parent.alive AND parent.shown_log IS NOT NULL) AS shown_pick
    """

  static let count = countByOwner("pick")

  static let indexes = [TableIndex("pick_by_owner", "owner_log", "owner_sequence")]

  static let columns = ["owner_log", "owner_sequence", "choice_log", "choice_sequence", "draw"]

  static func row(of content: DocumentContent) -> [SQLiteValue] {
    let owner = content.reference(.owner)
    let choice = content.reference(Field.Pick.choice)
    return CommonColumns.values(of: content, searchable: []) + [
      owner.map { .integer($0.log) } ?? .null, owner.map { .integer($0.sequence) } ?? .null,
      choice.map { .integer($0.log) } ?? .null, choice.map { .integer($0.sequence) } ?? .null,
      content.bytes(Field.Pick.draw).map { .blob($0) } ?? .null,
    ]
  }
}

/// The query for the number of shown records of a table, which looks up each question once.
///
/// Most questions are found in `question`, which is small, whereas the rows of `entity` are far apart.
private func countByOwner(_ table: String) -> String {
  """
  SELECT coalesce(sum(records), 0) FROM (
      SELECT owner_log, owner_sequence, count(*) AS records FROM \(table) GROUP BY 1, 2)
    WHERE EXISTS (
        SELECT 1 FROM question
        WHERE question.log = owner_log AND question.sequence = owner_sequence)
      OR EXISTS (
        SELECT 1 FROM entity AS parent
        WHERE parent.log = owner_log AND parent.sequence = owner_sequence
          AND parent.alive AND parent.shown_log IS NOT NULL)
  """
}
