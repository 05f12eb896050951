package import Bytes
package import Domain
package import ReadModel

/// A to-do's values as users see them.
///
/// A series shows the values of its current occurrence, an occurrence inherits most of its values from its series, and
/// a sub-task of a series is closed in one slot and open in the next. The read model stores these values in the to-do's
/// row.
package struct ShownTodo {
  package let document: Document
  /// The to-do as its own document shows it; nil for other kinds of records.
  private let todo: Todo?
  /// The to-do's row, if some values come from other to-dos.
  package let row: TodoRow?
  /// How the to-do itself repeats.
  package let series: Series?
  /// The parent that was written but is ignored.
  package let ignoredParent: IgnoredParent?

  package init(_ document: Document, in model: ReadModel) throws(ReadModelError) {
    self.document = document
    todo = Todo(document)
    series = Series(document)
    row = try Self.row(of: document, in: model)
    ignoredParent = try IgnoredParent(of: document, in: model)
  }

  private static func row(
    of document: Document, in model: ReadModel
  ) throws(ReadModelError) -> TodoRow? {
    let isRepeating =
      document.text(Field.Todo.repeat) != nil || document.isOccurrence
      || document.value(Field.Todo.parent) != .null
    return isRepeating && document.isAlive ? try model.todos.todo(document.key) : nil
  }

  package var due: CivilDate? { row.map(\.due) ?? todo?.due }
  package var dueTime: Int64? { row.map(\.dueTime) ?? todo?.dueTime }
  package var zone: String? { row.map(\.zone) ?? todo?.zone }
  package var start: CivilDate? { row.map(\.start) ?? todo?.start }
  package var isClosed: Bool { row?.isClosed ?? todo?.isClosed ?? false }

  /// Returns when the to-do is due according to the calendar of this device; nil if it has no due date.
  package func localDue(by dues: LocalDues) -> LocalDue? {
    if let row { return dues.localDue(of: row) }
    return todo.flatMap(dues.localDue)
  }

  /// Returns the value of a field, or the value that its absence means.
  package func value(of field: FieldSchema) -> Value {
    if field.field == Field.Todo.parent, ignoredParent != nil { return .null }
    guard let shown = row?.value(of: field.field) else { return document.meaning(of: field) }
    return field.meaning(of: shown)
  }

  /// Returns the value of a field that is shown in place of the to-do's own value: that of its current date or, for an
  /// occurrence, that of its series.
  ///
  /// - Returns: nil if the to-do shows its own value.
  package func valueElsewhere(of field: FieldSchema) -> Value? {
    guard field.field != Field.Todo.parent, !field.isFixed,
      let shown = row?.value(of: field.field).map(field.meaning)
    else { return nil }
    return shown == document.meaning(of: field) ? nil : shown
  }

  /// The title or note that the current date of a repeating to-do has in place of the to-do's; nil if the date has none
  /// of its own.
  package func ownText(of field: Field) -> String? { row?.ownText(of: field, in: document) }

  /// Returns the title or note that the current date of a repeating to-do has in place of the to-do's, without reading
  /// the date's other values.
  ///
  /// - Returns: The title or note; nil if the current date has none of its own, and for every other record.
  /// - Throws: ``ReadModelError`` if the to-do's row cannot be read.
  package static func ownText(
    of field: Field, _ document: Document, in model: ReadModel
  ) throws(ReadModelError) -> String? {
    guard document.kind == .todo, !document.isOccurrence else { return nil }
    return try row(of: document, in: model)?.ownText(of: field, in: document)
  }

  /// Whether the to-do is open and hidden on a day.
  package func isHidden(on day: CivilDate?) -> Bool {
    guard let day, !isClosed else { return false }
    return Todo.isHidden(start: start, due: due, on: day)
  }

  /// The rule in words, including its end; nil if the to-do does not repeat or its rule cannot be read.
  package var ruleWords: String? { series?.words }

  /// The rule for programs; null if the to-do has no rule.
  package var ruleJSON: JSON {
    guard let rule = document.text(Field.Todo.repeat) else { return .null }
    let until = document.value(Field.Todo.until).date
    return .object(
      ("rule", .string(rule)), ("words", ruleWords.map { .string($0) } ?? .null),
      ("until", until.map { .string($0.iso) } ?? .null))
  }

  /// The due date of the series itself, for programs.
  package var firstDueJSON: JSON { series.map { .string($0.due.iso) } ?? .null }
}

extension Series {
  /// The rule in words, including its end.
  package var words: String { rule.words(from: anchor, until: until) }
}

extension TodoRow {
  /// Returns the title or note of the current date of a series if it differs from that of the to-do.
  fileprivate func ownText(of field: Field, in document: Document) -> String? {
    guard series == nil, slot != nil,
      let shown = field == Field.Todo.title ? title : field == .note ? head.note : nil
    else { return nil }
    return shown == document.text(field) ? nil : shown
  }

  /// Returns the value of a field that can come from another to-do; nil for other fields.
  fileprivate func value(of field: Field) -> Value? {
    func date(_ date: CivilDate?) -> Value { date.map(Value.date) ?? .null }
    switch field {
    case Field.Todo.title: return .optional(title)
    case .note: return .optional(head.note)
    case Field.Todo.done: return .boolean(isDone)
    case Field.Todo.cancelled: return .boolean(isCancelled)
    case Field.Todo.completedAt: return .optional(completedAt)
    case Field.Todo.closedOn: return date(closedOn)
    case Field.Todo.due: return date(due)
    case Field.Todo.dueTime: return .optional(dueTime)
    case Field.Todo.zone: return .optional(zone)
    case Field.Todo.start: return date(start)
    case Field.Todo.slot: return date(slot)
    default: return series == nil ? nil : inherited(field)
    }
  }

  /// Returns the value that an occurrence inherits from its series; nil for fields that are not inherited.
  private func inherited(_ field: Field) -> Value? {
    switch field {
    case Field.Todo.list: list.map(Value.reference) ?? .null
    case Field.Todo.priority: .integer(priority)
    case Field.Todo.parent: parent.map(Value.reference) ?? .null
    case .tags: head.tags.isEmpty ? .null : .texts(head.tags)
    default: nil
    }
  }
}
