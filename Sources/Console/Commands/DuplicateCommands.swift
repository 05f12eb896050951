import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

enum DuplicateCommands {
  static let all = [duplicates, merge]

  private static let duplicates = CommandSpec(
    "duplicates", "List birthdays, lists and open to-dos that look like duplicates.",
    reading: .past,
    examples: [
      "daybook duplicates", "daybook duplicates --json",
    ]
  ) { context in
    let snapshot = try context.snapshot()
    let queries = snapshot.model.duplicates
    let pairs = try queries.duplicates() + queries.todosAlike()
    if context.output.isJSON {
      return context.output.answer(
        .array(try pairs.map { try DuplicatePresenter(context: context).json($0, snapshot) }))
    }
    if pairs.isEmpty { return context.output.say("No duplicates found.") }
    context.output.answer(try DuplicatePresenter(context: context).lines(of: pairs, snapshot))
  }

  private static let merge = CommandSpec(
    "merge",
    "Merge two records of the same kind into one, with the values of the first where they differ; "
      + "'undo' separates them.", text("ID"), text("ID"),
    flag("keep-both", "Keep both values where the records differ, as conflicts to settle."),
    examples: [
      "daybook merge k7 m2", "daybook merge \"Ada Lovelace\" m2 --keep-both",
    ]
  ) { context, first, second, keepsBoth in
    try MergeRecords(context: context).run(first, second, keepsBoth: keepsBoth)
  }
}

private struct MergeRecords {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ first: String, _ second: String, keepsBoth: Bool) throws {
    let book = try context.book()
    let (firstID, secondID) = (try book.finder.find(first).id, try book.finder.find(second).id)
    let before = (first: try shown(firstID), second: try shown(secondID))
    let due = try before.first.flatMap(dueWords)
    var performed = try book.commands.perform(.merge(firstID, secondID, keepsBoth: keepsBoth))
    let edits = performed.changes.filter { $0.verb == .edit }
    // The values that one record took from the other are part of the merge.
    if !output.isJSON { performed.changes.removeAll { $0.verb == .edit } }
    try ChangePresenter(context: context).tell(performed)
    tellValuesOfFirst(edits)
    if let first = before.first, let second = before.second, let joined = try shown(firstID) {
      let taken = FieldSchema.taken(by: joined, of: second, since: first)
      let isNewer = try creation(of: joined) != creation(of: first)
      tellFields(taken.map(\.optionName) + (isNewer ? ["created-at"] : []))
      if let words = try dueWords(of: joined), words != due,
        !taken.contains(where: { $0.field == Field.Todo.due })
      {
        tell("the merged record is now due \(words).")
      }
    }
    guard let document = performed.changes.first?.document, !output.isJSON else { return }
    let conflicts = try book.conflictReader.conflicts(of: [document.key])
    guard !conflicts.isEmpty else { return }
    output.say("The two records differ; settle these conflicts:")
    let presenter = ConflictPresenter(context: context)
    for line in try presenter.lines(of: conflicts, try context.presentSnapshot()) {
      output.say(line)
    }
  }
}

extension MergeRecords {
  /// Names the fields in which the values of the second record are no longer shown.
  private func tellValuesOfFirst(_ edits: [Performed.Change]) {
    guard let kind = edits.first?.document.kind, let schema = Schema.schema(of: kind) else {
      return
    }
    // The joined record has the foreign properties of both records.
    let fields = Set(edits.flatMap(\.fields)).subtracting([.extra])
    let names = schema.fields.filter { fields.contains($0.field) }.map(\.optionName)
    guard !names.isEmpty else { return }
    output.say(
      "Where the two records differed, the merged record has the values of the first: \(names.joined(separator: ", "))."
    )
  }
}

extension MergeRecords {
  /// Names the fields that now have the values of the second record, such as *done*.
  private func tellFields(_ names: [String]) {
    guard !names.isEmpty else { return }
    let fields = names.joined(separator: ", ")
    tell("the merged record takes values from the second in these fields: \(fields).")
  }

  private func tell(_ sentence: String) {
    if output.isJSON {
      output.note(sentence)
    } else {
      output.say(sentence.prefix(1).uppercased() + sentence.dropFirst())
    }
  }

  /// When a to-do was created, as it is shown; nil for other records.
  private func creation(of document: Document) throws -> String? {
    guard let field = Schema.field(Field.Todo.createdAt, of: document.kind) else { return nil }
    return try context.presentSnapshot().words(document.value(field.field), of: field)
  }

  /// When a to-do is due; nil if it has no due date, and for other records.
  private func dueWords(of document: Document) throws -> String? {
    guard document.kind == .todo else { return nil }
    let todo = try ShownTodo(document, in: try context.presentSnapshot().model)
    return DueReceipt(context: context).words(of: todo)
  }

  /// Returns the record with the given id as it is now, with the records that it refers to.
  private func shown(_ id: UniqueID) throws -> Document? {
    let snapshot = try context.presentSnapshot()
    return try snapshot.model.documents.document(id: id).flatMap { try snapshot.document($0.key) }
  }
}

/// Shows pairs of records that look alike.
struct DuplicatePresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Points out received records that look like others.
  func tell(_ pairs: [DuplicatePair]) {
    guard !pairs.isEmpty else { return }
    let records =
      pairs.count == 1
      ? "1 record looks like a duplicate" : "\(pairs.count) records look like duplicates"
    output.say(
      "\(records); 'daybook duplicates' shows how to merge duplicates.")
  }

  func lines(of pairs: [DuplicatePair], _ snapshot: Snapshot) throws -> [String] {
    let ids = try snapshot.shortIDs(pairs.flatMap { [$0.firstID, $0.secondID] })
    let keys = pairs.flatMap { [$0.first, $0.second] }
    let documents = try snapshot.documents(keys)
    let names = Dictionary(documents.map { ($0.key, $0.nameWithDate.visible) }) { name, _ in name }
    return Table.lines(
      pairs.map { pair in
        let (first, second) = (ids[pair.firstID] ?? "", ids[pair.secondID] ?? "")
        return [
          pair.kind.name, first, names[pair.first] ?? "", second, names[pair.second] ?? "",
          context.invocation.moment == nil ? "daybook merge \(first) \(second)" : "",
        ]
      })
  }

  func json(_ pair: DuplicatePair, _ snapshot: Snapshot) throws -> JSON {
    let records = try snapshot.documents([pair.first, pair.second]).map(snapshot.json)
    return .object(("kind", .string(pair.kind.name)), ("records", .array(records)))
  }
}

extension Document {
  /// The title, followed by the date if the record is a birthday.
  fileprivate var nameWithDate: String {
    let date = kind == .birthday ? value(Field.Birthday.birthdate).date?.iso : nil
    return ([title] + [date].compactMap(\.self)).joined(separator: " ")
  }
}
