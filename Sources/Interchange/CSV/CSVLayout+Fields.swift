internal import Domain

extension CSVLayout {
  /// Returns the fields of the given kind that no column contains; a record may have them even if the table does not.
  ///
  /// The set is empty for a known program. Its table is complete, and some of its columns contain several fields.
  func silentFields(of kind: Kind) -> Set<Field> {
    guard program == nil else { return [] }
    let fields = Set(Schema.schema(of: kind)?.fields.map(\.field) ?? [])
    var told = Set(columns.compactMap(\.meaning).flatMap { $0.fields(of: kind) })
    // daybook writes the time to a separate column.
    if isOwn, !has(.time) { told.remove(Field.Todo.dueTime) }
    return fields.subtracting(told)
  }
}

extension CSVColumn {
  /// Returns the fields of a kind that the cells of the column can contain.
  fileprivate func fields(of kind: Kind) -> [Field] {
    switch self {
    case .note: [.note]
    case .tags, .section, .flagged: [.tags]
    case .title, .name, .list, .question, .choice: names(of: kind)
    case .firstName: [Field.Birthday.firstName]
    case .lastName: [Field.Birthday.lastName]
    case .birthday, .birthYear, .birthMonth, .birthDay: [Field.Birthday.birthdate]
    case .leapRule: [Field.Birthday.leapRule]
    case .lead: [Field.Birthday.lead]
    case .status: [Field.Todo.done, Field.Todo.cancelled]
    case .done, .percent: [Field.Todo.done]
    case .completedAt: [Field.Todo.done, Field.Todo.completedAt]
    case .priority: [Field.Todo.priority]
    case .createdAt: [Field.Todo.createdAt]
    case .due: [Field.Todo.due, Field.Todo.dueTime]
    case .time: [Field.Todo.dueTime]
    case .zone: [Field.Todo.zone]
    case .start: [Field.Todo.start]
    case .reminder: [Field.Todo.remind]
    case .cancelled: [Field.Todo.cancelled]
    case .repetition: [Field.Todo.repeat, Field.Todo.until]
    case .until: [Field.Todo.until]
    case .firstDue: [Field.Todo.due]
    case .parent: [Field.Todo.parent]
    case .position: [Field.Todo.position]
    case .colour: [Field.List.colour]
    case .weight: [Field.Choice.weight]
    default: []
    }
  }

  /// Returns the fields that a column of names or titles represents in records of a kind.
  private func names(of kind: Kind) -> [Field] {
    switch (kind, self) {
    case (.birthday, _): [Field.Birthday.firstName, Field.Birthday.lastName]
    case (.todo, .list): [Field.Todo.list]
    case (.todo, _): [Field.Todo.title]
    case (.list, _): [Field.List.name]
    case (.question, _): [Field.Question.content]
    case (.choice, .question): [.owner]
    case (.choice, _): [Field.Choice.name]
    default: []
    }
  }
}
