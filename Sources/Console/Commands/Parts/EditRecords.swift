import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Changes fields of records.
struct EditRecords {
  let context: CommandContext
  /// The dates of repeating to-dos that the edits apply to.
  let scope: Request.EditScope

  func run(_ wish: RecordWish, _ fields: [FieldWords]) throws {
    guard let first = wish.words.first else { return try editSelected(wish, fields) }
    guard !fields.isEmpty else { throw ConsoleError.nothingToEdit(first) }
    let runner = ChangeRecords(context: context)
    let found = try runner.found(wish.words, nil)
    var edits: [UniqueID: [Request.Assignment]] = [:]
    var lostEnds: [UniqueID: String] = [:]
    var words = ""
    for (kind, found) in Dictionary(grouping: found, by: \.kind).sorted(by: { $0.key < $1.key }) {
      let (same, rule) = try values(fields, of: kind)
      if wish.isTrial, words.isEmpty { words = try self.words(of: same, fields, kind) }
      for found in found {
        if kind == .birthday { try requireName(of: found, after: same) }
        let row = rule == nil ? nil : try row(withID: found.id)
        edits[found.id] = try rule?.values(same, dueBefore: row?.due) ?? same
        lostEnds[found.id] = row?.endLost(by: edits[found.id] ?? [])
      }
    }
    try runner.change(found, wish, change(edits, lostEnds, words))
    if !wish.isTrial { try noteRules(of: found, edits) }
  }

  /// Changes the to-dos that options select.
  private func editSelected(_ wish: RecordWish, _ fields: [FieldWords]) throws {
    if fields.isEmpty {
      throw UsageFault.missingOperand(
        "--FIELD VALUE after 'set'", usage: context.invocation.arguments.usage)
    }
    let (same, rule) = try values(fields, of: .todo)
    let words = try words(of: same, fields, .todo)
    try ChangeRecords(context: context).changeSelected(wish, .listed) { rows in
      var edits: [UniqueID: [Request.Assignment]] = [:]
      for row in rows { edits[row.head.id] = try rule?.values(same, dueBefore: row.due) ?? same }
      let lostEnds = rows.compactMap { row in
        row.endLost(by: edits[row.head.id] ?? []).map { (row.head.id, $0) }
      }
      return change(edits, Dictionary(lostEnds) { end, _ in end }, words)
    }
  }

  /// Refuses an edit that leaves a birthday without a name, because birthdays without names look alike.
  private func requireName(of found: Found, after edits: [Request.Assignment]) throws {
    let parts = [Field.Birthday.firstName, Field.Birthday.lastName]
    let names = edits.filter { parts.contains($0.field) }
    guard !names.isEmpty else { return }
    let document = try context.presentSnapshot().document(withID: found.id, called: found.shortID)
    let isNamed = parts.contains { part in
      guard let edit = names.last(where: { $0.field == part }) else {
        return document.text(part)?.isSeen ?? false
      }
      guard case .value(.text(let text)) = edit.content else { return false }
      return text.isSeen
    }
    if !isNamed { throw ConsoleError.birthdayWithoutName }
  }

  private func change(
    _ edits: [UniqueID: [Request.Assignment]], _ lostEnds: [UniqueID: String], _ words: String
  ) -> RecordChange {
    var change = RecordChange("Edit", "Edited", words) { [scope] ids, _ in
      .editEach(ids.map { ($0, edits[$0] ?? []) }, scope: scope)
    }
    change.advises = scope == .automatic
    change.lostEnds = lostEnds
    return change
  }

  private func row(withID id: UniqueID) throws -> TodoRow? {
    let model = try context.book().view()
    return try model.documents.document(id: id).flatMap { try model.todos.todo($0.key) }
  }

  /// Notes that the rule of a series does not fall on its new date, so only the first date moves.
  private func noteRules(of found: [Found], _ edits: [UniqueID: [Request.Assignment]]) throws {
    guard scope == .series else { return }
    for found in found {
      guard let due = edits[found.id]?.dueDay, let row = try row(withID: found.id),
        let rule = row.rule.flatMap(RepeatRule.init(canonicalIfValid:)), !rule.canFall(on: due)
      else { continue }
      context.output.note(
        "the rule '\(rule.words(from: due))' has no date on \(due.dated), so only the first date moves. "
          + "--repeat changes the rule.")
    }
  }

  // MARK: Values

  /// Returns the values of fields for records of one kind, and how to-dos will repeat.
  private func values(
    _ fields: [FieldWords], of kind: Kind
  ) throws -> ([Request.Assignment], RepeatWish?) {
    guard kind == .todo else {
      if scope != .automatic {
        throw ConsoleError.noSuchField(
          option: scope == .series ? "series" : "this", kind: kind.name, suggestion: nil)
      }
      return (try assignments(fields, to: kind), nil)
    }
    let rules = fields.filter { $0.option == "repeat" }
    guard let rule = rules.last else { return (try assignments(fields, to: kind), nil) }
    if scope == .occurrence { throw UsageFault.contradiction("--this", "--repeat") }
    let others = fields.filter { $0.option != "repeat" }
    return (
      others.isEmpty ? [] : try assignments(others, to: kind),
      try RepeatWish(rule.words, context.reader)
    )
  }

  /// Returns the values of fields for records of one kind, except rules.
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

  /// Reads the start of to-dos, which may count back from the due date that each to-do has or gets.
  private func start(_ values: [String]) throws -> Request.Assignment.Content {
    let words = values.last ?? ""
    if let days = try FieldReader.daysBeforeDue(words) { return .daysBeforeDue(days) }
    return .value(try context.reader.start(words, due: nil).map(Value.date) ?? .null)
  }

  /// Separates the options that add and remove tags from the other options.
  ///
  /// `--tag A` adds a tag and `--untag A` removes a tag, and so do the words `+A` and `-A` after `--tag` or `--tags`. A
  /// tag that is both added and removed is added.
  private func tagChanges(
    _ fields: [FieldWords]
  ) throws -> (changes: (removed: [String], added: [String]), others: [FieldWords]) {
    func texts(_ option: String) -> [String] {
      context.reader.texts(fields.filter { $0.option == option }.map(\.words))
    }
    func isSigned(_ word: String) -> Bool { word.count > 1 && ["+", "-"].contains(word.first) }
    var words = texts("tag")
    var others = fields.filter { !FieldOptions.ofSingleTags.contains($0.option) }
    // As for every field, an empty value clears the tags.
    if fields.contains(where: { $0.option == "tag" && $0.words.trimmed.isEmpty }) {
      others.append(FieldWords(option: "tags", words: ""))
    }
    let all = texts("tags")
    if all.contains(where: isSigned) {
      guard all.allSatisfy(isSigned) else {
        throw ConsoleError.badValue(
          "the tags", all.joined(separator: ","),
          "List all tags, as in 'a,b', or only changes, as in '+a,-b'.")
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

  /// Returns the new values of records of one kind, as words to follow the number of records.
  private func words(
    of assignments: [Request.Assignment], _ fields: [FieldWords], _ kind: Kind
  ) throws -> String {
    let snapshot = try context.presentSnapshot()
    let tags = try tagChanges(fields).changes
    let parts = try assignments.filter { !$0.field.isTag }.map { assignment in
      guard let field = Schema.field(assignment.field, of: kind) else { return "" }
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
    let rules = fields.filter { $0.option == "repeat" }.map { "repeat \($0.words.visible)" }
    let signed = tags.removed.map { "-\($0.visible)" } + tags.added.map { "+\($0.visible)" }
    return ": " + (parts + rules + signed).joined(separator: ", ")
  }
}

extension TodoRow {
  /// Returns the end that the series loses because it gets a rule without an end: `on Fri 2027-12-31`, `after 5 times`.
  ///
  /// - Returns: nil if the series has no end, or gets a new one.
  fileprivate func endLost(by edits: [Request.Assignment]) -> String? {
    func value(of field: Field) -> Value? {
      guard case .value(let value) = edits.last(where: { $0.field == field })?.content else {
        return nil
      }
      return value
    }
    guard let text = value(of: Field.Todo.repeat)?.text,
      let new = RepeatRule(canonicalIfValid: text), new.count == nil,
      value(of: Field.Todo.until)?.date == nil
    else { return nil }
    if let until { return "on \(until.dated)" }
    let count = rule.flatMap(RepeatRule.init(canonicalIfValid:))?.count
    return count.map { "after \($0.counted("time"))" }
  }
}
