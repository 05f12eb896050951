internal import Domain

/// What the column of a table stands for, and the names it goes by in the tables of other programs.
enum CSVColumn: String, CaseIterable {
  case kind = "Kind"
  case id = "Id"
  case firstName = "First name"
  case lastName = "Last name"
  case name = "Name"
  case birthday = "Birthday"
  case leapRule = "Leap rule"
  case lead = "Remind before"
  case title = "Title"
  case list = "List"
  case done = "Done"
  case completedAt = "Completed at"
  case priority = "Priority"
  case createdAt = "Created at"
  case due = "Due"
  case position = "Position"
  case colour = "Colour"
  case question = "Question"
  case choice = "Choice"
  case weight = "Weight"
  case note = "Note"
  case tags = "Tags"

  /// Reads a header, whatever its case and signs.
  init?(header: String) {
    let plain = header.lowercased().filter { $0.isLetter || $0.isNumber }
    guard let column = Self.names[plain] else { return nil }
    self = column
  }

  private static let names: [String: CSVColumn] = {
    var names: [String: CSVColumn] = [:]
    for column in allCases {
      names[column.rawValue.lowercased().filter { $0.isLetter || $0.isNumber }] = column
      for name in column.otherNames { names[name] = column }
    }
    return names
  }()

  private var otherNames: [String] {
    switch self {
    case .kind: ["type"]
    case .id: ["uid", "uuid", "birthdayid", "identifier"]
    case .firstName: ["givenname", "forename", "first", "vorname"]
    case .lastName: ["familyname", "surname", "last", "nachname"]
    case .name: ["fullname", "displayname", "person"]
    case .birthday: ["birthdate", "dateofbirth", "dob", "born", "geburtstag", "bday"]
    case .leapRule: []
    case .lead: ["lead"]
    case .title: ["task", "todo", "summary", "subject", "content", "item"]
    case .list: ["category", "project", "listname", "folder"]
    case .done: ["completed", "complete", "iscomplete", "status", "checked", "finished"]
    case .completedAt: ["datecompleted", "completeddate", "completedon"]
    case .priority: ["prio", "importance", "prioritynum"]
    case .createdAt: ["created", "datecreated", "createddate", "added", "creationdate"]
    case .due: ["duedate", "dueon", "deadline"]
    case .position: ["order"]
    case .colour: ["color"]
    case .question: []
    case .choice: ["option", "answer"]
    case .weight: []
    case .note: ["notes", "description", "comment", "comments"]
    case .tags: ["labels", "keywords", "label", "tag"]
    }
  }
}
