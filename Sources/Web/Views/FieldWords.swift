import Bytes
import Domain
import Phrasing
import ReadModel

// What fields and kinds are called on the page, and how they are written there.

extension Kind {
  /// As a heading has it.
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
    case "lead": "Remind before"
    default: name.prefix(1).uppercased() + name.dropFirst()
    }
  }

  /// What it is called in the middle of a sentence.
  var phrase: String {
    switch name {
    case "due": "due date"
    case "content": "question"
    case "lead": "reminders"
    case "leapRule": "leap rule"
    default: label.lowercased()
    }
  }

  /// With what a page lets it be written; nil where it does not.
  var inputName: String? {
    if isFixed { return nil }
    return switch type {
    case .text: name == "note" ? "lines" : "line"
    case .texts: "tags"
    case .date: name == "due" ? "date" : "day"
    case .priority: "priority"
    case .leapRule: "leap"
    case .colour: "colour"
    case .boolean: "flag"
    case .reference: "list"
    case .integer: name == "weight" ? "weight" : nil
    case .instant, .bytes, .map: nil
    }
  }
}

extension PageSnapshot {
  /// What a field may be set to, where that is one of few.
  func options(of field: FieldSchema) -> [JSON] {
    let options: [(value: String, words: String)] =
      switch field.inputName {
      case "priority": [("high", "High"), ("normal", "Normal"), ("low", "Low")]
      case "leap":
        [("", "As usual"), ("february-28", "28 February"), ("march-1", "1 March")]
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
