/// A change to the book that a user or an importer requests.
package enum Command: Sendable {
  case add(Kind, [Field: Value], source: Source? = nil)
  /// Adds a list, and a to-do on it.
  case addTodoInNewList([Field: Value], listName: String, colour: Int64? = nil)
  case addQuestion([Field: Value], choices: [NewChoice])
  case edit(EventKey, [Field: Value])
  /// Marks to-dos as done, or opens them again; for a repeating to-do, the command applies to the current occurrence or
  /// to the occurrence that was closed last.
  ///
  /// The day is the device's current day, or nil if the device's clock cannot be trusted.
  case setDone([EventKey], Bool, on: CivilDate? = nil)
  /// Closes to-dos without marking them as done, and ends repeating to-dos.
  case cancel([EventKey], on: CivilDate?)
  /// Closes the current occurrences of repeating to-dos without marking them as done.
  case skip([EventKey], on: CivilDate?)
  /// Edits the current occurrence of a repeating to-do.
  case editOccurrence(EventKey, [Field: Value])
  /// Edits all dates of a repeating to-do.
  case editSeries(EventKey, [Field: Value])
  /// Gives a to-do a rule and a first due date, with other fields.
  case setRepeat(EventKey, [Field: Value])
  /// Makes the current occurrence of a series its last.
  case endRepeat(EventKey)
  case delete([EventKey], children: ChildRule = .hide)
  case restore(EventKey)
  /// Restores a document, writes the given fields, and clears all other fields except fixed and quiet fields.
  case revive(EventKey, [Field: Value])
  /// Draws a choice of a question and records the pick.
  case pick(question: EventKey)
  /// Settles a conflict in a field; refused if there is no such conflict.
  case settle(EventKey, Field, Taking)
  /// Settles a delete against an edit; refused if there is no such conflict.
  case settleLife(EventKey, isKept: Bool)
  /// Joins two documents; where both have a value, the first document's value counts, unless both values are kept as a
  /// conflict.
  case join(EventKey, EventKey, keepsBoth: Bool = false)

  package struct NewChoice: Hashable, Sendable {
    package let name: String
    package let weight: Int64?

    package init(name: String, weight: Int64? = nil) {
      self.name = name
      self.weight = weight
    }
  }

  /// The treatment of the children of a deleted record.
  package enum ChildRule: Sendable {
    /// The children are hidden with the parent and shown again when the parent is restored.
    case hide
    /// The delete is refused if the record has to-dos or choices that the command does not also delete.
    case deny
    /// The children stay, without a parent; the delete is refused if a child is a choice, which needs its question.
    case keep
  }
}

extension Command {
  /// The dates that an edit of a repeating to-do changes.
  package enum EditScope: Sendable {
    /// The due date, its time and zone, and the start change only the current occurrence; other fields change the
    /// series.
    case automatic
    /// All fields change the current occurrence.
    case occurrence
    case series
  }

  /// The fields that an edit of a repeating to-do changes only for one date by default.
  private static let fieldsOfOneDate: Set<Field> = [
    Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone, Field.Todo.start,
  ]

  /// The commands that carry out an edit of a to-do that may repeat.
  ///
  /// - Parameters:
  ///   - key: The to-do.
  ///   - fields: The fields. A rule must come with a due date; a rule of null ends the series after its current date.
  ///   - scope: The dates that change.
  ///   - repeats: Whether the to-do has a rule.
  ///   - hasCurrent: Whether the to-do shows a slot and is not a finished series.
  /// - Returns: The commands, in order.
  package static func edits(
    of key: EventKey, _ fields: [Field: Value], scope: EditScope, repeats: Bool, hasCurrent: Bool
  ) -> [Command] {
    switch fields[Field.Todo.repeat] {
    case nil: break
    case .null?:
      let others = fields.filter { $0.key != Field.Todo.repeat && $0.key != Field.Todo.until }
      let end: [Command] = repeats ? [.endRepeat(key)] : []
      return others.isEmpty
        ? end
        : end + edits(of: key, others, scope: scope, repeats: repeats, hasCurrent: hasCurrent)
    case .some: return [.setRepeat(key, fields)]
    }
    switch scope {
    case .occurrence: return [.editOccurrence(key, fields)]
    case .series: return [.editSeries(key, fields)]
    case .automatic:
      guard repeats, hasCurrent else { return [.edit(key, fields)] }
      let once = fields.filter { fieldsOfOneDate.contains($0.key) }
      let always = fields.filter { !fieldsOfOneDate.contains($0.key) }
      return (always.isEmpty ? [] : [.edit(key, always)])
        + (once.isEmpty ? [] : [.editOccurrence(key, once)])
    }
  }

  package static func addBirthday(
    firstName: String? = nil, lastName: String? = nil, birthdate: CivilDate? = nil
  ) -> Command {
    .add(
      .birthday,
      [
        Field.Birthday.firstName: .optional(firstName),
        Field.Birthday.lastName: .optional(lastName),
        Field.Birthday.birthdate: birthdate.map(Value.date) ?? .null,
      ])
  }

  package static func addList(name: String, colour: Int64? = nil) -> Command {
    .add(.list, [Field.List.name: .text(name), Field.List.colour: .optional(colour)])
  }

  package static func addTodo(
    title: String, list: EventKey? = nil, priority: Priority? = nil, due: CivilDate? = nil
  ) -> Command {
    .add(
      .todo,
      [
        Field.Todo.title: .text(title),
        Field.Todo.list: list.map(Value.reference) ?? .null,
        Field.Todo.priority: .optional(priority?.rawValue),
        Field.Todo.due: due.map(Value.date) ?? .null,
      ])
  }

  /// The fields of a new to-do; the event that adds it contains the fields that are not null.
  package static func fieldsOfTodo(
    title: String, priority: Int64?, due: CivilDate?, start: CivilDate?, note: String?,
    tags: [String]
  ) -> [Field: Value] {
    [
      Field.Todo.title: .text(title), Field.Todo.priority: .optional(priority),
      Field.Todo.due: due.map(Value.date) ?? .null, .note: note.map(Value.text) ?? .null,
      .tags: tags.isEmpty ? .null : .texts(tags), Field.Todo.start: start.map(Value.date) ?? .null,
    ]
  }

  /// Adds a to-do with the given fields to a list.
  package static func addTodo(_ fields: [Field: Value], on list: EventKey) -> Command {
    .add(.todo, fields.merging([Field.Todo.list: .reference(list)]) { $1 })
  }

  /// Makes a new to-do a sub-task of another to-do, and puts it on a list if a list is given.
  package static func put(
    _ fields: inout [Field: Value], under parent: EventKey, on list: EventKey?
  ) {
    fields[Field.Todo.parent] = .reference(parent)
    if let list { fields[Field.Todo.list] = .reference(list) }
  }

  /// The day that is the given number of days before the due date that a to-do has after an edit.
  ///
  /// - Parameters:
  ///   - days: The number of days.
  ///   - fields: The fields that the edit writes.
  ///   - before: The due date before the edit.
  /// - Returns: The day; nil if it cannot be counted back from the due date.
  package static func day(
    _ days: Int, beforeDueIn fields: [Field: Value], orBefore before: CivilDate?
  ) -> CivilDate? {
    let due = fields[Field.Todo.due].map(\.date) ?? before
    return due?.adding(days: -days)
  }

  package static func addChoice(
    question: EventKey, name: String, weight: Int64? = nil
  ) -> Command {
    .add(
      .choice,
      [
        .owner: .reference(question), Field.Choice.name: .text(name),
        Field.Choice.weight: .optional(weight),
      ])
  }
}

extension Value {
  package static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
  package static func optional(_ number: Int64?) -> Value { number.map(Value.integer) ?? .null }
}
