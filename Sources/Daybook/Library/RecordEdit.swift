import Domain

/// A change to one field.
///
/// An edit is refused if records of the edited record's kind do not have the field.
public enum RecordEdit: Hashable, Sendable {
  /// The title of a to-do.
  case title(String)
  /// The list of a to-do; nil removes the to-do from its list.
  case list(Book.RecordID?)
  /// The priority of a to-do.
  case priority(Book.Priority)
  /// The day on which a to-do is due; nil for none, which also clears the time and its zone.
  ///
  /// A repeating to-do must be due on a day.
  case due(Book.Day?)
  /// The day until which a to-do is hidden; nil for none.
  case start(Book.Day?)
  /// The time at which a to-do is due on its day; nil for any time of the day, which also clears the zone.
  case dueTime(DueTime?)
  /// The time zone of the due time, such as `Europe/Berlin`; nil for the local time of each device.
  case zone(String?)
  /// The lead times of a to-do's reminders; empty for no reminder, nil for the user's setting.
  case remind([DueLead]?)
  /// The rule by which a to-do repeats; nil ends the repeats after the current date.
  ///
  /// The first date is the day of ``due(_:)`` in the same call. Without that edit, the first date is the current due
  /// date if the rule can fall on that date, or otherwise the first day, today or later, on which the rule can fall. A
  /// new rule has no end unless the call includes ``until(_:)``.
  case repeatRule(Book.RepeatRule?)
  /// The last day on which a date of a to-do's rule may fall; nil for no end.
  case until(Book.Day?)
  /// The parent of a to-do; nil for none.
  case parent(Book.RecordID?)
  /// The name of a list.
  case listName(String)
  /// The color of a list as `0xRRGGBB`; nil for none.
  case colour(Int?)
  /// The first name of a person; nil for none.
  case firstName(String?)
  /// The last name of a person; nil for none.
  case lastName(String?)
  /// The date of birth of a person; nil if it is unknown.
  case birthdate(Book.Day?)
  /// The text of a question.
  case question(String)
  /// The text of a choice.
  case choiceName(String)
  /// The weight of a choice, relative to the weights of the other choices.
  case weight(Int)
  /// A free-form note; nil for none.
  case note(String?)
  /// The complete set of tags; the record's other tags are removed.
  case tags([String])
  /// A tag to add to the record's tags.
  case addTag(String)
  /// A tag to remove from the record.
  case removeTag(String)
}

extension RecordEdit {
  /// The dates of a repeating to-do that an edit applies to.
  public enum Scope: Hashable, Sendable, CaseIterable {
    /// ``RecordEdit/due(_:)``, ``RecordEdit/dueTime(_:)``, ``RecordEdit/zone(_:)`` and ``RecordEdit/start(_:)`` apply
    /// only to the current date, and all other edits apply to all dates.
    case automatic
    /// The edit applies only to the current date and can change its title, note, due date, time, zone or start. Other
    /// edits are refused.
    case currentDate
    /// The edit applies to all dates. If it contains a due date, the dates are counted from that date. The edit is
    /// refused for a to-do that does not repeat.
    case allDates
  }
}

extension RecordEdit.Scope {
  var scope: Request.EditScope {
    switch self {
    case .automatic: .automatic
    case .currentDate: .occurrence
    case .allDates: .series
    }
  }
}

extension RecordEdit {
  var assignment: Request.Assignment {
    switch self {
    case .title(let text): .init(Field.Todo.title, .value(.text(text)))
    case .list(let list):
      .init(Field.Todo.list, list.map { .record($0.id) } ?? .value(.null))
    case .priority(let priority):
      .init(Field.Todo.priority, .value(.integer(Int64(priority.rawValue))))
    case .due(let day): .init(Field.Todo.due, .value(day.map { .date($0.date) } ?? .null))
    case .start(let day): .init(Field.Todo.start, .value(day.map { .date($0.date) } ?? .null))
    case .dueTime(let time):
      .init(Field.Todo.dueTime, .value(.optional(time?.time.minute)))
    case .zone(let name): .init(Field.Todo.zone, .value(name.map(Value.text) ?? .null))
    case .remind(let leads): .init(Field.Todo.remind, .value(DueLead.value(of: leads)))
    case .repeatRule(let rule):
      .init(Field.Todo.repeat, .value(rule.map { .text($0.description) } ?? .null))
    case .until(let day): .init(Field.Todo.until, .value(day.map { .date($0.date) } ?? .null))
    case .parent(let parent):
      .init(Field.Todo.parent, parent.map { .record($0.id) } ?? .value(.null))
    case .listName(let text): .init(Field.List.name, .value(.text(text)))
    case .colour(let colour): .init(Field.List.colour, .value(.optional(colour.map(Int64.init))))
    case .firstName(let text):
      .init(Field.Birthday.firstName, .value(text.map(Value.text) ?? .null))
    case .lastName(let text): .init(Field.Birthday.lastName, .value(text.map(Value.text) ?? .null))
    case .birthdate(let day):
      .init(Field.Birthday.birthdate, .value(day.map { .date($0.date) } ?? .null))
    case .question(let text): .init(Field.Question.content, .value(.text(text)))
    case .choiceName(let text): .init(Field.Choice.name, .value(.text(text)))
    case .weight(let weight): .init(Field.Choice.weight, .value(.integer(Int64(weight))))
    case .note(let text): .init(.note, .value(text.map(Value.text) ?? .null))
    case .tags(let tags): .init(.tags, .value(tags.isEmpty ? .null : .texts(tags)))
    case .addTag(let tag): .tag(tag)
    case .removeTag(let tag): .untag(tag)
    }
  }
}
