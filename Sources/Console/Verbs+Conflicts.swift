import Bytes
import Daybook
import Domain
import ReadModel

extension Verb {
  static let settling = [conflicts, resolve]

  private static let conflicts = Verb(
    "conflicts", "What several devices wrote at once, and how to settle it.", reading: .past,
    examples: ["daybook conflicts", "daybook conflicts --json"]
  ) { context in
    let snapshot = try context.snapshot()
    let conflicts = try snapshot.book.conflicts(in: snapshot.model)
    if context.isJSON {
      return context.answer(.array(try conflicts.map { try context.json($0, snapshot) }))
    }
    if conflicts.isEmpty { return context.say("Nothing is in conflict.") }
    context.answer(try context.lines(of: conflicts, snapshot))
  }

  private static let resolve = Verb(
    "resolve", "Settle a conflict, for all devices.", text("ID"), optionalText("FIELD"),
    options(
      "take", "mine|theirs|DEVICE|VALUE",
      "Whose value, or any other; of a delete against an edit: delete or edit."),
    examples: [
      "daybook resolve k7 title --take mine", "daybook resolve k7 due --take 2026-12-24",
      "daybook resolve k7 --take delete",
    ]
  ) { context, words, field, taken in
    try context.resolve(words, field, taken)
  }
}

extension Context {
  fileprivate func resolve(_ words: String, _ field: String?, _ taken: [String]) throws {
    let snapshot = try presentSnapshot()
    let found = try snapshot.book.find(words)
    let key = try snapshot.model.document(id: found.id)?.key
    let all = try snapshot.book.conflicts(of: Set([key].compactMap(\.self)))
    guard !all.isEmpty else {
      throw ConsoleError.nothingToSettle("\(found.kind.name) '\(found.title)'", field: nil)
    }
    let conflict = try choose(among: all, found, field, taken, snapshot)
    let choices = try self.choices(of: [conflict], snapshot)
    guard let word = taken.first else {
      throw ConsoleError.undecided("What to take is missing.", choices)
    }
    let request: Request
    switch conflict.subject {
    case .life: request = try settlingLife(conflict, word, choices, snapshot)
    case .field(let field):
      guard let schema = Schema.field(field, of: found.kind) else {
        throw DaybookError.refused(.unknownField(found.kind, field))
      }
      let settlement = try settlement(of: conflict, schema, taken, choices, snapshot)
      request = .settle(found.id, field, settlement)
    }
    try tell(try snapshot.book.perform(request))
  }

  /// The conflict that a field names, or the only one.
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
    if ["delete", "edit"].contains(taken.first), let life { return life }
    if all.count == 1 { return all[0] }
    throw ConsoleError.undecided(
      "\(all.count) conflicts are in it.", try choices(of: all, snapshot))
  }

  private func choices(of conflicts: [Conflict], _ snapshot: Snapshot) throws -> [String] {
    let devices = try snapshot.book.devices()
    let rows = try conflicts.flatMap { conflict in
      try conflict.sides.indices.map { place in
        [
          try command(for: place, of: conflict, devices, snapshot),
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
    if word == "edit" { return .settleLife(id, isKept: true) }
    if word == "delete" { return .settleLife(id, isKept: false) }
    let meant = conflict.sides(of: word, among: try snapshot.book.devices()) ?? []
    guard meant.count == 1 else {
      throw ConsoleError.undecided("'\(word)' means none of them alone.", choices)
    }
    return .settleLife(id, isKept: conflict.sides[meant[0]].content == .edited)
  }

  /// What words mean for a field: what somebody wrote, or any value.
  ///
  /// A word that is for somebody is never taken for a value that nobody wrote: that is what `edit` is for.
  private func settlement(
    of conflict: Conflict, _ field: FieldSchema, _ taken: [String], _ choices: [String],
    _ snapshot: Snapshot
  ) throws -> Request.Settlement {
    let word = taken.joined(separator: ", ")
    let equal = try conflict.sides.indices.filter {
      try snapshot.words(of: conflict.sides[$0], in: conflict) == word
    }
    if taken.count == 1,
      let meant = conflict.sides(of: word, among: try snapshot.book.devices())
    {
      let all = Set(meant + equal)
      guard all.count == 1, let place = all.first else {
        let why = all.isEmpty ? "wrote none of the values" : "could mean any of \(all.count)"
        throw ConsoleError.undecided("'\(word)' \(why).", choices)
      }
      return .written(by: conflict.sides[place].writers[0])
    }
    if equal.count == 1 { return .written(by: conflict.sides[equal[0]].writers[0]) }
    do {
      return .content(try content(taken, for: field, in: snapshot.book))
    } catch let error as ConsoleError {
      guard let advice = error.advice else { throw error }
      throw ConsoleError.undecided("\(field.optionName) cannot be '\(word)'. \(advice)", choices)
    }
  }
}

extension ConsoleError {
  /// What can be read instead of words that cannot.
  fileprivate var advice: String? {
    switch self {
    case .badValue(_, _, let advice): advice
    case .badDate(let words, let fault): fault.text(of: words.visible)
    default: nil
    }
  }
}
