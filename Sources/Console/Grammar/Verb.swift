/// A command: how it is written, what it is for, and what it does.
///
/// The help, the parser's knowledge of its options and the code that runs come from one row.
package struct Verb: Sendable {
  /// Whether it only reads, and whether it can look at the past.
  enum Reading: Sendable {
    case no
    case present
    case past
  }

  package let path: String
  let summary: String
  let forms: [Form]
  let examples: [String]
  let reading: Reading
  /// Whether it writes, and keeps with that why it was done.
  let keepsReason: Bool
  let run: @Sendable (Context, Arguments) throws -> Void

  init<each Value: Sendable>(
    _ path: String, _ summary: String, reading: Reading = .no,
    keepsReason: Bool = false, _ parameters: repeat Parameter<each Value>, examples: [String] = [],
    run: @escaping @Sendable (Context, repeat each Value) throws -> Void
  ) {
    var forms: [Form] = []
    for parameter in repeat each parameters { forms.append(parameter.form) }
    let reason = option(
      "because", "TEXT", "Why; kept with what is written, and shown by log and why.")
    if keepsReason { forms.append(reason.form) }
    self.path = path
    self.summary = summary
    self.forms = forms
    self.examples = examples
    self.reading = reading
    self.keepsReason = keepsReason
    self.run = { context, arguments in
      var rest = arguments
      // Before the others, of which one may take all options for fields.
      if keepsReason { context.reason = try context.reason(try reason.read(&rest)) }
      let values = (repeat try (each parameters).read(&rest))
      try rest.finish()
      try run(context, repeat each values)
    }
  }

  /// How it is written, with all it takes.
  var usage: String { ([path] + forms.map(\.usage)).joined(separator: " ") }

  package var words: [String] { path.split(separator: " ").map(String.init) }

  /// The option of a name, if the verb has it.
  func form(ofOption name: String) -> OptionForm? {
    for form in forms {
      switch form {
      case .option(let option) where option.name == name: return option
      case .fields:
        if let field = FieldOptions.named[name] {
          return OptionForm(
            name: name, value: "VALUE", meaning: "", isRepeatable: field.isRepeatable)
        }
      default: continue
      }
    }
    return nil
  }

  /// The name of the option that a letter stands for.
  func optionName(letter: Character) -> String? {
    for case .option(let option) in forms where option.letter == letter { return option.name }
    return nil
  }

  /// All options it has, by name.
  var optionNames: [String] {
    forms.flatMap { form in
      switch form {
      case .option(let option): [option.name]
      case .fields: FieldOptions.named.keys.sorted()
      default: [String]()
      }
    }
  }
}
