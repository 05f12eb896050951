/// The records that a command will change: named by their ids, or selected by the options of `list todos`.
struct RecordWish: Sendable {
  /// The ids; empty if options select the records.
  var words: [String]
  var todos: TodoWish
  /// Whether the question before the change is answered in advance.
  var isSure: Bool
  /// Whether the records are only shown.
  var isTrial: Bool
}

/// The parameter for the records that a command will change, in all the ways in which they can be given.
///
/// The parameter must come before ``fields()``, which consumes all remaining options.
func records() -> Parameter<RecordWish> {
  let yes = flag("yes", "Change the selected to-dos without asking.")
  let trial = flag(
    "dry-run", "Show the records without changing them.", letter: "n", onlyShows: true)
  return Parameter(forms: [.records] + TodoOption.filters + yes.forms + trial.forms) {
    arguments throws(UsageFault) in
    let todos = TodoWish(filters: arguments)
    let words = arguments.operands
    arguments.operands = []
    if words.isEmpty, todos.options.isEmpty {
      throw .missingOperand("ID, or a filter such as --list NAME,", usage: arguments.usage)
    }
    if let word = words.first, let option = todos.options.first {
      throw .contradiction(word, option)
    }
    return RecordWish(
      words: words, todos: todos, isSure: try yes.read(&arguments),
      isTrial: try trial.read(&arguments))
  }
}
