import Bytes
import Daybook
import Domain
import Platform
import ReadModel

extension Verb {
  static let recalling = [log, undo, redo]

  private static let log = Verb(
    "log", "What happened, the latest first.", reading: .present, optionalText("ID"),
    option("limit", "N", "How many events at most; 100 if not said, or all in JSON."),
    flag("all", "All events."),
    examples: ["daybook log", "daybook log ada", "daybook at 2026-01-01 list todos"]
  ) { context, words, limit, isWhole in
    try context.log(words, limit, isWhole: isWhole)
  }

  private static let undo = Verb(
    "undo", "Undo the last commands of this device, or the last one that changed a record.",
    optionalText("N|ID"),
    option(
      "command", "NAME",
      "One command, of any device: DEVICE:NUMBER, or the NUMBER of one of this device."),
    option("by", "DEVICE", "All that a device did, as one step; with --since."),
    option("since", "TIME", "From when on, by the time at which it was written."),
    flag("yes", "Do not ask."),
    flag("force", "Also what another device has edited since; it gets the value from before."),
    flag("past-erasure", "Go on behind an erasure, which cannot be undone itself."),
    examples: [
      "daybook undo", "daybook undo 3", "daybook undo eggos", "daybook undo --command phone:12",
      "daybook undo --by phone --since 2026-01-31 --yes",
    ]
  ) { context, words, command, device, since, isSure, isForced, goesPast in
    let care: UndoCare = isForced ? .forcing : .refusing
    if let scope = try context.scope(words, command: command, by: device, since: since) {
      return try context.undo(scope, care, isSure: isSure)
    }
    let book = try context.book()
    if let count = try context.count(words) {
      let steps = try context.careful { () throws(DaybookError) in
        try book.undo(count, pastErasure: goesPast, care: care)
      }
      return try context.tell(steps, "Undid")
    }
    let id = try book.find(words ?? "", among: .all).id
    let steps = try context.careful { () throws(DaybookError) in
      try book.undo(id: id, care: care)
    }
    try context.tell(steps, "Undid")
  }

  private static let redo = Verb(
    "redo", "Do again what was undone last.", optionalText("N"),
    flag("force", "Also what another device has edited since; it gets the value from before."),
    examples: ["daybook redo", "daybook redo 3"]
  ) { context, words, isForced in
    guard let count = try context.count(words) else {
      throw ConsoleError.badValue("N", words ?? "", "Say how many, as a whole number from 1.")
    }
    let care: UndoCare = isForced ? .forcing : .refusing
    let book = try context.book()
    let steps = try context.careful { () throws(DaybookError) in
      try book.redo(count, care: care)
    }
    try context.tell(steps, "Redid")
  }
}

extension Context {
  /// The number the words are, 1 if there are none, nil if they are no number.
  fileprivate func count(_ words: String?) throws -> Int? {
    guard let words else { return 1 }
    guard words.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }) else { return nil }
    return Int(clamping: try number(words, "N", from: 1))
  }

  func tell(_ steps: [Undone], _ verb: String) throws {
    if isJSON { return answer(try json(steps.flatMap(\.changes))) }
    for step in steps {
      if step.passesErasure { note("what was erased is passed over: nothing brings it back.") }
      let lines = try sentences(step.changes)
      // A run of thousands of commands is told by its beginning.
      let shown = lines.prefix(Self.shownChanges)
      for line in shown { say("\(verb): \(line)") }
      if lines.count > shown.count { say("\(verb): \(lines.count - shown.count) more changes.") }
      if lines.isEmpty, step.left.isEmpty { say("\(verb) a command that had changed nothing.") }
      for left in step.left.prefix(Self.shownChanges) { say(try sentence(left)) }
      if let obstacle = step.obstacle { note(try sentence(obstacle)) }
    }
  }

  private static let shownChanges = 10

  func sentence(_ left: Undoing.Left) throws -> String {
    let what = "\(left.kind.name) \(try presentSnapshot().shortID(left.id))"
    let field = left.field.map { "the \($0.name(in: left.kind)) of " } ?? ""
    switch left.reason {
    case .shownAnyway: return "Left \(field)\(what) as it is: it would look the same anyway."
    case .dead: return "Left \(field)\(what) as it is: the record is deleted."
    }
  }

  /// How much of the log is shown where nobody has said.
  private static let shownEvents = 100

  fileprivate func log(_ words: String?, _ limit: String?, isWhole: Bool) throws {
    let asked = try limit.map { Int(clamping: try number($0, "the limit", from: 0)) }
    // Whoever reads JSON would not see that something is left out.
    let usual = isWhole || isJSON ? nil : Self.shownEvents
    var snapshot = try presentSnapshot()
    let id = try words.map { try snapshot.book.find($0, among: .all).id }
    let history = try snapshot.book.history(of: id, limit: asked ?? usual)
    snapshot.loaded = history.documents
    if isJSON { return answer(.array(try history.entries.map { try json($0, snapshot) })) }
    let ids = try snapshot.shortIDs(history.entries.compactMap { $0.document?.id })
    let rows = try history.entries.map { entry in
      let fact = entry.fact
      let word = entry.isErased ? "erased" : fact.body.verb.pastWord
      let verb = (entry.undoer.map { "\($0.word): " } ?? "") + word
      let id = entry.document.flatMap { ids[$0.id] } ?? ""
      return [
        paint.faint(machine.timekeeper.localText(of: fact.effectiveTime)), entry.device.visible,
        id, verb, try what(entry, snapshot),
      ]
    }
    answer(Table.lines(rows))
    if asked == nil, history.earlier > 0 {
      note("\(history.earlier) earlier events are not shown; --all shows them.")
    }
  }

  /// The record of an event and what was written to it.
  private func what(_ entry: HistoryEntry, _ snapshot: Snapshot) throws -> String {
    guard let document = entry.document else {
      return entry.isErased ? "" : "something unknown"
    }
    var parts: [String] = []
    var quiet: [String] = []
    for write in entry.fact.body.writes {
      if write.field == .because, let reason = write.value.text {
        parts.append("because \(reason.visible)")
      }
      guard let field = Schema.field(write.field, of: document.kind) else { continue }
      if document.kind == .pick, field.field == Field.Pick.draw { continue }
      let words = "\(field.optionName) \(try snapshot.words(write.value, of: field))"
      if field.isQuiet { quiet.append(words) } else { parts.append(words) }
    }
    // What follows by itself is not worth a word, unless nothing else was written.
    if parts.isEmpty { parts = quiet }
    let title = [document.kind.name, document.title.visible].filter { !$0.isEmpty }
      .joined(separator: " ")
    return parts.isEmpty ? title : "\(title): \(parts.joined(separator: ", "))"
  }

  private func json(_ entry: HistoryEntry, _ snapshot: Snapshot) throws -> JSON {
    let fact = entry.fact
    var fields: [JSON.Member] = []
    for write in fact.body.writes {
      guard let kind = entry.document?.kind, let field = Schema.field(write.field, of: kind)
      else { continue }
      fields.append(JSON.Member(field.name, try snapshot.json(write.value, field.type)))
    }
    let because = fact.body.writes.first { $0.field == .because }?.value.text
    return .object(
      ("time", .string(Instant.text(fact.time))),
      ("when", fact.when.map { .string(Instant.text($0)) } ?? .null),
      ("device", .string(entry.device)), ("replica", .string(entry.replica.hex)),
      ("sequence", .integer(Int64(clamping: fact.key.sequence))),
      ("verb", .string(entry.isErased ? "erased" : fact.body.verb.name)),
      ("isUndo", .boolean(entry.undoer == .undo)),
      ("isRedo", .boolean(entry.undoer == .redo)),
      ("kind", entry.document.map { .string($0.kind.name) } ?? .null),
      ("id", entry.document.map { .string($0.id.uuid) } ?? .null),
      ("title", entry.document.map { .string($0.title) } ?? .null),
      ("fields", .object(fields)), ("because", because.map { .string($0) } ?? .null))
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
