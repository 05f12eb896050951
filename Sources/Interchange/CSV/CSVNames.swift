internal import Domain

/// What the records of a table are called, so that the next import finds them.
struct CSVNames {
  private let program: CSVProgram?
  /// The list that the file is, if it is one.
  private let list: String?
  private var names = ContentNames()
  /// The uids of the questions so far, by what is asked.
  private var questions: [String: String] = [:]

  init(_ program: CSVProgram?, list: String?) { (self.program, self.list) = (program, list) }

  /// The uid of the question that a row before asks.
  func question(_ content: String) -> String? { questions[content] }

  /// Notes a question, under the uid that its row gives it or the one that follows from what it asks.
  ///
  /// - Returns: The uid.
  @discardableResult
  mutating func note(question content: String, as uid: String? = nil) -> String {
    let uid = uid ?? Self.uid(ofQuestion: content)
    questions[content] = uid
    return uid
  }

  private static func uid(ofQuestion content: String) -> String { "question:" + content }

  /// The id that the table has for a record, or else what people would know it by.
  ///
  /// Ids of programs are short, so the name of the program tells those of one from those of another.
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
