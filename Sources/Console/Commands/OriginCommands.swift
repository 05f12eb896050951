import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum OriginCommands {
  static let why = CommandSpec(
    "why",
    "Show who wrote the value of a field, when, with which command, and which value it replaced.",
    reading: .past, traits: .isPaged, text("ID.FIELD"),
    examples: ["daybook why ada.birthdate", "daybook why k7.due --json"]
  ) { context, words in
    try FieldOrigins(context: context).why(words)
  }

  static let blame = CommandSpec(
    "blame", "Show who wrote each field of a record, and when.", reading: .past, traits: .isPaged,
    text("ID"),
    examples: ["daybook blame ada", "daybook blame k7 --json"]
  ) { context, words in
    try FieldOrigins(context: context).blame(words)
  }
}

/// One value of a field, or one tag, and the event that wrote it.
private struct Origin {
  let write: Stored
  /// The field that the event wrote, which for a tag is its register.
  let field: FieldSchema
  let entry: HistoryEntry

  /// Whether the event implies the value but does not contain it.
  var isDerived: Bool {
    !entry.fact.body.writes.contains { written in
      written.field.base == write.field.base || (write.field == .tags && written.field.isTag)
    }
  }
}

/// A written value of a to-do that is ignored because of another value.
private struct Overruling {
  /// The value that is shown instead.
  let shown: Value
  /// The reason, as a clause.
  let reason: String

  /// Finds why the written value of a field is ignored; nil if it is shown.
  init?(
    _ written: Value, of field: FieldSchema, in document: Document, _ model: ReadModel
  ) throws(ReadModelError) {
    switch field.field {
    case Field.Todo.cancelled where document.kind == .todo:
      shown = document.meaning(of: field)
      guard written.boolean == true, shown == .boolean(false) else { return nil }
      reason = "the to-do is also done"
    case Field.Todo.parent where document.kind == .todo:
      guard written.reference != nil, let ignored = try IgnoredParent(of: document, in: model)
      else { return nil }
      (shown, reason) = (.null, ignored.reason)
    default: return nil
    }
  }
}

/// Shows who wrote the fields of a record.
private struct FieldOrigins {
  let context: CommandContext
  private var output: Output { context.output }

  /// Returns the document of a record, its history, and the snapshot.
  private func past(of words: String) throws -> (Document, History, Snapshot) {
    let shown = try context.snapshot()
    let id = try context.find(words, among: .all, on: shown).id
    let (history, snapshot) = try shown.history(
      HistoryWish(id: id), at: context.viewed.milliseconds(), of: words)
    guard let document = history.subject else { throw DaybookError.unknown(words, kind: nil) }
    return (document, history, snapshot)
  }

  private func origins(
    of field: FieldSchema, _ document: Document, _ history: History
  ) -> [Origin] {
    let survivors = document.shown(field.field)?.survivors ?? []
    let shown = field.isQuiet ? Array(survivors.prefix(1)) : survivors
    let tags = field.field == .tags ? writes(ofTagsOf: document, history) : []
    return (tags.isEmpty ? shown : tags).compactMap { write in
      let event = history.origins[write] ?? write.key
      guard let entry = history.entries.first(where: { $0.fact.key == event }) else { return nil }
      let schema = Schema.field(write.field, of: document.kind) ?? field
      return Origin(write: write, field: schema, entry: entry)
    }
  }

  /// Returns the latest write of each shown tag, to its register or else to the list of tags.
  private func writes(ofTagsOf document: Document, _ history: History) -> [Stored] {
    document.tags.compactMap { tag in
      if let write = document.tagWrite(of: tag) { return write }
      let entry = history.entries.first { entry in
        entry.fact.body.values(of: .tags).contains { $0.texts?.contains(tag) ?? false }
      }
      return entry.map { entry in
        Stored(
          field: .tags, key: entry.fact.key, time: entry.fact.time,
          effectiveTime: entry.fact.effectiveTime, hash: entry.fact.hash, value: .text(tag))
      }
    }
  }

  func why(_ words: String) throws {
    guard let dot = words.lastIndex(of: ".") else {
      throw ConsoleError.badValue(
        "ID.FIELD", words, "Name a record and a field, such as eggos.due.")
    }
    let name = String(words[words.index(after: dot)...])
    let (document, history, snapshot) = try past(of: String(words[..<dot]))
    guard let kind = Schema.schema(of: document.kind) else {
      throw DaybookError.refused(.unknownKind(document.kind))
    }
    guard let field = kind.field(called: name) else {
      throw ConsoleError.unknownField(name, among: [kind])
    }
    let origins = origins(of: field, document, history)
    if output.isJSON { return output.answer(try json(field, document, origins, snapshot)) }
    let title = try snapshot.name(of: document)
    guard !origins.isEmpty else {
      return output.answer(try unwritten(field, of: document, named: title, snapshot))
    }
    let values = try origins.map { try snapshot.words($0.write.value, of: field) }
    let isTags = field.field == .tags
    let overruling = try overruling(field, in: document, origins, snapshot)
    let first = try overruling.map { try snapshot.words($0.shown, of: field) } ?? values[0]
    let shown = isTags ? values.joined(separator: ", ") : first
    let current = field.field == Field.Todo.due ? try currentDate(of: document, snapshot) : nil
    let called = "\(current == nil ? "" : "first ")\(field.optionName)"
    var lines = [output.paint.heading("\(title): \(called) \(isTags ? "are" : "is") \(shown).")]
    if let current { lines.append(current) }
    lines += try currentValue(of: field, in: document, snapshot)
    if let overruling {
      lines.append("It was set to \(values[0]), which is ignored because \(overruling.reason).")
    }
    if origins.count > 1, !isTags {
      let others = values.dropFirst().joined(separator: " or ")
      lines.append(
        "It is in conflict with \(others), because the writers had not seen each other's changes.")
    }
    for (origin, value) in zip(origins, values) {
      lines += try self.lines(about: origin, value, snapshot)
    }
    output.answer(lines)
  }

  /// Returns the sentences about a field that no event of the record has written.
  private func unwritten(
    _ field: FieldSchema, of document: Document, named title: String, _ snapshot: Snapshot
  ) throws -> [String] {
    let isTags = field.field == .tags
    let name = "\(title): \(field.optionName)"
    if document.isOccurrence,
      let value = try ShownTodo(document, in: snapshot.model).valueElsewhere(of: field),
      let series = try document.value(.owner).reference.flatMap(snapshot.document)
    {
      let words = try snapshot.words(value, of: field)
      return ["\(name) \(isTags ? "are" : "is") \(words), from \(try snapshot.name(of: series))."]
    }
    let absent = try snapshot.words(.null, of: field)
    return ["\(name) \(isTags ? "were" : "was") never set, which means \(absent)."]
      + (try currentValue(of: field, in: document, snapshot))
  }

  /// Returns the sentence about the value that the current date of a repeating to-do has instead.
  ///
  /// The result is empty if the date has no such value. It is also empty for the due date, which
  /// ``currentDate(of:_:)`` describes in more detail.
  private func currentValue(
    of field: FieldSchema, in document: Document, _ snapshot: Snapshot
  ) throws -> [String] {
    guard document.kind == .todo, !document.isOccurrence,
      field.field != Field.Todo.due || Series(document) == nil,
      let value = try ShownTodo(document, in: snapshot.model).valueElsewhere(of: field)
    else { return [] }
    let words = try snapshot.words(value, of: field)
    return field.type == .boolean
      ? ["For its current date, \(field.optionName) is \(words)."]
      : ["Its current date has its own \(field.optionName): \(words)".asSentence]
  }

  /// Returns why the first value of a field is ignored; nil if it is shown.
  private func overruling(
    _ field: FieldSchema, in document: Document, _ origins: [Origin], _ snapshot: Snapshot
  ) throws -> Overruling? {
    guard let written = origins.first?.write.value else { return nil }
    return try Overruling(written, of: field, in: document, snapshot.model)
  }

  /// Returns the date that a repeating to-do shows, and why; nil if the to-do does not repeat.
  private func currentDate(of document: Document, _ snapshot: Snapshot) throws -> String? {
    guard let series = Series(document) else { return nil }
    let recurrence = try snapshot.model.repeats.recurrence(
      of: document.key, causality: try snapshot.model.logs.causality())
    guard let state = recurrence?.state else { return nil }
    let closed = state.stored.count { $0.closing != nil }
    let last = state.latestClosed.map { ", the last one \($0.slot.dated)" } ?? ""
    var parts = [
      "repeats \(series.words)",
      "\(closed.counted("date")) \(closed == 1 ? "was" : "were") closed\(last)",
    ]
    guard let current = state.current else {
      return "It \(parts.joined(separator: "; ")); it has ended."
    }
    if current.due != state.series.due(of: current.slot) {
      parts.append("\(state.series.due(of: current.slot).dated) was moved")
    }
    return "It \(parts.joined(separator: "; ")). The current date is \(current.due.dated)."
  }

  private func lines(
    about origin: Origin, _ value: String, _ snapshot: Snapshot
  ) throws -> [String] {
    let entry = origin.entry
    let time = context.machine.timekeeper.text(
      of: entry.fact.effectiveTime, isClockSuspect: entry.isClockSuspect)
    let follows = origin.isDerived ? ", which implies it" : ""
    let undoing =
      switch entry.undoer {
      case .undo: ", which undid an earlier one"
      case .redo: ", which redid an undone one"
      case nil: ""
      }
    var lines = [
      "  \(value): \(entry.pastWord) by \(entry.device.visible) at \(time) "
        + "in command \(entry.commandName)\(undoing)\(follows)."
    ]
    if let reason = entry.reason { lines.append("    because \(reason.visible)") }
    let others = try companions(of: entry, on: snapshot)
    if !others.isEmpty { lines.append("    together with: \(others.joined(separator: "; "))") }
    let replaced = entry.replaced[origin.field.field, default: []]
    for old in replaced {
      let written = old.write.effectiveTime
      let time = context.machine.timekeeper.text(
        of: written, isClockSuspect: snapshot.book.deviceList.isSuspect(written))
      let words = try snapshot.words(old.write.value, of: origin.field)
      lines.append("    It replaced \(words), written by \(old.device.visible) at \(time).")
    }
    if replaced.isEmpty, entry.fact.body.verb == .edit, !origin.isDerived {
      let what = origin.field.field.isTag ? "tag" : "field"
      lines.append("    The \(what) had not been set before.")
    }
    return lines
  }

  /// Returns the other changes in the command of an event, as phrases.
  private func companions(
    of entry: HistoryEntry, on snapshot: Snapshot
  ) throws -> [String] {
    let wish = HistoryWish(command: (replica: entry.replica, first: entry.command))
    let (history, snapshot) = try snapshot.history(wish, at: context.viewed.milliseconds())
    return try history.entries.reversed().filter { $0.fact.key != entry.fact.key }.map { other in
      let what = try other.document.map { try snapshot.name(of: $0) } ?? "something unknown"
      return "\(other.pastWord) \(what)"
    }
  }

  private func json(
    _ field: FieldSchema, _ document: Document, _ origins: [Origin], _ snapshot: Snapshot
  ) throws -> JSON {
    let isTags = field.field == .tags
    let written = origins.first?.write.value ?? field.meaning(of: .null)
    let value = try overruling(field, in: document, origins, snapshot)?.shown ?? written
    return .object(
      ("kind", .string(document.kind.name)), ("id", .string(document.id.uuid)),
      ("title", .string(try snapshot.listedTitle(of: document))), ("field", .string(field.name)),
      ("value", try snapshot.json(isTags ? document.value(.tags) : value, field.type)),
      ("isConflict", .boolean(origins.count > 1 && !isTags)),
      ("writes", .array(try origins.map { try json($0, snapshot) })))
  }

  private func json(_ origin: Origin, _ snapshot: Snapshot) throws -> JSON {
    let (entry, field) = (origin.entry, origin.field)
    let replaced = try snapshot.replaced(of: field, by: entry)
    return .object(
      ("value", try snapshot.json(origin.write.value, field.type)),
      ("time", .string(Instant.text(entry.fact.time))), ("when", .instant(entry.fact.when)),
      ("isClockSuspect", .boolean(entry.isClockSuspect)),
      ("device", .string(entry.device)), ("replica", .string(entry.replica.hex)),
      ("sequence", .integer(Int64(clamping: entry.fact.key.sequence))),
      ("command", .integer(Int64(clamping: entry.command))),
      ("verb", .string(entry.verbName)), ("isDerived", .boolean(origin.isDerived)),
      ("isUndo", .boolean(entry.undoer == .undo)), ("isRedo", .boolean(entry.undoer == .redo)),
      ("because", .words(entry.reason)), ("replaced", .array(replaced)))
  }

  func blame(_ words: String) throws {
    let (document, history, snapshot) = try past(of: words)
    let fields = Schema.schema(of: document.kind)?.fields ?? []
    let known = fields.map { ($0, origins(of: $0, document, history)) }
    if output.isJSON {
      return output.answer(
        .array(try known.filter { !$0.1.isEmpty }.map { try json($0, document, $1, snapshot) }))
    }
    let todo =
      document.kind == .todo && !document.isOccurrence
      ? try ShownTodo(document, in: snapshot.model) : nil
    var rows: [[String]] = []
    for (field, origins) in known {
      let overruling = try overruling(field, in: document, origins, snapshot)
      let current = try todo?.valueElsewhere(of: field).map { try snapshot.words($0, of: field) }
      let note =
        overruling.map { " (ignored because \($0.reason))" }
        ?? current.map { " (current date: \($0))" } ?? ""
      for (place, origin) in origins.enumerated() {
        let entry = origin.entry
        let reason = entry.reason.map { ", because \($0.visible)" } ?? ""
        rows.append([
          place == 0 ? field.optionName : field.field == .tags ? "  and" : "  or",
          // The note is only about the first value, because no other side of a conflict would be shown anyway.
          try snapshot.words(origin.write.value, of: field) + (place == 0 ? note : ""),
          entry.commandName,
          context.machine.timekeeper.text(
            of: entry.fact.effectiveTime, isClockSuspect: entry.isClockSuspect),
          "\(entry.verbWords)\(reason)",
        ])
      }
    }
    let state = document.isAlive ? "" : " (deleted)"
    output.answer([output.paint.heading(try snapshot.name(of: document) + state)])
    output.answer(Table.lines(rows).map { "  " + $0 })
  }
}
