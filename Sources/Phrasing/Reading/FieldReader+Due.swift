package import Daybook
package import Domain
import Platform

extension FieldReader {
  /// Returns the writes for a field of a record.
  ///
  /// The writes can concern several fields, because `--due "tomorrow 17:00"` also sets the time.
  package func assignments(
    _ words: [String], for field: FieldSchema, in book: Book
  ) throws -> [Request.Assignment] {
    guard let when = try whenAssignments(words, for: field) else {
      return [.init(field.field, try content(words, for: field, in: book))]
    }
    return when
  }

  /// Returns the writes for a field that states when a to-do is due or when its reminders are; nil for other fields.
  package func whenAssignments(
    _ words: [String], for field: FieldSchema
  ) throws(WordsFault) -> [Request.Assignment]? {
    guard field.name == "due", let said = words.last else {
      return try whenContent(words, for: field).map { [.init(field.field, $0)] }
    }
    if Self.clearsDate(said) { return [.init(field.field, .value(.null))] }
    let due = try dayAndTime(said)
    let timed = due.minute.map { minute in
      [Request.Assignment(Field.Todo.dueTime, .value(.integer(Int64(minute))))]
    }
    return [.init(field.field, .value(.date(due.day)))] + (timed ?? [])
  }

  /// Returns the content of the fields that state when a to-do is due and when its reminders are; nil for other fields.
  func whenContent(
    _ words: [String], for field: FieldSchema
  ) throws(WordsFault) -> Request.Assignment.Content? {
    let isNone = Self.clearsDate(words.last ?? "")
    switch field.name {
    case "remind":
      let texts = texts(words)
      if texts.isEmpty { return .value(.null) }
      guard let leads = ReminderLeads(texts) else {
        throw .badValue("the reminders", words.joined(separator: ","), ReminderLeads.advice)
      }
      return .value(.texts(leads.words))
    case "dueTime":
      return .value(isNone ? .null : .integer(Int64(try timeOfDay(words.last ?? ""))))
    case "zone": return .value(isNone ? .null : .text(try zone(words.last ?? "")))
    default: return nil
    }
  }

  /// Reads the name of a time zone, ignoring case.
  private func zone(_ words: String) throws(WordsFault) -> String {
    let name = words.trimmed
    let titled = name.split(separator: "/").map { part in
      part.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        .joined(separator: "_")
    }
    let known = [name, titled.joined(separator: "/"), name.uppercased()].first {
      timekeeper.zone(named: $0) != nil
    }
    if let known { return known }
    // If the machine has no data about time zones, it cannot determine whether the name is right.
    guard timekeeper.zone(named: "Europe/London") != nil else { return name }
    throw .badValue(
      "the time zone", words,
      "Use a name such as Europe/Berlin, or 'none' for local time on every device.")
  }
}
