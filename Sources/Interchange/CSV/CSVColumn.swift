internal import Domain

/// The meaning of a column of a table.
///
/// The raw values are the headers that daybook writes. In `--map`, the field names are written as one word.
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
  case time = "Time"
  case zone = "Time zone"
  case start = "Start"
  case reminder = "Remind"
  case cancelled = "Cancelled"
  case repetition = "Repeat"
  case until = "Until"
  /// The due date of the first slot of a series; ``due`` contains the due date of the current slot.
  case firstDue = "First due"
  /// The slot that a series or one of its sub-tasks shows.
  case slot = "Slot"
  /// The stored data about other slots, as a list of ``StoredSlot``.
  case occurrences = "Occurrences"
  case parent = "Parent"
  case position = "Position"
  case colour = "Colour"
  case question = "Question"
  case choice = "Choice"
  case weight = "Weight"
  case note = "Note"
  case tags = "Tags"
  /// The digests of the record when daybook wrote the row, and the tag of the book.
  case base = "Daybook base"

  // Other programs use these columns for values that daybook writes in the columns above.
  case birthYear = "Year of birth"
  case birthMonth = "Month of birth"
  /// The day of birth; next to a month, ``birthday`` may also contain only the day, because headers do not distinguish
  /// *Birth day* from *Birthday*.
  case birthDay = "Day of birth"
  /// The state in any wording, such as *In progress*.
  case status = "Status"
  case percent = "Percent"
  /// A section of a list, which becomes a tag.
  case section = "Section"
  /// Whether the to-do has a tag with the column's name.
  case flagged = "Flagged"
  /// Whether the due time stands for the whole day.
  case allDay = "All day"
  /// The type of a row, as its program names it.
  case rowKind = "Row kind"
}

extension CSVColumn {
  /// The columns that daybook writes.
  static let written = Array(allCases.prefix { $0 != .birthYear })

  /// Whether earlier versions of daybook kept cells from other programs under this header; if so, the header may occur
  /// twice in a table.
  var isYoung: Bool {
    let young: [CSVColumn] = [
      .time, .zone, .start, .reminder, .cancelled, .parent, .repetition, .until, .firstDue, .slot,
      .occurrences,
    ]
    return young.contains(self)
  }

  /// The columns that a user cannot name, because only known programs have them or only daybook writes them.
  private static let unnamed: [CSVColumn] = [
    .rowKind, .allDay, .flagged, .base, .until, .firstDue, .slot, .occurrences,
  ]

  /// Returns whether records of a kind use the column.
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

  /// The name by which a user selects the meaning, such as `completedAt`.
  var fieldName: String {
    let words = rawValue.split(separator: " ").map { $0.lowercased() }
    return words.dropFirst().reduce(words[0]) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }

  /// The names of all meanings that a user can select.
  static let fieldNames = allCases.filter { !unnamed.contains($0) }.map(\.fieldName)

  /// Finds the meaning by a field name or another header.
  init?(fieldName: String) {
    guard let column = CSVColumn(header: fieldName), !Self.unnamed.contains(column) else {
      return nil
    }
    self = column
  }

  /// Finds the meaning of a header from an unknown program, ignoring case and punctuation.
  init?(header: String) {
    guard let column = Self.names[Self.plain(header)] else { return nil }
    self = column
  }

  /// Returns a header in lowercase and without punctuation, for comparison.
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
        "cardname", "cardtitle", "aufgabe", "betreff", "titel", "标题", "任务",
      ]
    case .list:
      [
        "category", "project", "listname", "folder", "projectname", "liste", "listenname",
        "projekt", "kategorie", "ordner", "清单", "列表",
      ]
    case .done:
      [
        "completed", "complete", "iscomplete", "checked", "finished", "isdone", "erledigt",
        "fertig", "完成",
      ]
    case .completedAt:
      [
        "datecompleted", "completeddate", "completedon", "completiondate", "completedtime",
        "erledigtam", "abgeschlossenam", "完成时间",
      ]
    case .priority: ["prio", "importance", "prioritynum", "priorität", "wichtigkeit", "优先级"]
    case .createdAt:
      [
        "created", "datecreated", "createddate", "added", "creationdate", "createdtime", "erstellt",
        "erstelltam", "angelegt", "创建时间",
      ]
    case .due:
      [
        "duedate", "dueon", "dueat", "deadline", "fällig", "fälligam", "fälligkeitsdatum",
        "fälligkeit", "frist", "截止日期", "到期日",
      ]
    case .position: ["order"]
    case .colour: ["color", "farbe", "颜色"]
    case .choice: ["option", "answer"]
    case .note:
      [
        "notes", "description", "comment", "comments", "body", "notizen", "notiz", "beschreibung",
        "anmerkung", "anmerkungen", "kommentar", "备注",
      ]
    case .tags:
      [
        "labels", "keywords", "label", "tag", "categories", "schlagwörter", "schlagworte",
        "stichwörter", "etiketten", "标签",
      ]
    case .birthYear: ["birthyear", "birthdayyear", "geburtsjahr"]
    case .birthMonth: ["birthmonth", "birthdaymonth", "geburtsmonat"]
    case .birthDay: ["birthdayday"]
    case .status: ["state", "taskstatus", "progress", "stage"]
    case .percent: ["%complete", "percentcomplete", "%completed"]
    case .time: ["duetime", "uhrzeit"]
    case .zone: ["timezone", "duezone", "zeitzone"]
    case .start: ["startdate", "starts", "starton", "beginn", "startdatum", "开始日期"]
    case .repetition: ["recurrence", "recurring", "rrule", "repeats", "wiederholung"]
    case .reminder: ["reminder", "reminders", "erinnerung", "erinnerungen"]
    case .cancelled: ["canceled", "iscancelled", "iscanceled", "abgebrochen"]
    case .parent: ["parentid", "parenttask", "parentitem", "übergeordneteaufgabe"]
    default: []
    }
  }
}
