extension CSVProgram {
  /// All programs.
  ///
  /// Programs whose columns also occur in tables of other programs come first.
  package static let all: [CSVProgram] = [
    TodoistTable.todoist, TickTickTable.tickTick, TrelloTable.trello, AsanaTable.asana,
    ClickUpTable.clickUp, MicrosoftToDoTable.microsoftToDo, ThingsTable.things,
    AppleRemindersTable.reminders, OutlookTable.outlook,
    NotionTable.notion, ThunderbirdTable.thunderbird, OutlookTable.outlookContacts,
    GoogleContactsTable.googleContacts,
  ]

  /// Finds a program by the name that a user specifies.
  package init?(named name: String) {
    let plain = CSVColumn.plain(name)
    guard let program = Self.all.first(where: { $0.name == plain }) else { return nil }
    self = program
  }

  /// Finds the program that writes a header.
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
}
