internal import Domain

/// A program whose tables are known by their headers, and what it says in them.
package struct CSVProgram: Sendable {
  /// What a row is of.
  enum RowKind: Sendable {
    case record
    /// A note on the record above.
    case note
    /// What the records below belong to.
    case section
    /// Settings of the program's own.
    case other
  }

  /// How it is named in a command: small letters and digits.
  package let name: String
  /// How it is called in a sentence.
  package let title: String
  /// The columns it is known by, of each group one.
  let signature: [[String]]
  /// What all its records are.
  let kind: Kind
  /// What its columns stand for; of several for one meaning, the first that can be read counts in each row.
  let columns: KeyValuePairs<String, CSVColumn>
  var words = CSVWords()
  /// What its column ``CSVColumn/rowKind`` says, in small letters.
  var rowKinds: [String: RowKind] = [:]
  /// Whether a column of nothing but *Yes* and *No*, however it is called, tells what is done where it is the only one.
  var hasUnnamedState = false
  /// Whether a file is a list, and is called by its name.
  var isListByFile = false
  /// Whether a cell for the list may name several, with commas between them.
  var hasSeveralLists = false
  /// What it writes in a cell in which nothing is.
  var emptyWord: String?
  /// What its column for the parent says of a task that has none.
  var topLevel: String?
  /// Whether words of a title that begin with `@` are tags.
  var hasTagsInTitle = false

}

extension CSVProgram {
  /// All, those first whose columns others have too.
  package static let all: [CSVProgram] = [
    TodoistTable.todoist, TickTickTable.tickTick, TrelloTable.trello, AsanaTable.asana,
    ClickUpTable.clickUp, MicrosoftToDoTable.microsoftToDo, ThingsTable.things,
    AppleRemindersTable.reminders, OutlookTable.outlook,
    NotionTable.notion, ThunderbirdTable.thunderbird, OutlookTable.outlookContacts,
    GoogleContactsTable.googleContacts,
  ]

  /// The program of a name as people say it.
  package init?(named name: String) {
    let plain = CSVColumn.plain(name)
    guard let program = Self.all.first(where: { $0.name == plain }) else { return nil }
    self = program
  }

  /// The program that writes such a header.
  init?(header: [String]) {
    let columns = Set(header.map(CSVColumn.plain))
    let program = Self.all.first { program in
      program.signature.allSatisfy { group in
        group.contains { columns.contains(CSVColumn.plain($0)) }
      }
    }
    guard let program else { return nil }
    self = program
  }

  /// What a column stands for, and its place among those of one meaning.
  func meaning(of header: String) -> (column: CSVColumn, rank: Int)? {
    let plain = CSVColumn.plain(header)
    let place = columns.firstIndex { CSVColumn.plain($0.key) == plain }
    return place.map { (columns[$0].value, $0) }
  }
}
