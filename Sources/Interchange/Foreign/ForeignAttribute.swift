/// The meaning of an attribute of an object in another program, and the names of this attribute.
///
/// Programs of one kind are similar, but each chooses its own names.
enum ForeignAttribute: CaseIterable {
  case title, done, created, completed, priority, due, note, parent, colour
  case firstName, lastName, birthdate
  case question, weight
  /// The id that a program assigns to its object.
  ///
  /// The id is kept, but not reported to the user.
  case ownID

  /// The maximum number of bytes kept for an attribute without a meaning here.
  static let keptBytes = 4096

  /// Finds the attribute with the given name.
  ///
  /// Only letters are compared, ignoring case.
  init?(_ name: String) {
    guard let attribute = Self.byName[name.lowercased().filter(\.isLetter)] else { return nil }
    self = attribute
  }

  private static let byName: [String: ForeignAttribute] = {
    var names: [String: ForeignAttribute] = [:]
    for attribute in allCases { for name in attribute.names { names[name] = attribute } }
    return names
  }()

  /// The names, in lowercase and with only their letters.
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
