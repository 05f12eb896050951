import Domain

extension Book {
  /// What a record shall say from now on; what a record of its kind does not say is refused.
  public enum Edit: Hashable, Sendable {
    /// What is to be done.
    case title(String)
    /// The list a to-do is on; nil takes it off.
    case list(RecordID?)
    /// How much a to-do matters.
    case priority(Priority)
    /// When a to-do is due; nil for no day.
    case due(Day?)
    /// What a list is called.
    case listName(String)
    /// The colour of a list as `0xRRGGBB`; nil for none.
    case colour(Int?)
    /// The first name of somebody; nil for none.
    case firstName(String?)
    /// The last name of somebody; nil for none.
    case lastName(String?)
    /// When somebody was born; nil for unknown.
    case birthdate(Day?)
    /// What a question asks.
    case question(String)
    /// What a choice is called.
    case choiceName(String)
    /// How often a choice is to be drawn, in proportion to the others.
    case weight(Int)
    /// What else is to be known of it; nil for nothing.
    case note(String?)
    /// Words it is marked with.
    case tags([String])
  }
}

extension Book.Edit {
  var assignment: Request.Assignment {
    switch self {
    case .title(let text): .init(Field.Todo.title, .value(.text(text)))
    case .list(let list):
      .init(Field.Todo.list, list.map { .record($0.id) } ?? .value(.null))
    case .priority(let priority):
      .init(Field.Todo.priority, .value(.integer(Int64(priority.rawValue))))
    case .due(let day): .init(Field.Todo.due, .value(day.map { .date($0.date) } ?? .null))
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
    }
  }
}
