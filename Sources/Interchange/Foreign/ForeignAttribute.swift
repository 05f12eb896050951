/// What an attribute of a program's own object stands for, and the names it goes by.
///
/// Programs of one kind are written after one another, and each calls things as it likes.
enum ForeignAttribute: CaseIterable {
  case title, done, created, completed, priority, due, note, parent, colour
  case firstName, lastName, birthdate
  case question, weight
  /// What the program calls its object; kept, and of no use to a reader.
  case ownID

  /// The most of an attribute without a meaning that is kept with its record.
  static let keptBytes = 4096

  /// Reads a name, whatever its case and signs.
  init?(_ name: String) {
    guard let attribute = Self.byName[name.lowercased().filter(\.isLetter)] else { return nil }
    self = attribute
  }

  private static let byName: [String: ForeignAttribute] = {
    var names: [String: ForeignAttribute] = [:]
    for attribute in allCases { for name in attribute.names { names[name] = attribute } }
    return names
  }()

  /// In small letters without signs.
  private var names: [String] {
    switch self {
    case .title: ["title", "name", "text", "content", "task", "summary"]
    case .done:
      [
        "done", "isdone", "complete", "iscomplete", "completed", "iscompleted", "checked",
        "ischecked",
      ]
    case .created:
      [
        "createdat", "datecreated", "creationdate", "createddate", "created", "timestamp",
        "dateadded",
      ]
    case .completed: ["completedat", "datecompleted", "completiondate"]
    case .priority: ["prioritynum", "priority", "prioritynumber"]
    case .due: ["due", "duedate", "deadline"]
    case .note: ["note", "notes", "details"]
    case .parent: ["parentcategory", "category", "parentlist", "list", "todolist", "parent"]
    case .colour: ["colour", "color", "hexcolour", "hexcolor", "colourhex", "colorhex"]
    case .firstName: ["firstname", "givenname", "forename"]
    case .lastName: ["lastname", "familyname", "surname"]
    case .birthdate: ["birthdate", "birthdaydate", "birthday", "dateofbirth", "date"]
    case .question: ["question", "parentquestion"]
    case .weight: ["weight"]
    case .ownID: ["id", "uuid", "uid", "identifier", "birthdayid", "itemid", "todoid", "taskid"]
    }
  }
}
