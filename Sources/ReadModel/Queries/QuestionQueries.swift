package import Bytes
package import Domain
internal import SQLite

package struct QuestionRow: Equatable, Sendable {
  package let head: RowHead
  package let content: String?
  package let choices: Int64
}

package struct ChoiceRow: Equatable, Sendable {
  package let head: RowHead
  /// The shown member of the question.
  package let question: EventKey
  package let name: String?
  package let weight: Int64
}

package struct PickRow: Equatable, Sendable {
  package let head: RowHead
  /// The shown member of the question.
  package let question: EventKey
  /// The shown member of the choice's document, or the choice that the pick refers to if it has no document.
  package let choice: EventKey?
  package let choiceID: UniqueID?
  /// The name of the choice; nil if the choice is deleted or has no name.
  package let choiceName: String?
  /// The record of the draw, as written.
  package let draw: [UInt8]?
}

/// Reads questions, choices and picks.
package struct QuestionQueries {
  let tables: TableConnection

  /// All questions, by content.
  package func questions(page: Page = .all) throws(ReadModelError) -> [QuestionRow] {
    var clauses = Clauses()
    clauses.take(
      page, of: QuestionTable.shown,
      by: ["coalesce(content_order, content_folded)", "coalesce(content, '')", "id"])
    return try questions(clauses.sql, clauses.values)
  }

  package func question(_ key: EventKey) throws(ReadModelError) -> QuestionRow? {
    try questions("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  /// The choices of the question that an entity belongs to, oldest first.
  package func choices(
    of question: EventKey, page: Page = .all
  ) throws(ReadModelError) -> [ChoiceRow] {
    var clauses = Clauses()
    clauses.require(Self.isOwned(by: clauses.parameters(question)))
    clauses.take(page, of: ChoiceTable.shown, by: ["added_at", "sequence", "id"])
    return try choices(clauses.sql, clauses.values)
  }

  package func choice(_ key: EventKey) throws(ReadModelError) -> ChoiceRow? {
    try choices("WHERE log = ?1 AND sequence = ?2", key.values).first
  }

  /// The picks of the question that an entity belongs to, latest first.
  package func picks(
    of question: EventKey, page: Page = .all
  ) throws(ReadModelError) -> [PickRow] {
    var clauses = Clauses()
    clauses.require(Self.isOwned(by: clauses.parameters(question)))
    clauses.take(page, of: PickTable.shown, by: ["-added_at", "-sequence", "id"])
    let sql = """
      SELECT \(RowHead.columns), question_log, question_sequence,
        coalesce(shown_choice_log, choice_log), coalesce(shown_choice_sequence, choice_sequence),
        choice_id, choice_name, draw
      FROM \(PickTable.shown) \(clauses.sql)
      """
    return try tables.rows(sql, clauses.values) { row in
      let start = RowHead.count
      return PickRow(
        head: RowHead(row), question: row.key(start), choice: row.keyOrNil(start + 2),
        choiceID: row.uniqueIDOrNil(start + 4), choiceName: row.textOrNil(start + 5),
        draw: row.isNull(start + 6) ? nil : row.bytes(start + 6))
    }
  }

  /// The SQL condition that the owner of a row belongs to the document of an entity.
  private static func isOwned(by parameters: String) -> String {
    "(owner_log, owner_sequence) IN (\(DocumentQueries.members(of: parameters)))"
  }

  private func questions(
    _ clauses: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> [QuestionRow] {
    let sql = """
      SELECT \(RowHead.columns), content,
        (SELECT count(*) FROM entity AS member
          JOIN choice ON owner_log = member.log AND owner_sequence = member.sequence
          WHERE member.shown_log = shown_question.log
            AND member.shown_sequence = shown_question.sequence)
      FROM \(QuestionTable.shown) \(clauses)
      """
    return try tables.rows(sql, values) { row in
      QuestionRow(
        head: RowHead(row), content: row.textOrNil(RowHead.count),
        choices: row.integer(RowHead.count + 1))
    }
  }

  private func choices(
    _ clauses: String, _ values: [SQLiteValue]
  ) throws(ReadModelError) -> [ChoiceRow] {
    let sql = """
      SELECT \(RowHead.columns), question_log, question_sequence, name, weight
      FROM \(ChoiceTable.shown) \(clauses)
      """
    return try tables.rows(sql, values) { row in
      let start = RowHead.count
      return ChoiceRow(
        head: RowHead(row), question: row.key(start), name: row.textOrNil(start + 2),
        weight: row.integer(start + 3))
    }
  }
}
