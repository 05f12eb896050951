package import Domain

extension Document {
  /// The title as the user sees it; an occurrence without its own title has the title of its series.
  package var title: String {
    switch kind {
    case .birthday:
      let names = [value(Field.Birthday.firstName).text, value(Field.Birthday.lastName).text]
      return names.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    case .list: return value(Field.List.name).text ?? ""
    case .todo: return value(Field.Todo.title).text ?? seriesTitle ?? ""
    case .question: return value(Field.Question.content).text ?? ""
    case .choice: return value(Field.Choice.name).text ?? ""
    default: return ""
    }
  }
}
