import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

enum ChangeCommands {
  static let all = [edit, done, undone, delete, restore, pick]

  private static let edit = CommandSpec(
    "edit", "Change fields of a record; an empty value clears one.", traits: .keepsReason,
    text("ID"),
    fields(),
    examples: [
      "daybook edit ada --birthdate 1815-12-10",
      "daybook edit eggos --due 2026-12-31 --priority low",
      "daybook edit eggos --list \"\"                # takes it off its list",
      "daybook edit eggos --tags home,shop         # or --tag home --tag shop",
      "daybook edit eggos --tags +gift             # adds a tag; --tags=-gift removes it",
    ]
  ) { context, words, fields in
    try EditRecord(context: context).run(words, fields)
  }

  private static let done = CommandSpec(
    "done", "Mark to-dos as done.", traits: .keepsReason, texts("ID", atLeast: 1),
    examples: [
      "daybook done eggos", "daybook done eggos k7 \"find mike\"",
    ]
  ) { context, words in
    try ChangeRecords(context: context).change(words, kind: .todo) { .setDone($0, true) }
  }

  private static let undone = CommandSpec(
    "undone", "Mark to-dos as open again.", traits: .keepsReason, texts("ID", atLeast: 1),
    examples: [
      "daybook undone eggos", "daybook undone eggos --because \"Mike ate them\"",
    ]
  ) { context, words in
    try ChangeRecords(context: context).change(words, kind: .todo) { .setDone($0, false) }
  }

  private static let delete = CommandSpec(
    "delete", "Delete records; restore and undo bring them back, with their contents.",
    traits: .keepsReason,
    texts("ID", atLeast: 1),
    flag("if-empty", "Refuse if the list has to-dos or the question has choices."),
    flag("keep-todos", "Keep the to-dos of the list; they then belong to no list."),
    examples: [
      "daybook delete eggos", "daybook rm k7", "daybook delete shopping --keep-todos",
      "daybook delete lunch --if-empty",
    ]
  ) { context, words, ifEmpty, keepsTodos in
    if ifEmpty, keepsTodos { throw UsageFault.contradiction("--if-empty", "--keep-todos") }
    let rule: Command.ChildRule = ifEmpty ? .deny : keepsTodos ? .keep : .hide
    try ChangeRecords(context: context).delete(words, rule)
  }

  private static let restore = CommandSpec(
    "restore", "Restore deleted records.", traits: .keepsReason, texts("ID", atLeast: 1),
    examples: [
      "daybook restore k7", "daybook restore eggos lunch",
    ]
  ) { context, words in
    try ChangeRecords(context: context).change(words, among: .dead) { .restore($0) }
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

/// Changes fields of a record.
private struct EditRecord {
  let context: CommandContext

  func run(_ words: String, _ fields: [FieldWords]) throws {
    guard !fields.isEmpty else { throw ConsoleError.nothingToEdit(words) }
    let book = try context.book()
    let found = try book.finder.find(words)
    guard let kind = Schema.schema(of: found.kind) else {
      throw DaybookError.refused(.unknownKind(found.kind))
    }
    var assignments: [Request.Assignment] = []
    var seen: Set<String> = []
    let fields = fields.map { field in
      FieldWords(
        option: FieldOptions.otherNames[field.option] ?? field.option, words: field.words)
    }
    for option in fields.map(\.option) where seen.insert(option).inserted {
      let settable = FieldOptions.settable(of: kind)
      guard let field = settable.first(where: { $0.optionName == option }) else {
        let nearest = FieldOptions.meant(by: option, of: kind)
        throw ConsoleError.noSuchField(
          option: option, kind: kind.name, suggestion: nearest.map { "--\($0)" })
      }
      let values = fields.filter { $0.option == option }.map(\.words)
      let content =
        try field.field == .tags ? tagChange(values, of: found) : nil
      assignments.append(
        Request.Assignment(
          field.field, try content ?? context.reader.content(values, for: field, in: book)))
    }
    try ChangePresenter(context: context).tell(
      try context.perform(.edit(found.id, assignments), in: book), about: [found])
  }

  /// Applies words such as `+A` and `-B` to the tags of a record; returns nil if no word begins with a sign.
  private func tagChange(
    _ values: [String], of found: Found
  ) throws -> Request.Assignment.Content? {
    let words = context.reader.texts(values)
    let changes = words.filter { $0.count > 1 && ($0.hasPrefix("+") || $0.hasPrefix("-")) }
    guard !changes.isEmpty else { return nil }
    guard changes.count == words.count else {
      throw ConsoleError.badValue(
        "the tags", words.joined(separator: ","),
        "List all tags, as in a,b, or only changes, as in +a,-b.")
    }
    var tags = try context.presentSnapshot().document(withID: found.id, called: found.title).texts(
      .tags)
    for change in changes {
      let tag = String(change.dropFirst())
      tags.removeAll { $0 == tag }
      if change.hasPrefix("+") { tags.append(tag) }
    }
    return .value(.texts(tags))
  }
}

/// Applies one change to several records.
private struct ChangeRecords {
  let context: CommandContext

  func change(
    _ words: [String], kind: Kind? = nil, among: RecordFinder.Among = .live,
    _ request: ([UniqueID]) -> Request
  ) throws {
    let book = try context.book()
    let found = try words.map { try context.find($0, kind: kind, among: among) }
    try ChangePresenter(context: context).tell(
      try context.perform(request(found.map(\.id)), in: book), about: found)
  }

  func delete(_ words: [String], _ rule: Command.ChildRule) throws {
    let book = try context.book()
    let found = try words.map { try context.find($0, kind: nil, among: .removable) }
    try ChangePresenter(context: context).tell(
      try context.perform(.delete(found.map(\.id), children: rule), in: book))
  }
}
