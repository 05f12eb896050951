import Bytes
import Daybook
import Domain
import Phrasing

/// Describes events of the history for the page.
struct EntryWords {
  private let snapshot: Snapshot
  private let page: PageSnapshot

  /// Prepares to describe the events of a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The state of the book that contains the events' records.
  ///   - page: The state that the page shows.
  init(_ snapshot: Snapshot, _ page: PageSnapshot) { (self.snapshot, self.page) = (snapshot, page) }

  /// Returns the verb of an event, such as `Added`, `Completed`, `Drew` or `Undo: added`.
  func verb(_ entry: HistoryEntry) -> String {
    if entry.isErased { return "Erased" }
    let word = plainVerb(entry)
    switch entry.undoer {
    case .undo: return "Undo: \(word.lowercased())"
    case .redo: return "Redo: \(word.lowercased())"
    case nil: return word
    }
  }

  private func plainVerb(_ entry: HistoryEntry) -> String {
    if !entry.joined.isEmpty { return entry.fact.body.verb == .delete ? "Separated" : "Joined" }
    switch entry.fact.body.verb {
    case .add where entry.document?.isOccurrence == true: return closingVerb(entry) ?? "Changed"
    case .add: return entry.document?.kind == .pick ? "Drew" : "Added"
    case .edit: return closingVerb(entry) ?? "Changed"
    case .delete: return occurrenceVerb(entry, isRestored: false) ?? "Deleted"
    case .restore: return occurrenceVerb(entry, isRestored: true) ?? "Restored"
    case .alias: return "Joined"
    }
  }

  /// Returns the verb of an event after which an occurrence is no longer stored, or is stored again; nil for other
  /// records.
  private func occurrenceVerb(_ entry: HistoryEntry, isRestored: Bool) -> String? {
    guard let document = entry.document, document.isOccurrence else { return nil }
    if document.value(Field.Todo.done) == .boolean(true) {
      return isRestored ? "Completed" : "Opened again"
    }
    if document.value(Field.Todo.cancelled) == .boolean(true) {
      return isRestored ? "Skipped" : "Opened again"
    }
    return "Changed"
  }

  /// Returns the verb of an event that closed or reopened a to-do; nil for all other events.
  private func closingVerb(_ entry: HistoryEntry) -> String? {
    guard let document = entry.document, document.kind == .todo else { return nil }
    let tick = [
      Field.Todo.done, Field.Todo.completedAt, Field.Todo.cancelled, Field.Todo.closedOn,
    ]
    var others: [Field] = [.because, .provenance]
    if document.isOccurrence { others += [.source, .owner, Field.Todo.slot] }
    let writes = entry.fact.body.fieldWrites.filter { !others.contains($0.field) }
    guard writes.allSatisfy({ tick.contains($0.field) }) else { return nil }
    func written(_ field: Field) -> Bool? {
      writes.first { $0.field == field }.map { $0.value.boolean ?? false }
    }
    let (isDone, isCancelled) = (written(Field.Todo.done), written(Field.Todo.cancelled))
    if isDone == true { return "Completed" }
    if isCancelled == true { return document.isOccurrence ? "Skipped" : "Cancelled" }
    return isDone == nil && isCancelled == nil ? nil : "Opened again"
  }

  /// Returns the title of the record that an event changed or, for a draw, the choice that was drawn.
  func title(_ entry: HistoryEntry) throws -> String {
    if !entry.joined.isEmpty {
      return entry.joined.map(\.datedTitle.visible).joined(separator: " and ")
    }
    guard let document = entry.document else { return entry.isErased ? "" : "something unknown" }
    guard document.kind == .pick else { return document.datedTitle.visible }
    let choice = try document.value(Field.Pick.choice).reference.flatMap(snapshot.title)
    return choice?.visible ?? "something unknown"
  }

  /// Returns the changes to the fields, such as `due date 21 Nov → 22 Nov`, or the question for a draw.
  func rest(_ entry: HistoryEntry) throws -> String {
    guard let document = entry.document, entry.joined.isEmpty else { return "" }
    if document.kind == .pick {
      let question = try document.value(.owner).reference.flatMap(snapshot.title)
      return question.map { "for \($0.visible)" } ?? ""
    }
    let isAdded = entry.isAddition
    var parts: [String] = []
    for write in entry.fact.body.fieldWrites {
      guard let field = Schema.field(write.field, of: document.kind),
        field.inputName != nil || field.name == "until", !entry.isWithoutEffect(write),
        !["done", "cancelled"].contains(field.name), !(isAdded && field.isTitle)
      else { continue }
      parts.append(try change(of: field, by: write, in: entry))
    }
    for (field, taken) in entry.taken.fields {
      parts.append("\(field.phrase) \(try value(taken, field))")
    }
    parts += TagChanges(entry).words
    return parts.joined(separator: "; ")
  }

  /// Returns the verb and the changes, without the title of the record.
  func sentence(_ entry: HistoryEntry) throws -> String {
    [verb(entry), try rest(entry)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func change(
    of field: FieldSchema, by write: Write, in entry: HistoryEntry
  ) throws -> String {
    let values = entry.fact.body.values(of: write.field)
    let new = try values.map { try value(field.meaning(of: $0), field) }.joined(separator: " or ")
    if entry.isAddition {
      return field.type == .reference(.list) ? "to \(new)" : "\(field.phrase) \(new)"
    }
    let replaced = entry.replaced[write.field, default: []]
    guard let old = replaced.first else { return "\(field.phrase) \(new)" }
    let before = try value(field.meaning(of: old.write.value), field)
    // If a date of a repeating to-do has no value of its own, it has the to-do's value.
    let isInherited = entry.document?.isOccurrence == true && write.value == .null
    return "\(field.phrase) \(before) " + (isInherited ? "removed" : "→ \(new)")
  }

  /// Returns the text for a value.
  ///
  /// Text values are quoted, and shortened to 120 characters.
  private func value(_ value: Value, _ field: FieldSchema) throws -> String {
    if value == .null { return "none" }
    if field.type == .date, let date = value.date {
      return date.year == page.today.year ? date.shortDayWords : date.shortWords
    }
    let words = try snapshot.words(value, field.type)
    guard case .text = field.type else { return words }
    return "“\(words.count > 120 ? words.prefix(119) + "…" : words)”"
  }
}

extension HistoryEntry {
  /// Whether the event added a record.
  ///
  /// The first event about an occurrence does not, because it changes one date of an existing to-do.
  fileprivate var isAddition: Bool {
    fact.body.verb == .add && document?.isOccurrence != true
  }

  /// Returns whether a write gave a field the value that it already had, as a new rule may do to the due date.
  fileprivate func isWithoutEffect(_ write: Write) -> Bool {
    let before = replaced[write.field, default: []]
    return before.isEmpty ? write.value == .null : before.map(\.write.value) == [write.value]
  }
}

extension FieldSchema {
  /// Whether the title of the record consists of this field.
  fileprivate var isTitle: Bool {
    ["title", "name", "content", "firstName", "lastName"].contains(name)
  }
}
