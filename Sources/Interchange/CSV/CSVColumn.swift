internal import Domain

/// What the column of a table stands for.
///
/// The raw values are the headers that a book writes; as names of fields, in `--map`, they are written in one word.
enum CSVColumn: String, CaseIterable, Sendable {
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
  /// What the row was when a book wrote it, and which book that was.
  case base = "Daybook base"

  // Other programs tell in these what a book tells in those above.
  case birthYear = "Year of birth"
  case birthMonth = "Month of birth"
  /// Beside a month, also ``birthday`` may be the day alone: headers do not tell *Birth day* from *Birthday*.
  case birthDay = "Day of birth"
  /// The state in any word, such as *In progress*.
  case status = "Status"
  case percent = "Percent"
  /// A part of a list, which becomes a tag.
  case section = "Section"
  /// Whether the to-do has the tag that the column is called by.
  case flagged = "Flagged"
  /// Whether what is due is due on a day, though it is told as a moment.
  case allDay = "All day"
  /// What a row is of, in the words of its program.
  case rowKind = "Row kind"

  // No field stands for these, so their cells are kept as they are.
  case time = "Time"
  case start = "Start"
  case repetition = "Repeat"
  case reminder = "Remind"
  case cancelled = "Cancelled"
  case parent = "Parent"
}

extension CSVColumn {
  /// Those that a book writes.
  static let written = Array(allCases.prefix { $0 != .birthYear })

  /// Those whose cells are kept, and do nothing.
  static let kept: [CSVColumn] = [.time, .start, .repetition, .reminder, .cancelled, .parent]

  /// Those that a user cannot name: only the row of a program has them, or only what a book wrote.
  private static let unnamed: [CSVColumn] = [.rowKind, .allDay, .flagged, .base]

  /// Whether records of a kind have what it stands for.
  func isOf(_ kind: Kind) -> Bool {
    switch self {
    case .kind, .id, .note, .tags, .base: true
    case .firstName, .lastName, .birthday, .leapRule, .lead, .birthYear, .birthMonth, .birthDay:
      kind == .birthday
    case .name: kind != .question
    case .title: [.todo, .list, .question].contains(kind)
    case .list: kind == .list || kind == .todo
    case .colour: kind == .list
    case .question: kind == .question || kind == .choice
    case .choice, .weight: kind == .choice
    default: kind == .todo
    }
  }

  /// As it is called where a user says what a column stands for: `completedAt`.
  var fieldName: String {
    let words = rawValue.split(separator: " ").map { $0.lowercased() }
    return words.dropFirst().reduce(words[0]) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }

  /// All that a user can say.
  static let fieldNames = allCases.filter { !unnamed.contains($0) }.map(\.fieldName)

  /// The field of a name, also under another header that means it.
  init?(fieldName: String) {
    guard let column = CSVColumn(header: fieldName), !Self.unnamed.contains(column) else {
      return nil
    }
    self = column
  }

  /// Reads a header of no known program, whatever its case and signs.
  init?(header: String) {
    guard let column = Self.names[Self.plain(header)] else { return nil }
    self = column
  }

  /// A header without what programs write in one way or another.
  static func plain(_ header: String) -> String {
    let header = FormulaGuard.unmarked(header) ?? header
    return header.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "%" }
  }

  private static let names: [String: CSVColumn] = {
    var names: [String: CSVColumn] = [:]
    for column in allCases where column == .base || !unnamed.contains(column) {
      names[plain(column.rawValue)] = column
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
    case .birthday:
      ["birthdate", "dateofbirth", "dob", "born", "geburtstag", "geburtsdatum", "bday"]
    case .lead: ["lead"]
    case .title:
      [
        "task", "todo", "summary", "subject", "content", "item", "taskname", "tasktitle",
        "cardname", "cardtitle", "aufgabe", "betreff", "titel",
      ]
    case .list: ["category", "project", "listname", "folder", "projectname"]
    case .done:
      ["completed", "complete", "iscomplete", "checked", "finished", "isdone", "erledigt"]
    case .completedAt:
      ["datecompleted", "completeddate", "completedon", "completiondate", "completedtime"]
    case .priority: ["prio", "importance", "prioritynum"]
    case .createdAt:
      ["created", "datecreated", "createddate", "added", "creationdate", "createdtime"]
    case .due: ["duedate", "dueon", "dueat", "deadline", "fällig", "fälligam", "fälligkeitsdatum"]
    case .position: ["order"]
    case .colour: ["color"]
    case .choice: ["option", "answer"]
    case .note: ["notes", "description", "comment", "comments", "body", "notizen"]
    case .tags: ["labels", "keywords", "label", "tag", "categories"]
    case .birthYear: ["birthyear", "birthdayyear", "geburtsjahr"]
    case .birthMonth: ["birthmonth", "birthdaymonth", "geburtsmonat"]
    case .birthDay: ["birthdayday"]
    case .status: ["state", "taskstatus", "progress", "stage"]
    case .percent: ["%complete", "percentcomplete", "%completed"]
    case .time: ["duetime"]
    case .start: ["startdate", "starts", "starton"]
    case .repetition: ["recurrence", "recurring", "rrule", "repeats"]
    case .reminder: ["reminder", "reminders"]
    case .cancelled: ["canceled", "iscancelled", "iscanceled"]
    case .parent: ["parentid", "parenttask", "parentitem"]
    default: []
    }
  }
}
