import Bytes
import Domain
import Interchange

extension ForeignBook {
  /// Creates a book with the to-do Bins, which has the given fields besides its title.
  static func ofBins(_ fields: String) throws -> ForeignBook {
    var book = ForeignBook(number: 1)
    try book.run(
      #"{"op":"add","kind":"todo","t":1795132800000,"id":"b","title":"Bins",\#(fields)}"#)
    return book
  }

  /// How a to-do repeats: its rule, its first due date and its end, then the current due date, then each stored slot.
  ///
  /// `FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-26`.
  func repeating(_ title: String) -> String? {
    guard let document = todo(title), let recurrence = records.recurrence(of: document.key) else {
      return nil
    }
    let state = recurrence.state
    var head = recurrence.isOfSubtask ? "a part" : state.series.rule.text
    head += " from \(state.series.due.iso)"
    if let start = state.series.start { head += " starting \(start.iso)" }
    if let until = state.series.until { head += " until \(until.iso)" }
    let current = recurrence.isOfSubtask ? recurrence.slot?.iso : state.current?.due.iso
    let slots = RecurrenceFinder(records).occurrences(of: document).compactMap(words).sorted()
    return ([head + ": " + (current ?? "finished")] + slots).joined(separator: "; ")
  }

  private func words(_ document: Document) -> String? {
    guard let occurrence = Series.Occurrence(document) else { return nil }
    var words = [occurrence.slot.iso]
    if let closing = occurrence.closing {
      words.append(closing.kind == .done ? "done" : "skipped")
      if let day = closing.day { words.append(day.iso) }
    } else {
      words.append("open")
    }
    let todo = Todo(document)
    if let due = todo?.due { words.append("due \(due.iso)") }
    if let time = todo?.dueTime.flatMap({ TimeOfDay(minute: $0) }) { words.append(time.text) }
    if let start = todo?.start { words.append("from \(start.iso)") }
    if let title = document.text(Field.Todo.title) { words.append("'\(title)'") }
    if let note = document.note { words.append("(\(note))") }
    return words.joined(separator: " ")
  }

  /// The to-do with this title that is alive and not an occurrence.
  func todo(_ title: String) -> Document? {
    records.documents(.todo).first {
      $0.isAlive && !$0.isOccurrence && $0.text(Field.Todo.title) == title
    }
  }

  /// Edits a to-do.
  mutating func set(_ title: String, _ fields: String) throws {
    guard let id = todo(title)?.id.uuid else { return }
    try run(#"{"op":"edit","kind":"todo","id":"\#(id)","set":{\#(fields)}}"#)
  }

  /// Adds an occurrence of a to-do, as commands write it.
  mutating func occur(_ title: String, _ slot: String, _ fields: String) throws {
    guard let series = todo(title)?.id.uuid else { return }
    try run(
      #"{"op":"add","kind":"todo","id":"\#(title) \#(slot)","series":"\#(series)","slot":"\#(slot)",\#(fields)}"#
    )
  }
}
