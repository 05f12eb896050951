import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum DiffCommands {
  static let diff = CommandSpec(
    "diff", "Show which records were added, removed or changed between two times.",
    reading: .present,
    traits: .isPaged,
    text("TIME"), optionalText("TIME"),
    examples: [
      "daybook diff 2026-01-01 2026-02-01", "daybook diff 2026-11-20T18:00:00Z    # until now",
    ],
    notes: [
      "A day given as the first time means its start; as the second time, its end."
    ]
  ) { context, start, end in
    try DiffMoments(context: context).run(start, end)
  }
}

/// A difference, with the two snapshots needed to describe its values.
private struct ToldDifference {
  let difference: Difference
  let earlier: Snapshot
  let later: Snapshot
}

/// Shows the differences between two points in time.
struct DiffMoments {
  let context: CommandContext
  private var output: Output { context.output }

  func run(_ start: String, _ end: String?) throws {
    let book = try context.book()
    let now = context.machine.timekeeper.now()
    let from = try context.reader.pastInstant(start, wholeDay: .beginning)
    let until = try end.map { try context.reader.pastInstant($0, wholeDay: .end) }
    if let end, let until {
      // The second time may be the earlier one.
      context.noteFuture(until < from ? start : end, max(from, until), asOf: now)
    } else {
      context.noteFutureBeginning(start, from)
    }
    // Without an end, all events are included, even events written with a clock that is ahead of this machine's clock.
    let (first, last) = (from.milliseconds, until?.milliseconds ?? .max)
    let found = try book.historyReader.difference(from: first, to: last)
    let told = ToldDifference(
      difference: found.difference,
      earlier: Snapshot(book: book, model: found.model, loaded: found.earlier),
      later: Snapshot(book: book, model: found.model, loaded: found.later))
    if output.isJSON { return output.answer(try told.json(from: first, to: until?.milliseconds)) }
    let lines = try lines(of: told)
    output.answer(lines.isEmpty ? ["No differences."] : lines)
  }

  private func lines(of told: ToldDifference) throws -> [String] {
    var lines: [String] = []
    for document in told.difference.came {
      lines.append("\(document.arrival): \(try told.later.name(of: document)).")
    }
    for departure in told.difference.went {
      if let word = departure.document.dateWord {
        let name = try told.earlier.name(of: departure.document)
        lines.append("No longer \(word): \(name).")
        continue
      }
      let why =
        switch departure.reason {
        case .deleted: "deleted"
        case .hidden: "hidden with its \(departure.document.kind == .todo ? "list" : "question")"
        case .joined(let other): "joined with \(try told.later.name(of: other))"
        case .notAdded: "which did not exist yet"
        }
      lines.append("Removed: \(try told.earlier.name(of: departure.document)), \(why).")
    }
    for change in told.difference.changed {
      let parts = try told.words(change)
      // A quiet field can change so little that its value in words stays the same.
      if parts.isEmpty { continue }
      let name = try told.later.name(of: change.later)
      lines.append("Changed: \(name): \(parts.joined(separator: ", ")).")
    }
    return lines
  }
}

extension Document {
  /// The change to a date of a repeating to-do; nil for other records.
  fileprivate var dateWord: String? {
    guard isOccurrence else { return nil }
    return switch Series.Occurrence(self)?.closing?.kind {
    case .done: "done"
    case .skipped: "skipped"
    case nil: value(Field.Todo.due) == .null ? "changed" : "moved"
    }
  }

  /// The word for a record that appeared.
  fileprivate var arrival: String {
    dateWord.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "Added"
  }
}

extension ToldDifference {
  func words(_ change: Difference.Change) throws -> [String] {
    var quiet: [String] = []
    var parts: [String] = []
    for field in change.fields {
      let old = try values(change.earlier, field).map { try earlier.words($0, field.type) }
      let new = try values(change.later, field).map { try later.words($0, field.type) }
      if field.isQuiet, old == new { continue }
      let words =
        "\(field.optionName) \(old.joined(separator: " or ")) → \(new.joined(separator: " or "))"
      if field.isQuiet { quiet.append(words) } else { parts.append(words) }
    }
    if change.isDisputeChanged {
      parts.append(
        change.later.deleteAgainstEdit == nil
          ? "no longer in conflict with a deletion" : "in conflict with a deletion")
    }
    // Most changes to quiet fields result from other changes, so they are omitted unless there are no other changes.
    return parts.isEmpty ? quiet : parts
  }

  private func values(_ document: Document, _ field: FieldSchema) -> [Value] {
    document.shownValues(of: field)
  }

  func json(from start: Int64, to end: Int64?) throws -> JSON {
    let went = try difference.went.map { departure in
      var joined: UniqueID?
      let word =
        switch departure.reason {
        case .deleted: "deleted"
        case .hidden: "hidden"
        case .notAdded: "notAdded"
        case .joined: "joined"
        }
      if case .joined(let other) = departure.reason { joined = other.id }
      return JSON.object(
        ("reason", .string(word)), ("joinedWith", .words(joined?.uuid)),
        ("record", try earlier.jsonWithKind(departure.document)))
    }
    return .object(
      ("from", .string(Instant.text(start))), ("to", .instant(end)),
      ("came", .array(try difference.came.map(later.jsonWithKind))), ("went", .array(went)),
      ("changed", .array(try difference.changed.map(json))))
  }

  private func json(_ change: Difference.Change) throws -> JSON {
    let fields = try change.fields.map { field in
      let old = try values(change.earlier, field).map { try earlier.json($0, field.type) }
      let new = try values(change.later, field).map { try later.json($0, field.type) }
      return JSON.Member(field.name, .object(("from", .array(old)), ("to", .array(new))))
    }
    return .object(
      ("kind", .string(change.later.kind.name)), ("id", .string(change.later.id.uuid)),
      ("title", .string(change.later.title)), ("fields", .object(fields)),
      ("isInConflictWithDeletion", .boolean(change.later.deleteAgainstEdit != nil)))
  }
}
