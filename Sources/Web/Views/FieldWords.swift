import Bytes
import Domain
import Phrasing
import ReadModel

// The names of kinds and fields on the page, and the inputs for fields.

extension Kind {
  /// The name of the kind as a heading.
  var title: String {
    switch self {
    case .todo: "To-do"
    case .birthday: "Birthday"
    case .list: "List"
    case .question: "Question"
    case .choice: "Choice"
    case .pick: "Draw"
    default: name
    }
  }
}

extension FieldSchema {
  var label: String {
    switch name {
    case "birthdate": "Birth date"
    case "firstName": "First name"
    case "lastName": "Last name"
    case "leapRule": "In years without 29 February"
    case "due": "Due"
    case "content": "Question"
    case "lead", "remind": "Remind before"
    case "dueTime": "Time"
    case "zone": "Time zone"
    case "start": "Not before"
    case "closedOn": "Closed on"
    case "until": "Last date"
    case "parent": "Part of"
    default: name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  /// The name of the field within a sentence.
  var phrase: String {
    switch name {
    case "due": "due date"
    case "content": "question"
    case "lead", "remind": "reminders"
    case "start": "start"
    case "leapRule": "leap rule"
    default: label.lowercased()
    }
  }

  /// The kind of input for the field; nil if the page cannot edit it.
  var inputName: String? {
    if isFixed { return nil }
    return switch type {
    case .text: name == "note" ? "lines" : "line"
    case .texts: "tags"
    case .date:
      ["closedOn", "until"].contains(name) ? nil : ["due", "start"].contains(name) ? "date" : "day"
    case .priority: "priority"
    case .leapRule: "leap"
    case .colour: "colour"
    case .boolean: "flag"
    case .reference(let kind): kind == .list ? "list" : kind == .todo ? "todo" : nil
    case .minute: "time"
    case .repeatRule: "repeat"
    case .integer: name == "weight" ? "weight" : nil
    case .tag, .instant, .bytes, .map: nil
    }
  }
}

extension PageSnapshot {
  /// Returns the values that a field can have, with their names; empty for a field that accepts any value.
  func options(of field: FieldSchema) -> [JSON] {
    let options: [(value: String, words: String)] =
      switch field.inputName {
      case "priority": [("high", "High"), ("normal", "Normal"), ("low", "Low")]
      case "leap":
        [("", "Default"), ("february-28", "28 February"), ("march-1", "1 March")]
      case "flag": [("no", "No"), ("yes", "Yes")]
      case "list":
        [("", "On no list")] + lists.map { ($0.head.id.uuid, ($0.name ?? "").visible) }
      default: []
      }
    return options.map { option in
      .object(("value", .string(option.value)), ("words", .string(option.words)))
    }
  }
}
