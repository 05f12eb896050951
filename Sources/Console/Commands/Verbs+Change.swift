import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

extension Verb {
  static let changing = [edit, done, undone, delete, restore, pick]

  private static let edit = Verb(
    "edit", "Change fields of a record; an empty value clears one.", keepsReason: true, text("ID"),
    fields(),
    examples: [
      "daybook edit ada --birthdate 1815-12-10",
      "daybook edit eggos --due 2026-12-31 --priority low",
      "daybook edit eggos --list \"\"                # takes it off its list",
      "daybook edit eggos --tags home,shop         # or --tag home --tag shop",
      "daybook edit eggos --tags +gift             # beside those it has; --tags=-gift takes it away",
    ]
  ) { context, words, fields in
    try context.edit(words, fields)
  }

  private static let done = Verb(
    "done", "Mark to-dos as done.", keepsReason: true, texts("ID", atLeast: 1),
    examples: [
      "daybook done eggos", "daybook done eggos k7 \"find mike\"",
    ]
  ) { context, words in
    try context.change(words, kind: .todo) { .setDone($0, true) }
  }

  private static let undone = Verb(
    "undone", "Mark to-dos as open again.", keepsReason: true, texts("ID", atLeast: 1),
    examples: [
      "daybook undone eggos", "daybook undone eggos --because \"Mike ate them\"",
    ]
  ) { context, words in
    try context.change(words, kind: .todo) { .setDone($0, false) }
  }

  private static let delete = Verb(
    "delete", "Delete records; restore and undo bring them back, with what was in them.",
    keepsReason: true,
    texts("ID", atLeast: 1),
    flag("if-empty", "Refuse while the list has to-dos or the question choices."),
    flag("keep-todos", "Keep the to-dos of a list, without a list."),
    examples: [
      "daybook delete eggos", "daybook rm k7", "daybook delete shopping --keep-todos",
      "daybook delete lunch --if-empty",
    ]
  ) { context, words, ifEmpty, keepsTodos in
    if ifEmpty, keepsTodos { throw UsageFault.contradiction("--if-empty", "--keep-todos") }
    let rule: Command.ChildRule = ifEmpty ? .deny : keepsTodos ? .keep : .hide
    try context.delete(words, rule)
  }

  private static let restore = Verb(
    "restore", "Bring deleted records back.", keepsReason: true, texts("ID", atLeast: 1),
    examples: [
      "daybook restore k7", "daybook restore eggos lunch",
    ]
  ) { context, words in
    try context.change(words, among: .dead) { .restore($0) }
  }

  private static let pick = Verb(
    "pick", "Draw one choice of a question, by the weights.", keepsReason: true,
    optionalText("QUESTION"),
    option("replay", "ID", "Show how a pick came about; of a question, the latest."),
    examples: ["daybook pick lunch", "daybook pick --replay lunch"]
  ) { context, words, replayed in
    let usage = "pick QUESTION | --replay ID"
    if let replayed {
      if let words { throw ConsoleError.usage(.extraOperand(words, usage: usage)) }
      return try context.replay(replayed)
    }
    guard let words else { throw ConsoleError.usage(.missingOperand("QUESTION", usage: usage)) }
    let book = try context.book()
    let question = try context.find(words, kind: .question).id
    try context.tell(try context.perform(.pick(question), in: book))
  }
}

extension Context {
  /// The record that words name, which must be of a kind if one is given.
  func find(
    _ words: String, kind: Kind?, among: Book.Among = .live
  ) throws -> Found {
    let book = try book()
    do throws(DaybookError) {
      return try book.find(words, kind: kind, among: among)
    } catch .unknown(let words, .some(let kind)) {
      guard let other = try ofAnyKind(words, in: book) else {
        throw DaybookError.unknown(words, kind: kind)
      }
      throw ConsoleError.wrongKind(words, expected: kind.noun, found: other.kind.noun)
    } catch {
      throw error
    }
  }

  /// The one live record that words name, if there is one.
  private func ofAnyKind(_ words: String, in book: Book) throws(DaybookError) -> Found? {
    do throws(DaybookError) {
      return try book.find(words)
    } catch {
      switch error {
      case .unknown, .erased, .ambiguous, .gone, .hidden: return nil
      default: throw error
      }
    }
  }

  fileprivate func change(
    _ words: [String], kind: Kind? = nil, among: Book.Among = .live,
    _ request: ([UniqueID]) -> Request
  ) throws {
    let book = try book()
    let found = try words.map { try find($0, kind: kind, among: among) }
    try tell(try perform(request(found.map(\.id)), in: book), about: found)
  }

  fileprivate func delete(_ words: [String], _ rule: Command.ChildRule) throws {
    let book = try book()
    let found = try words.map { try find($0, kind: nil, among: .removable) }
    try tell(try perform(.delete(found.map(\.id), children: rule), in: book))
  }

  /// What is shown with each of some records.
  func children(of found: [Found], in book: Book) throws -> [UniqueID: Children] {
    let model = try book.view()
    var children: [UniqueID: Children] = [:]
    for record in found {
      guard let key = try model.document(id: record.id)?.key else { continue }
      children[record.id] = try Children(of: key, record.kind, in: model)
    }
    return children
  }

  fileprivate func edit(_ words: String, _ fields: [FieldWords]) throws {
    guard !fields.isEmpty else { throw ConsoleError.nothingToEdit }
    let book = try book()
    let found = try book.find(words)
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
          field.field, try content ?? self.content(values, for: field, in: book)))
    }
    try tell(try perform(.edit(found.id, assignments), in: book), about: [found])
  }

  /// The tags of a record with some more and some less, where each word says which; nil where all are said.
  private func tagChange(
    _ values: [String], of found: Found
  ) throws -> Request.Assignment.Content? {
    let words = texts(values)
    let changes = words.filter { $0.count > 1 && ($0.hasPrefix("+") || $0.hasPrefix("-")) }
    guard !changes.isEmpty else { return nil }
    guard changes.count == words.count else {
      throw ConsoleError.badValue(
        "the tags", words.joined(separator: ","),
        "Say all of them, as a,b, or only what is added and taken away, as +a,-b.")
    }
    var tags = try presentSnapshot().document(withID: found.id, called: found.title).texts(.tags)
    for change in changes {
      let tag = String(change.dropFirst())
      tags.removeAll { $0 == tag }
      if change.hasPrefix("+") { tags.append(tag) }
    }
    return .value(.texts(tags))
  }
}
