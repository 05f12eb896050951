import Bytes
import Daybook
import Domain
import Phrasing
import Platform

// Describes one event of the history.

extension HistoryEntry {
  /// The name of the command of the event, for `undo --command`.
  var commandName: String { "\(log.visible):\(command)" }

  /// The verb of the event; for an undo or redo, with that word in front.
  var verbWords: String {
    (undoer.map { "\($0.word): " } ?? "") + (isErased ? "erased" : pastWord)
  }

  /// The verb of the event in JSON.
  var verbName: String { isErased ? "erased" : fact.body.verb.name(joining: joined) }

  /// The verb of an event that has not been erased.
  var pastWord: String {
    if joined.isEmpty { return dateWord ?? fact.body.verb.pastWord }
    return fact.body.verb == .delete ? "separated" : "joined"
  }

  /// The effect of the event on one date of a repeating to-do; nil for other records and for other changes.
  private var dateWord: String? {
    guard document?.isOccurrence == true else { return nil }
    if fact.body.verb == .delete { return "reset" }
    if changesState {
      if fact.body.sets(Field.Todo.done) { return "done" }
      return fact.body.sets(Field.Todo.cancelled) ? "skipped" : "reopened"
    }
    let dates = DueReceipt.fields + [Field.Todo.start]
    return fact.body.fieldWrites.contains { dates.contains($0.field) } ? "moved" : nil
  }

  /// Whether the event closes or reopens one date of a repeating to-do, as its verb then says.
  fileprivate var changesState: Bool {
    document?.isOccurrence == true
      && fact.body.fieldWrites.contains {
        $0.field == Field.Todo.done || $0.field == Field.Todo.cancelled
      }
  }
}

extension Domain.Verb {
  /// Returns the verb in JSON, given the records that the event joined or separated.
  func name(joining joined: [Document]) -> String {
    switch self {
    case .alias: "join"
    case .delete where !joined.isEmpty: "part"
    case .restore where !joined.isEmpty: "join"
    default: name
    }
  }
}

extension Timekeeper {
  /// Returns the time of an event according to its device, with a mark if it is too far ahead of this machine's clock.
  ///
  /// Which of the clocks is wrong is not known.
  func text(of time: Int64, isClockSuspect: Bool) -> String {
    localText(of: time) + (isClockSuspect ? " (ahead of this clock)" : "")
  }
}

extension Snapshot {
  /// Returns the record of an event and its changes.
  func words(of entry: HistoryEntry, because reason: String?) throws -> String {
    let because = reason.map { "because \($0.visible)" }
    guard let document = entry.document else {
      return [entry.isErased ? "" : "unknown record", because ?? ""].filter { !$0.isEmpty }
        .joined(separator: ": ")
    }
    var parts: [String] = []
    var quiet: [String] = []
    for write in entry.fact.body.fieldWrites where !write.field.isTag {
      guard let field = Schema.field(write.field, of: document.kind) else { continue }
      if document.kind == .pick, field.field == Field.Pick.draw { continue }
      // The name of an occurrence contains its series and its date, and the verb says its state.
      if document.isOccurrence, field.isFixed { continue }
      if entry.changesState, field.field.isStateOfDate { continue }
      let words = "\(field.optionName) \(try change(of: field, by: write, in: entry))"
      // Data that only other programs need is of no interest to the user.
      if field.isQuiet || field.field == .extra { quiet.append(words) } else { parts.append(words) }
    }
    parts += try entry.taken.fields.map { field, taken in
      "\(field.optionName) \(try words(.null, of: field)) → \(try words(taken, of: field))"
    }
    parts += TagChanges(entry).words
    if entry.fact.body.fieldWrites.contains(where: { $0.field == .disputed }) {
      parts.append("in conflict with a deletion")
    }
    // Fields that change automatically are shown only if no other field was written.
    if parts.isEmpty { parts = quiet }
    if let because { parts.append(because) }
    let named = entry.joined.isEmpty ? [document] : entry.joined
    let title = named.map { document in
      [document.kind.name, document.datedTitle.visible].filter { !$0.isEmpty }.joined(
        separator: " ")
    }.joined(separator: " and ")
    return parts.isEmpty ? title : "\(title): \(parts.joined(separator: ", "))"
  }

  /// Returns the old and the new value.
  private func change(
    of field: FieldSchema, by write: Write, in entry: HistoryEntry
  ) throws -> String {
    let values = try entry.fact.body.values(of: write.field).map { try words($0, of: field) }
    let new = values.joined(separator: " or ")
    if entry.fact.body.verb == .add { return new }
    let replaced = entry.replaced[write.field, default: []]
    // Without a value of its own, a date of a repeating to-do has the value of the to-do.
    let isInherited = entry.document?.isOccurrence == true
    if isInherited, replaced.isEmpty { return new }
    let old =
      try replaced.isEmpty
      ? words(.null, of: field)
      : replaced.map { try words($0.write.value, of: field) }.joined(separator: " or ")
    if isInherited, write.value == .null { return "\(old) removed" }
    return old == new ? new : "\(old) → \(new)"
  }

  func json(_ entry: HistoryEntry) throws -> JSON {
    let fact = entry.fact
    var fields: [JSON.Member] = []
    var replaced: [JSON.Member] = []
    var alternatives: [JSON.Member] = []
    for write in fact.body.fieldWrites where !write.field.isTag {
      guard let kind = entry.document?.kind, let field = Schema.field(write.field, of: kind)
      else { continue }
      fields.append(JSON.Member(field.name, try json(write.value, field.type)))
      let others = fact.body.values(of: write.field).dropFirst()
      if !others.isEmpty {
        let values = try others.map { try json($0, field.type) }
        alternatives.append(JSON.Member(field.name, .array(values)))
      }
      let writes = try self.replaced(of: field, by: entry)
      if !writes.isEmpty { replaced.append(JSON.Member(field.name, .array(writes))) }
    }
    for (field, taken) in entry.taken.fields {
      fields.append(JSON.Member(field.name, try json(taken, field.type)))
      replaced.append(JSON.Member(field.name, .array([try absent(field)])))
    }
    let tags = TagChanges(entry)
    if !tags.isEmpty { fields.append(JSON.Member("tagged", tags.json)) }
    return .object(
      ("time", .string(Instant.text(fact.time))), ("when", .instant(fact.when)),
      ("isClockSuspect", .boolean(entry.isClockSuspect)),
      ("device", .string(entry.device)), ("replica", .string(entry.replica.hex)),
      ("sequence", .integer(Int64(clamping: fact.key.sequence))),
      ("command", .integer(Int64(clamping: entry.command))),
      ("verb", .string(entry.verbName)),
      ("isUndo", .boolean(entry.undoer == .undo)),
      ("isRedo", .boolean(entry.undoer == .redo)),
      ("kind", .words(entry.document?.kind.name)), ("id", .words(entry.document?.id.uuid)),
      ("title", .words(entry.document?.title)),
      ("fields", .object(fields)), ("replaced", .object(replaced)),
      ("alternatives", .object(alternatives)),
      ("because", .words(entry.reason)))
  }

  /// Returns the previous values of a field as JSON.
  ///
  /// If the field has not been written since the record was added, the result is its default, without a device or time.
  func replaced(of field: FieldSchema, by entry: HistoryEntry) throws -> [JSON] {
    let writes = entry.replaced[field.field, default: []]
    guard writes.isEmpty, entry.fact.body.verb != .add else {
      return try writes.map { try json($0, field) }
    }
    return [try absent(field)]
  }

  /// Returns the default of a field as a previous value.
  private func absent(_ field: FieldSchema) throws -> JSON {
    let value = try json(field.meaning(of: .null), field.type)
    return .object(("value", value), ("device", .null), ("time", .null))
  }

  private func json(_ replaced: HistoryEntry.Replaced, _ field: FieldSchema) throws -> JSON {
    .object(
      ("value", try json(replaced.write.value, field.type)), ("device", .string(replaced.device)),
      ("time", .string(Instant.text(replaced.write.effectiveTime))))
  }
}

extension Undoer {
  var word: String {
    switch self {
    case .undo: "undo"
    case .redo: "redo"
    }
  }
}

extension Body {
  /// Whether the event sets a field to yes.
  fileprivate func sets(_ field: Field) -> Bool {
    fieldWrites.contains { $0.field == field && $0.value == .boolean(true) }
  }
}

extension Field {
  /// Whether the field says whether and when one date of a repeating to-do was closed.
  fileprivate var isStateOfDate: Bool {
    [
      Field.Todo.done, Field.Todo.cancelled, Field.Todo.closedOn, Field.Todo.completedAt,
    ].contains(self)
  }
}
