import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

enum ChangeCommands {
  static let all = [edit, done, undone, cancel, delete, restore, pick]

  private static let edit = CommandSpec(
    "edit", "Change fields of records; an empty value clears one.", traits: .keepsReason,
    records(), fields(),
    examples: [
      "daybook edit ada --birthdate 1815-12-10",
      "daybook edit eggos --due 2026-12-31 --priority low",
      "daybook edit eggos --start -2w              # hides it until two weeks before it is due",
      "daybook edit eggos --due \"fri 17:00\" --remind 1d,2h",
      "daybook edit eggos --list \"\"                # takes it off its list",
      "daybook edit eggos --tag gift --untag shop  # adds a tag and removes one",
      "daybook edit eggos mike +gift -home         # the same, of several records",
      "daybook edit eggos --tags home,shop         # these and no others",
      "daybook edit --list Home --overdue set --due tomorrow +late",
    ]
  ) { context, wish, fields in
    try EditRecords(context: context).run(wish, fields)
  }

  private static let done = CommandSpec(
    "done", "Mark to-dos as done.", traits: .keepsReason, records(),
    flag("only", "Leave their sub-tasks as they are."),
    examples: [
      "daybook done eggos", "daybook done passport --only", "daybook done eggos k7 \"find mike\"",
      "daybook done --list Home --due ..today",
    ]
  ) { context, wish, isOnly in
    var change = RecordChange("Mark", "Marked", " as done", selecting: .open) {
      .setDone($0, true, alone: isOnly)
    }
    change.subtasks = isOnly ? .left : .open
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let undone = CommandSpec(
    "undone", "Open to-dos again that are done or cancelled.", traits: .keepsReason, records(),
    examples: [
      "daybook undone eggos", "daybook undone eggos --because \"Mike ate them\"",
      "daybook undone --tag weekly",
    ]
  ) { context, wish in
    try ChangeRecords(context: context).run(
      wish,
      RecordChange("Mark", "Marked", " as open again", selecting: .done) { .setDone($0, false) })
  }

  private static let cancel = CommandSpec(
    "cancel", "Close to-dos without marking them as done; undone opens them again.",
    traits: .keepsReason, records(), flag("only", "Leave their sub-tasks as they are."),
    examples: [
      "daybook cancel eggos", "daybook cancel eggos k7 --because \"The shop has closed\"",
      "daybook cancel --list Trip --overdue",
    ]
  ) { context, wish, isOnly in
    var change = RecordChange("Cancel", "Cancelled", selecting: .open) {
      .cancel($0, alone: isOnly)
    }
    change.subtasks = isOnly ? .left : .open
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let delete = CommandSpec(
    "delete", "Delete records; restore and undo bring them back, with their contents.",
    traits: .keepsReason, records(),
    flag("if-empty", "Refuse if the list has to-dos or the question has choices."),
    flag("keep-todos", "Keep the to-dos of the list; they then belong to no list."),
    flag("only", "Leave the sub-tasks of to-dos; they are then no longer sub-tasks."),
    examples: [
      "daybook delete eggos", "daybook rm k7", "daybook delete shopping --keep-todos",
      "daybook delete lunch --if-empty", "daybook delete --list Shopping --done",
    ]
  ) { context, wish, ifEmpty, keepsTodos, isOnly in
    if ifEmpty, keepsTodos { throw UsageFault.contradiction("--if-empty", "--keep-todos") }
    // These options are about a list itself, and a filter selects its to-dos.
    if ifEmpty || keepsTodos, let option = wish.todos.options.first {
      throw UsageFault.contradiction(ifEmpty ? "--if-empty" : "--keep-todos", option)
    }
    let rule: Command.ChildRule = ifEmpty ? .deny : keepsTodos ? .keep : .hide
    var change = RecordChange("Delete", "Deleted", selecting: .listed) {
      .delete($0, children: rule, alone: isOnly)
    }
    change.subtasks = isOnly ? .left : .all
    (change.kind, change.among) = (nil, .removable)
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let restore = CommandSpec(
    "restore", "Restore deleted records.", traits: .keepsReason, records(),
    examples: [
      "daybook restore k7", "daybook restore eggos lunch", "daybook restore --list Shopping",
    ]
  ) { context, wish in
    var change = RecordChange("Restore", "Restored", selecting: .deleted) { .restore($0) }
    (change.kind, change.among) = (nil, .dead)
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let pick = CommandSpec(
    "pick", "Draw a choice of a question, in proportion to the weights.", traits: .keepsReason,
    optionalText("QUESTION"),
    option(
      "replay", "ID", "Show how a pick was drawn; for a question, its latest pick.", onlyShows: true
    ),
    examples: ["daybook pick lunch", "daybook pick --replay lunch"]
  ) { context, words, replayed in
    let usage = "pick QUESTION | --replay ID"
    if let replayed {
      if let words { throw ConsoleError.usage(.extraOperand(words, usage: usage)) }
      return try ReplayPick(context: context).run(replayed)
    }
    guard let words else { throw ConsoleError.usage(.missingOperand("QUESTION", usage: usage)) }
    let book = try context.book()
    let question = try context.find(words, kind: .question).id
    try ChangePresenter(context: context).tell(try context.perform(.pick(question), in: book))
  }
}

/// Changes fields of records.
private struct EditRecords {
  let context: CommandContext

  func run(_ wish: RecordWish, _ fields: [FieldWords]) throws {
    let runner = ChangeRecords(context: context)
    guard let first = wish.words.first else {
      if fields.isEmpty {
        throw UsageFault.missingOperand(
          "--FIELD VALUE after 'set'", usage: context.invocation.arguments.usage)
      }
      let assignments = try assignments(fields, to: .todo)
      let words = try words(of: assignments, fields)
      return try runner.changeSelected(wish, .listed) { _ in
        RecordChange("Edit", "Edited", words) { ids, _ in .editEach(ids.map { ($0, assignments) }) }
      }
    }
    guard !fields.isEmpty else { throw ConsoleError.nothingToEdit(first) }
    let found = try runner.found(wish.words, nil)
    var assignments: [UniqueID: [Request.Assignment]] = [:]
    for (kind, found) in Dictionary(grouping: found, by: \.kind).sorted(by: { $0.key < $1.key }) {
      let same = try self.assignments(fields, to: kind)
      for found in found { assignments[found.id] = same }
    }
    let change = RecordChange("Edit", "Edited") { ids, _ in
      .editEach(ids.map { ($0, assignments[$0] ?? []) })
    }
    try runner.change(found, wish, change)
  }

  /// Returns the values of fields for records of one kind.
  private func assignments(
    _ fields: [FieldWords], to kind: Kind
  ) throws -> [Request.Assignment] {
    guard let schema = Schema.schema(of: kind) else {
      throw DaybookError.refused(.unknownKind(kind))
    }
    let book = try context.book()
    let settable = FieldOptions.settable(of: schema)
    var assignments: [Request.Assignment] = []
    var seen: Set<String> = []
    let (changes, fields) = try tagChanges(fields)
    for option in fields.map(\.option) where seen.insert(option).inserted {
      guard let field = settable.first(where: { $0.optionName == option }) else {
        let nearest = FieldOptions.meant(by: option, of: schema)
        throw ConsoleError.noSuchField(
          option: option, kind: schema.name, suggestion: nearest.map { "--\($0)" })
      }
      let values = fields.filter { $0.option == option }.map(\.words)
      if field.field == Field.Todo.start, kind == .todo {
        assignments.append(Request.Assignment(field.field, try start(values)))
      } else {
        assignments += try context.reader.assignments(values, for: field, in: book)
      }
    }
    try DueOptions.refuseTwoTimes(assignments, kind)
    return assignments + changes.removed.map(Request.Assignment.untag)
      + changes.added.map(Request.Assignment.tag)
  }

  /// Reads the start of to-dos, which may count back from the due date that each has or gets.
  private func start(_ values: [String]) throws -> Request.Assignment.Content {
    let words = values.last ?? ""
    if let days = try context.reader.daysBeforeDue(words) { return .daysBeforeDue(days) }
    return .value(try context.reader.start(words, due: nil).map(Value.date) ?? .null)
  }

  /// Takes the options that add and remove tags out of the options of all fields.
  ///
  /// `--tag A` adds a tag and `--untag A` removes one, and so do the words `+A` and `-A` after `--tag` or `--tags`. A tag
  /// that is both added and removed is added.
  private func tagChanges(
    _ fields: [FieldWords]
  ) throws -> (changes: (removed: [String], added: [String]), others: [FieldWords]) {
    func texts(_ option: String) -> [String] {
      context.reader.texts(fields.filter { $0.option == option }.map(\.words))
    }
    func isSigned(_ word: String) -> Bool { word.count > 1 && ["+", "-"].contains(word.first) }
    var words = texts("tag")
    var others = fields.filter { !FieldOptions.ofSingleTags.contains($0.option) }
    let all = texts("tags")
    if all.contains(where: isSigned) {
      guard all.allSatisfy(isSigned) else {
        throw ConsoleError.badValue(
          "the tags", all.joined(separator: ","),
          "List all tags, as in a,b, or only changes, as in +a,-b.")
      }
      words += all
      others.removeAll { $0.option == "tags" }
    }
    let isRemoval = { (word: String) in isSigned(word) && word.hasPrefix("-") }
    let removed = texts("untag") + words.filter(isRemoval).map { String($0.dropFirst()).trimmed }
    let added = words.filter { !isRemoval($0) }.map { word in
      isSigned(word) ? String(word.dropFirst()).trimmed : word
    }
    return ((removed, added), others)
  }

  /// Returns new values of to-dos in words, to follow their number.
  private func words(
    of assignments: [Request.Assignment], _ fields: [FieldWords]
  ) throws -> String {
    let snapshot = try context.presentSnapshot()
    let tags = try tagChanges(fields).changes
    let parts = try assignments.filter { !$0.field.isTag }.map { assignment in
      guard let field = Schema.field(assignment.field, of: .todo) else { return "" }
      let words: String =
        switch assignment.content {
        case .value(let value):
          try field.type == .date
            ? value.date?.dueWords(from: context.today) ?? "none" : snapshot.words(value, of: field)
        case .record(let id):
          try snapshot.document(withID: id, called: field.optionName).title.visible
        case .daysBeforeDue(let days): "\(days) \(days == 1 ? "day" : "days") before it is due"
        }
      return "\(field.optionName) \(words)"
    }
    let signed = tags.removed.map { "-\($0.visible)" } + tags.added.map { "+\($0.visible)" }
    return ": " + (parts + signed).joined(separator: ", ")
  }
}
