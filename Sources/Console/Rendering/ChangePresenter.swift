import Bytes
import Daybook
import Domain
import Interchange
import Phrasing
import Platform

/// Reports the changes that a command made.
struct ChangePresenter {
  let context: CommandContext
  /// Whether the report of an edit to one date of a repeating to-do names the option that applies it to all dates.
  var advises = true
  var reopens = false
  /// Whether the command cancels to-dos.
  var cancels = false
  /// Whether the changes undo or redo a command.
  var undoes = false
  /// The ends that series have lost, by the id of the to-do: `on Fri 2027-12-31`.
  var lostEnds: [UniqueID: String] = [:]
  private var output: Output { context.output }

  /// Reports the changes that a command made or, if it changed nothing, the records that it found.
  ///
  /// Sub-tasks that a change to records has also changed are only counted.
  func tell(
    _ performed: Performed, about found: [Found] = [], with subtasks: [Performed.Change] = [],
    _ change: RecordChange? = nil
  ) throws {
    if output.isJSON {
      output.answer(try json(performed.changes))
    } else if performed.isNothing {
      output.say(nothingSentence(about: found))
    } else {
      var sentences = try sentences(performed.changes)
      let count = subtasks.count.counted("sub-task")
      let isPlain = performed.changes.allSatisfy {
        $0.keptFrom == nil && $0.keptParents.isEmpty && !$0.document.hasRule
      }
      if !subtasks.isEmpty, sentences.count == 1, isPlain {
        let sentence = sentences[0].hasSuffix(".") ? sentences[0].dropLast() : sentences[0][...]
        sentences[0] = "\(sentence) and \(count)."
      } else if !subtasks.isEmpty, let change {
        sentences.append("\(change.past) \(count)\(change.rest).")
      }
      for sentence in sentences { output.say(sentence) }
    }
    try noteEndedSeries(performed.changes + subtasks)
  }

  /// Notes that a completed to-do repeats in the program that it was imported from, but not here.
  func noteEndedSeries(_ changes: [Performed.Change]) throws {
    for change in changes where change.fields.contains(Field.Todo.done) {
      let document = change.document
      guard document.kind == .todo, document.value(Field.Todo.done).boolean == true,
        let rule = Repetition.rule(of: document)
      else { continue }
      let id = try context.presentSnapshot().shortID(document.id)
      output.note(
        "\(document.title.visible) repeats in the program it came from (\(rule.visible)), but not in daybook. "
          + "The rule is kept and exported. "
          + "To set the next date, run 'daybook undone \(id)' and then 'daybook edit \(id) --due DATE'."
      )
    }
  }

  /// Returns the sentence about records that a command found and did not change.
  func nothingSentence(about found: [Found]) -> String {
    // The names of many records would be too long to read.
    guard !found.isEmpty, found.count <= 5 else {
      return found.isEmpty
        ? "Nothing to change: it is already as requested."
        : "Nothing to change: \(found.count) records are already as requested."
    }
    let names = found.map { "\($0.kind.name) \($0.shortID) \($0.title.visible)" }
    let verb = found.count == 1 ? "is" : "are"
    return "Nothing to change: \(names.joined(separator: ", ")) \(verb) already as requested."
  }

  func json(_ changes: [Performed.Change], reopened: [Undoing.Reopened] = []) throws -> JSON {
    let snapshot = try context.presentSnapshot()
    return .array(
      try changes.map { change in
        let document = try snapshot.document(change.document.key) ?? change.document
        let others = reopened.filter { $0.id == document.id }
        var more = others.isEmpty ? [] : [JSON.Member("reopened", try json(others, snapshot))]
        // Another device has also written the record; for example, it has closed the same date.
        if change.verb == .delete, change.joined.isEmpty, document.isAlive {
          more.append(JSON.Member("remains", true))
        }
        if let occurrence = change.occurrence {
          let todo = try snapshot.document(occurrence.todo.key) ?? occurrence.todo
          more.append(JSON.Member("todo", try snapshot.json(todo)))
        }
        return .object(
          [
            JSON.Member("verb", .string(change.verb.name(joining: change.joined))),
            JSON.Member("record", try snapshot.jsonWithKind(document)),
          ] + more)
      })
  }

  /// Returns the fields that are in conflict again, with the values that are not shown; a null field represents a
  /// delete in conflict with an edit.
  private func json(_ reopened: [Undoing.Reopened], _ snapshot: Snapshot) throws -> JSON {
    .array(
      try reopened.map { reopened in
        let schema = reopened.field.flatMap { Schema.field($0, of: reopened.kind) }
        let others = try schema.map { schema in
          try reopened.others.map { try snapshot.json($0, schema.type) }
        }
        return .object(
          ("field", schema.map { .string($0.name) } ?? .null), ("others", .array(others ?? [])))
      })
  }

  /// Returns the sentences about changes.
  ///
  /// The records in `changedAgain` were changed again by a later step of the same command, so they are described with
  /// the values that they had after these changes. The other records are described with their present values.
  func sentences(
    _ changes: [Performed.Change], changedAgain: Set<UniqueID> = []
  ) throws -> [String] {
    let snapshot = try context.presentSnapshot()
    let repeats = RepeatReceipt(
      context: context, snapshot: snapshot, advises: advises, reopens: reopens,
      cancels: cancels)
    var sentences: [String] = []
    var ended: Set<EventKey> = []
    for change in changes {
      let then = changedAgain.contains(change.document.id) ? change.document : nil
      var change = change
      // The document in the snapshot also contains the records that it refers to.
      change.document = try snapshot.document(change.document.key) ?? change.document
      guard let occurrence = change.occurrence else {
        let ending = try repeats.ending(change)
        if ending != nil { ended.insert(change.document.key) }
        sentences.append(try ending ?? sentence(change, then, snapshot, repeats))
        continue
      }
      // Cancelling or reopening a series also changes its stored current date, which two devices may have written.
      let sentence = try repeats.sentence(change, occurrence)
      if !ended.contains(occurrence.todo.key), !sentences.contains(sentence) {
        sentences.append(sentence)
      }
    }
    return sentences
  }

  /// Returns the sentence about a record that is not an occurrence; `then` contains the values to report for an edit.
  private func sentence(
    _ change: Performed.Change, _ then: Document?, _ snapshot: Snapshot, _ repeats: RepeatReceipt
  ) throws -> String {
    if change.verb == .add, change.document.kind == .pick {
      return try drawSentence(change.document, snapshot)
    }
    let what = try snapshot.name(of: change.document)
    if !change.joined.isEmpty { return try joinSentence(change, snapshot) }
    let kept = try keptWords(change, snapshot)
    switch change.verb {
    case .add:
      return "Added \(what)\(try consequence(change.document, snapshot, repeats))".asSentence + kept
    case .edit:
      let sentence = try editSentence(
        change, then ?? change.document, what, snapshot, repeats)
      guard let device = change.keptFrom else { return sentence + kept }
      return sentence + " The edit keeps the record, although \(device.visible) deleted it." + kept
    // A deleted record that is alive, but not merged, was restored by a later step of an undo.
    case .delete where change.document.isAlive && change.document.members.count > 1:
      return "Deleted one of the records merged into \(what), which remains."
    case .delete:
      let whole = "\(what)\(try childWords(of: change.document))"
      if undoes, let devices = try snapshot.devicesThatDeleted(change.document) {
        return "Deleted again, because \(devices) deleted it: \(whole)".asSentence
      }
      return "Deleted \(whole)".asSentence
    case .restore:
      if let device = change.keptFrom {
        return "Kept \(what), although \(device.visible) deleted it."
      }
      return "Restored \(what)\(try consequence(change.document, snapshot, repeats))".asSentence
    case .alias: return "Joined \(what) with another record."
    }
  }

  /// Returns a sentence for each list or question that the command kept by adding to it.
  func keptWords(_ change: Performed.Change, _ snapshot: Snapshot) throws -> String {
    try change.keptParents.map { kept in
      " The change keeps \(try snapshot.name(of: kept.document)), although \(kept.device.visible) deleted it."
    }.joined()
  }

  /// Returns the children or repeats that were deleted with a record, to append to its title.
  private func childWords(of document: Document) throws -> String {
    if document.kind == .todo, document.text(Field.Todo.repeat) != nil { return " and its repeats" }
    guard [.list, .question].contains(document.kind) else { return "" }
    let children = Children(try context.book().finder.countsHidden(with: document.key))
    guard children.count > 0 else { return "" }
    return ", and with it \(children.words)"
  }

  /// Returns the sentence for an event that joins or separates records.
  private func joinSentence(
    _ change: Performed.Change, _ snapshot: Snapshot
  ) throws -> String {
    let names = try change.joined.map { try snapshot.name(of: $0) }
    guard names.count > 1 else {
      let name = names.joined()
      guard change.verb == .delete else { return "Joined two into one: \(name)." }
      return change.joined.contains { $0.members.count > 1 }
        ? "Removed one of the merges of \(name), which another merge still keeps together."
        : "Separated \(name) from another record, which has been erased."
    }
    let deleted = zip(names, change.joined).filter { !$0.1.isAlive }.map(\.0)
    let gone =
      deleted.isEmpty
      ? "" : "; \(deleted.joined(separator: " and ")) \(deleted.count == 1 ? "is" : "are") deleted"
    return "Separated \(names.joined(separator: " and "))\(gone)."
  }

  private func editSentence(
    _ change: Performed.Change, _ document: Document, _ what: String, _ snapshot: Snapshot,
    _ repeats: RepeatReceipt
  ) throws -> String {
    if let todo = Todo(document), change.fields.isStateOfTodo {
      return "\(state(of: todo, document, after: change)): \(what)".asSentence
    }
    let todo = document.kind == .todo ? try ShownTodo(document, in: snapshot.model) : nil
    // The due date, its time and its zone are one thing for the user, and so are the rule and its end.
    let groups = todo == nil ? [] : [DueReceipt.fields, [Field.Todo.repeat, Field.Todo.until]]
    let firsts = groups.map { group in change.fields.first(where: group.contains) }
    let fields = change.fields.filter { firsts.contains($0) || !groups.joined().contains($0) }
    let parts = try fields.compactMap { Schema.field($0, of: document.kind) }.map { field in
      if let todo, let words = words(of: field.field, firsts, todo, repeats) { return words }
      if field.field == .extra { return "data kept from files" }
      if let todo, field.field == Field.Todo.remind,
        let leads = ReminderLeads(stored: document.texts(field.field))
      {
        let words = try snapshot.words(document.value(field.field), of: field)
        return "\(field.optionName) \(words)"
          + DueReceipt(context: context).waiting(for: todo, leads)
      }
      return "\(field.optionName) \(try snapshot.words(document.value(field.field), of: field))"
    }
    let kept = [Field.Todo.title, .note].filter(change.fields.contains).compactMap { field in
      todo?.ownText(of: field).map { own in
        " Its current date keeps its own \(field.name(in: .todo)): \(own.visible)".asSentence
      }
    }
    return "Edited \(what): \(parts.joined(separator: ", "))".asSentence + kept.joined()
  }

  /// Returns the state that a change has given to a to-do.
  ///
  /// A to-do that one device has done and another has cancelled is shown as done. An undo of one of the two changes only
  /// that part, so the other is said to remain.
  private func state(
    of todo: Todo, _ document: Document, after change: Performed.Change
  ) -> String {
    let isOfDone = change.fields.contains(Field.Todo.done)
    let isOfCancelled = change.fields.contains(Field.Todo.cancelled)
    let isAlsoCancelled = document.value(Field.Todo.cancelled) == .boolean(true)
    if todo.isDone {
      if isOfDone || !isOfCancelled { return "Done" }
      return "\(isAlsoCancelled ? "Cancelled" : "No longer cancelled"), but still done"
    }
    if todo.isCancelled {
      return isOfDone && !isOfCancelled ? "No longer done, but still cancelled" : "Cancelled"
    }
    return document.isAlive ? "Open again" : "No longer \(isOfDone ? "done" : "cancelled")"
  }

  /// Returns the new dates or the new rule of a to-do; nil for other fields.
  private func words(
    of field: Field, _ firsts: [Field?], _ todo: ShownTodo, _ repeats: RepeatReceipt
  ) -> String? {
    let dates = DueReceipt(context: context)
    if field == firsts.first { return "due \(dates.words(of: todo) ?? "none")" }
    if field == firsts.last {
      let lost = lostEnds[todo.document.id].map { ", no longer ends \($0)" } ?? ""
      return repeats.rule(of: todo).map { $0 + lost }
    }
    return field == Field.Todo.start ? dates.startWords(of: todo) : nil
  }

  /// Returns the details to append to the title of a record.
  private func consequence(
    _ document: Document, _ snapshot: Snapshot, _ repeats: RepeatReceipt
  ) throws -> String {
    if let birthday = Birthday(document) {
      guard let date = birthday.birthdate else { return ", date unknown" }
      guard let today = context.today,
        let next = birthday.next(from: today, rule: context.preferences.leapRule)
      else {
        return ", \(date.words)"
      }
      return ", \(date.dayWords) (\(next.words))"
    }
    if let todo = Todo(document) {
      var parts: [String] = []
      if todo.priority != .normal { parts.append("\(todo.priority.words) priority") }
      let shown = try ShownTodo(document, in: snapshot.model)
      let dates = DueReceipt(context: context)
      if let due = dates.words(of: shown) { parts.append("due " + due) }
      parts += [dates.startWords(of: shown), repeats.rule(of: shown)].compactMap(\.self)
      if let list = todo.list, let title = try snapshot.title(of: list) {
        parts.append("in list \(title.visible)")
      }
      if let leads = ReminderLeads(stored: todo.remind) {
        parts.append(leads.phrase + dates.waiting(for: shown, leads))
      }
      parts += document.texts(.tags).map { "#\($0.visible)" }
      return parts.map { ", \($0)" }.joined()
    }
    if let choice = Choice(document) { return ", weight \(choice.weight)" }
    return ""
  }

  private func drawSentence(_ document: Document, _ snapshot: Snapshot) throws -> String {
    guard let pick = Pick(document) else { return "Drew nothing." }
    let question = try pick.question.flatMap { try snapshot.title(of: $0) } ?? "a question"
    let choice = try pick.choice.flatMap { try snapshot.title(of: $0) } ?? "an unknown choice"
    return "Drew \(choice.visible) for \(question.visible)" + (weightWords(of: pick) ?? "") + "."
  }

  /// Returns the probability of a pick as text, if its draw can be read.
  private func weightWords(of pick: Pick) -> String? {
    // If the draw cannot be read, only the result is shown.
    guard let bytes = pick.draw, let draw = try? Draw(bytes.span), let place = try? draw.replay()
    else { return nil }
    return " (\(draw.entries[place].weight) in \(draw.total))"
  }
}

extension Snapshot {
  /// Returns the kind, short id and title of a record, and the date of an occurrence.
  ///
  /// The title is the one that lists show and by which the record is found.
  func name(of document: Document) throws -> String {
    let id = try shortID(document.id)
    let title = try datedTitle(of: document).visible
    return "\(document.kind.name) \(id)" + (title.isEmpty ? "" : " \(title)")
  }
}

extension [Field] {
  /// Whether the fields of a to-do only say whether and when it was closed.
  fileprivate var isStateOfTodo: Bool {
    let state = [
      Field.Todo.done, Field.Todo.completedAt, Field.Todo.cancelled, Field.Todo.closedOn,
    ]
    return allSatisfy(state.contains) && decideState
  }
}

extension String {
  /// The text with a full stop, unless it already ends a sentence.
  var asSentence: String { last.map { "?!.…".contains($0) } == true ? self : self + "." }
}
