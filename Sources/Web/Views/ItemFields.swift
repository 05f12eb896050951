import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Makes the fields of a record for the inputs in the record's details.
struct ItemFields {
  let page: PageSnapshot
  /// The record; if it is a repeating to-do, its values are those of the current date.
  let todo: ShownTodo

  private var document: Document { todo.document }

  /// The fields in which one date of a repeating to-do can differ from the others.
  private static let ofOneDate: Set<Field> = [
    Field.Todo.title, Field.Todo.due, Field.Todo.dueTime, Field.Todo.zone, Field.Todo.start, .note,
  ]

  /// Returns the fields that can be edited.
  func fields() throws -> [JSON] {
    try (Schema.schema(of: document.kind)?.fields ?? []).compactMap { field in
      guard let input = field.inputName, !["done", "cancelled"].contains(field.name),
        !document.isOccurrence || Self.ofOneDate.contains(field.field)
      else { return nil }
      let birth = document.value(Field.Birthday.birthdate).date
      // The leap rule applies only to a birth on 29 February.
      if input == "leap", birth?.month != 2 || birth?.day != 29 { return nil }
      let value = todo.value(of: field)
      // A zone has no meaning without a due time.
      if field.name == "zone", value == .null, todo.dueTime == nil { return nil }
      return .object(
        ("name", .string(field.name)), ("label", .string(field.label)),
        ("type", .string(input)), ("value", .string(try fieldText(value, field))),
        (
          "options",
          .array(input == "todo" ? try possibleParents() : page.options(of: field))
        ), ("hint", .words(try hint(field, input))))
    }
  }

  /// The choice of which dates an edit changes; null unless the to-do repeats.
  var scope: JSON {
    guard todo.series != nil, !todo.isClosed else { return .null }
    let options = [("", "As usual"), ("this", "This date only"), ("all", "All dates")]
    return .object(
      ("name", "scope"), ("label", "Apply changes to"), ("type", "list"), ("value", ""),
      (
        "options",
        .array(options.map { .object(("value", .string($0)), ("words", .string($1))) })
      ),
      (
        "hint",
        .string(
          "“As usual” changes the due date, its time and zone, and the start for this date only, "
            + "and other fields for all dates.")
      )
    )
  }

  private func fieldText(_ value: Value, _ field: FieldSchema) throws -> String {
    switch field.field {
    case Field.Todo.parent where document.kind == .todo: try title(of: value)
    case Field.Todo.repeat where document.kind == .todo:
      try todo.ruleWords ?? page.inputText(value, field)
    default: try page.inputText(value, field)
    }
  }

  /// Returns the title of the to-do that a value refers to; empty if there is none, or if it has been deleted.
  private func title(of value: Value) throws -> String {
    guard let key = value.reference, let document = try page.snapshot.document(key),
      document.isAlive
    else { return "" }
    return document.title.visible
  }

  /// Returns the titles of the most urgent open to-dos of the same list, without the to-do and its sub-tasks.
  ///
  /// A title can also be typed, so not all titles need to be read.
  private func possibleParents() throws -> [JSON] {
    guard page.isNow, let todo = try page.model.todos.todo(document.key) else { return [] }
    var filter = TodoFilter.visible(on: page.today)
    filter.place = todo.list.map { .list($0) } ?? .withoutList
    let own = Set([todo.head.key] + (try page.model.subtasks.descendants(of: [todo.head.key])))
    var known: Set<String> = []
    return try page.model.todos.todos(filter, page: Page(count: Self.parentsOffered))
      .filter { !own.contains($0.head.key) }.compactMap(\.title)
      .filter { known.insert($0).inserted }.map { .object(("value", .string($0))) }
  }

  private static let parentsOffered = 100

  /// Returns an example of valid input for a field.
  private func hint(_ field: FieldSchema, _ input: String) throws -> String? {
    switch field.name {
    case "zone": "Europe/Berlin, or empty for local time everywhere"
    case "parent": "the title of a to-do, or empty for none"
    case "remind": "1d, 2h, 0 for the due time itself, or none"
    case "repeat": try repeatHint()
    default: input == "day" ? "10 dec 1815, or 10 dec" : nil
    }
  }

  /// Returns the dates after the current date, or examples of rules for a to-do that does not repeat.
  private func repeatHint() throws -> String {
    guard let row = todo.row, row.rule != nil, !row.isClosed else {
      return "every mon, every 2 weeks, every! 3 days, each 15th until 2027-06-30"
    }
    let next = try SeriesDates(of: row, on: page).next
      .map { $0.nearWords(in: page.today.year) }.joined(separator: ", ")
    return next.isEmpty
      ? "This date is the last."
      : "Then \(next). Clear this field to end the series with this date."
  }
}

extension PageSnapshot {
  /// Returns a value's text in the form that the field's input accepts.
  func inputText(_ value: Value, _ field: FieldSchema) throws -> String {
    switch (field.type, value) {
    case (_, .null): return ""
    case (.date, _):
      return value.date.map { field.inputName == "date" ? $0.iso : $0.shortWords } ?? ""
    case (.boolean, .boolean(let flag)): return flag ? "yes" : "no"
    case (_, .texts(let texts)): return texts.joined(separator: ", ")
    case (.text, .text(let text)): return text
    case (_, .reference(let key)): return try snapshot.id(of: key)?.uuid ?? ""
    default: return try snapshot.words(value, field.type)
    }
  }
}
