import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

enum ConflictCommands {
  static let all = [conflicts, resolve]

  private static let conflicts = CommandSpec(
    "conflicts", "List the conflicts between devices, and show how to settle them.", reading: .past,
    examples: ["daybook conflicts", "daybook conflicts --json"]
  ) { context in
    let snapshot = try context.snapshot()
    let conflicts = try snapshot.book.conflictReader.conflicts(in: snapshot.model)
    let presenter = ConflictPresenter(context: context)
    if context.output.isJSON {
      return context.output.answer(.array(try conflicts.map { try presenter.json($0, snapshot) }))
    }
    if conflicts.isEmpty { return context.output.say("No conflicts.") }
    context.output.answer(try presenter.lines(of: conflicts, snapshot))
  }

  private static let resolve = CommandSpec(
    "resolve", "Settle a conflict on all devices.", text("ID"), optionalText("FIELD"),
    options(
      "take", "mine|theirs|DEVICE|VALUE",
      "The side to keep: mine, theirs, the name of a device, a value in conflict, or the event that wrote the value, as DEVICE:NUMBER from the log. If one device deleted the record while another edited it, use 'keep' or 'delete'."
    ),
    options("value", "VALUE", "Use a new value instead of the values in conflict."),
    examples: [
      "daybook resolve k7 title --take mine", "daybook resolve k7 due --value 2026-12-24",
      "daybook resolve k7 title --value \"Sweep it all\"", "daybook resolve k7 --take delete",
    ]
  ) { context, words, field, taken, values in
    if !taken.isEmpty, !values.isEmpty { throw UsageFault.contradiction("--take", "--value") }
    try ResolveConflict(context: context).run(words, field, Wish(taken: taken, values: values))
  }
}

/// How to settle a conflict: with the value of one side, or with a new value.
private struct Wish {
  var taken: [String]
  var values: [String]
}

private struct ResolveConflict {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ words: String, _ field: String?, _ wish: Wish) throws {
    let snapshot = try context.presentSnapshot()
    let found = try snapshot.book.finder.find(words, among: .living)
    let key = try snapshot.model.documents.document(id: found.id)?.key
    let all = try key.map { try snapshot.book.conflictReader.conflicts(about: $0) } ?? []
    guard !all.isEmpty else {
      throw ConsoleError.nothingToSettle("\(found.kind.name) '\(found.title)'", field: nil)
    }
    let conflict = try choose(among: all, found, field, wish.taken, snapshot)
    let choices = try self.choices(of: [conflict], snapshot)
    guard let word = wish.taken.first ?? wish.values.first else {
      throw ConsoleError.undecided("The command does not say which side to keep.", choices)
    }
    switch conflict.subject {
    case .life:
      guard wish.values.isEmpty else {
        throw ConsoleError.undecided(
          "--value does not apply to a conflict between a deletion and an edit.", choices)
      }
      let request = try settlingLife(conflict, word, choices, snapshot)
      try tell(try snapshot.book.commands.perform(request))
    case .field(let field):
      guard let schema = Schema.field(field, of: found.kind) else {
        throw DaybookError.refused(.unknownField(found.kind, field))
      }
      let settlement =
        wish.taken.isEmpty
        ? try settlement(by: wish.values, schema, choices, snapshot)
        : try settlement(of: conflict, schema, wish.taken, choices, snapshot)
      try tell(
        try snapshot.book.commands.perform(.settle(conflict.document.id, field, settlement)),
        settling: schema)
    }
  }

  /// Reports that a record was kept or deleted; sub-tasks that were kept with it are only counted.
  private func tell(_ performed: Performed) throws {
    let presenter = ChangePresenter(context: context)
    let subtasks = performed.changes.dropFirst().filter { $0.verb == .restore }
    guard !output.isJSON, !subtasks.isEmpty else { return try presenter.tell(performed) }
    var settled = performed
    settled.changes.removeAll { change in
      subtasks.contains { $0.document.key == change.document.key }
    }
    try presenter.tell(settled)
    output.say(
      "Restored \(subtasks.count.counted("sub-task")) that had been deleted with the record.")
  }

  /// Reports the value that settled a conflict.
  private func tell(_ performed: Performed, settling field: FieldSchema) throws {
    guard !output.isJSON, let change = performed.changes.first else {
      return try ChangePresenter(context: context).tell(performed)
    }
    let snapshot = try context.presentSnapshot()
    let document = try snapshot.document(change.document.key) ?? change.document
    let value = try snapshot.words(document.value(field.field), of: field)
    let id = try snapshot.shortID(document.id)
    output.say(
      "Settled \(field.optionName) of \(document.kind.name) \(id): "
        + "\(value.isEmpty ? "none" : value).")
  }

  /// Returns the conflict of the given field, or the only conflict.
  private func choose(
    among all: [Conflict], _ found: Found, _ field: String?, _ taken: [String],
    _ snapshot: Snapshot
  ) throws -> Conflict {
    if let field {
      let named = Schema.schema(of: found.kind)?.fields
        .first { $0.optionName == field || $0.name == field }
      let meant = all.first { named.map { .field($0.field) } == $0.subject }
      if let meant { return meant }
      let what = "\(found.kind.name) '\(found.title)'"
      throw ConsoleError.nothingToSettle(what, field: field)
    }
    let life = all.first { $0.subject == .life }
    if ["delete", "edit", "keep"].contains(taken.first), let life { return life }
    if all.count == 1 { return all[0] }
    throw ConsoleError.undecided(
      "The record has \(all.count) conflicts.", try choices(of: all, snapshot))
  }

  private func choices(of conflicts: [Conflict], _ snapshot: Snapshot) throws -> [String] {
    let devices = try snapshot.book.deviceList.devices()
    let rows = try conflicts.flatMap { conflict in
      try conflict.sides.indices.map { place in
        [
          try ConflictPresenter(context: context).command(
            for: place, of: conflict, devices, snapshot),
          try snapshot.words(of: conflict.sides[place], in: conflict),
        ]
      }
    }
    return Table.lines(rows)
  }

  private func settlingLife(
    _ conflict: Conflict, _ word: String, _ choices: [String], _ snapshot: Snapshot
  ) throws -> Request {
    let id = conflict.document.id
    if word == "keep" || word == "edit" { return .settleLife(id, isKept: true) }
    if word == "delete" { return .settleLife(id, isKept: false) }
    let meant = conflict.sides(of: word, among: try snapshot.book.deviceList.devices()) ?? []
    guard meant.count == 1 else {
      throw ConsoleError.undecided("'\(word)' does not name a side of the conflict.", choices)
    }
    return .settleLife(id, isKept: conflict.sides[meant[0]].content == .edited)
  }

  /// Interprets a word as one side of a conflict: as its device, its event or its value.
  ///
  /// A word is never used as a new value, because it may be a misspelt `mine` or a mistyped date.
  private func settlement(
    of conflict: Conflict, _ field: FieldSchema, _ taken: [String], _ choices: [String],
    _ snapshot: Snapshot
  ) throws -> Request.Settlement {
    let word = taken.joined(separator: ", ")
    var meant = Set(try sides(of: conflict, showing: taken, field, snapshot))
    if taken.count == 1,
      let named = conflict.sides(of: word, among: try snapshot.book.deviceList.devices())
    {
      meant.formUnion(named)
      if meant.isEmpty {
        throw ConsoleError.undecided("'\(word)' wrote none of the values.", choices)
      }
    }
    guard let place = meant.first else {
      let people = ["mine", "theirs"] + conflict.sides.flatMap { $0.writers.map(\.device) }
      throw ConsoleError.nobodysValue(
        word, suggestion: Spelling.nearest(to: word, among: people), choices)
    }
    guard meant.count == 1 else {
      throw ConsoleError.undecided("'\(word)' could mean \(meant.count) different values.", choices)
    }
    return .written(by: conflict.sides[place].writers[0])
  }

  /// Returns the indices of the sides whose value is shown as the given words, or is what words like `tomorrow` mean.
  private func sides(
    of conflict: Conflict, showing words: [String], _ field: FieldSchema, _ snapshot: Snapshot
  ) throws -> [Int] {
    let shown = words.joined(separator: ", ")
    let equal = try conflict.sides.indices.filter {
      try snapshot.words(of: conflict.sides[$0], in: conflict) == shown
    }
    guard equal.isEmpty else { return equal }
    let value: Value
    // Words that cannot be read mean no value.
    switch try? context.reader.content(words, for: field, in: snapshot.book) {
    case .value(let read): value = read
    case .record(let id):
      guard let key = try snapshot.model.documents.document(id: id)?.key else { return [] }
      value = .reference(key)
    case .daysBeforeDue, nil: return []
    }
    return conflict.sides.indices.filter { conflict.sides[$0].content == .value(value) }
  }

  private func settlement(
    by words: [String], _ field: FieldSchema, _ choices: [String], _ snapshot: Snapshot
  ) throws -> Request.Settlement {
    do {
      return .content(try context.reader.content(words, for: field, in: snapshot.book))
    } catch let error as WordsFault {
      guard let advice = error.advice else { throw error }
      let word = words.joined(separator: ", ")
      throw ConsoleError.undecided("\(field.optionName) cannot be '\(word)'. \(advice)", choices)
    }
  }
}

extension WordsFault {
  /// The advice for an invalid value; nil for other faults.
  fileprivate var advice: String? {
    switch self {
    case .badValue(_, _, let advice): advice
    case .badDate(let words, let fault, let isYearFree):
      fault.text(of: words.visible, isYearFree: isYearFree)
    default: nil
    }
  }
}
