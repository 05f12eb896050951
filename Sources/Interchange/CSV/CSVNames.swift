internal import Domain

/// Assigns each record of a table a uid by which the next import finds it.
struct CSVNames {
  private let program: CSVProgram?
  /// The list that the whole file represents, if any.
  private let list: String?
  private var names = ContentNames()
  private var formerNames = ContentNames()
  /// The uids of the questions so far, by their content.
  private var questions: [String: String] = [:]

  init(_ program: CSVProgram?, list: String?) { (self.program, self.list) = (program, list) }

  /// Returns the uid of a question from an earlier row.
  func question(_ content: String) -> String? { questions[content] }

  /// Remembers a question.
  ///
  /// - Parameters:
  ///   - content: The content of the question.
  ///   - uid: The uid in its row; nil to derive one from the content.
  /// - Returns: The uid.
  @discardableResult
  mutating func note(question content: String, as uid: String? = nil) -> String {
    let uid = uid ?? Self.uid(ofQuestion: content)
    questions[content] = uid
    return uid
  }

  private static func uid(ofQuestion content: String) -> String { "question:" + content }

  /// Returns the uid that ``uid(of:_:)`` would have returned for a to-do if its list were not in the table; nil for a
  /// record that has an id, has no list, or is not a to-do.
  mutating func formerUID(of record: ForeignRecord, _ row: CSVRow) -> String? {
    guard record.kind == .todo, row[.id] == nil else { return nil }
    let kind = Schema.schema(of: record.kind)?.name
    let name = formerNames.name([kind, row[.title] ?? row[.name], nil, row[.createdAt]])
    return (row[.list] ?? list) == nil ? nil : name
  }

  /// Returns the id of a record in the table or, if the record has none, a name derived from its content.
  ///
  /// Programs use short ids, so a prefix with the name of the program distinguishes the ids of different programs.
  mutating func uid(of record: ForeignRecord, _ row: CSVRow) -> String {
    if let id = row[.id] { return program.map { "\($0.name):\(id)" } ?? id }
    let kind = Schema.schema(of: record.kind)?.name
    switch record.kind {
    case .birthday:
      return names.name([kind, row[.name], row[.firstName], row[.lastName], row[.birthday]])
    case .choice: return names.name([kind, row[.question], row[.choice]])
    case .list: return "list:" + (row[.list] ?? "")
    case .question where row[.question] != nil:
      return Self.uid(ofQuestion: row[.question] ?? "")
    default:
      return names.name([kind, row[.title] ?? row[.name], row[.list] ?? list, row[.createdAt]])
    }
  }
}
