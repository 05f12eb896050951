import Domain
import Phrasing

/// A command: its syntax, its help, its requirements and its code.
///
/// The help, the parser and the code all use this one value.
package struct CommandSpec: Sendable {
  /// Whether the command only reads, and whether it can read the past.
  enum Reading: Sendable {
    case no
    case present
    case past
  }

  package let path: String
  let summary: String
  let forms: [Form]
  let examples: [String]
  /// Sentences that follow the options in the help.
  let notes: [String]
  let reading: Reading
  let traits: CommandTraits
  let run: @Sendable (CommandContext, Arguments) throws -> Void

  init<each Value: Sendable>(
    _ path: String, _ summary: String, reading: Reading = .no, traits: CommandTraits = [],
    _ parameters: repeat Parameter<each Value>, examples: [String] = [], notes: [String] = [],
    run: @escaping @Sendable (CommandContext, repeat each Value) throws -> Void
  ) {
    var forms: [Form] = []
    for parameter in repeat each parameters { forms += parameter.forms }
    let reason = option(
      "because", "TEXT", "The reason, kept with the change and shown by 'log' and 'why'.")
    if traits.contains(.keepsReason) { forms += reason.forms }
    self.path = path
    self.summary = summary
    self.forms = forms
    self.examples = examples
    self.notes = notes
    self.reading = reading
    self.traits = traits
    self.run = { context, arguments in
      var rest = arguments
      // The reason must be read first, because the parameter `fields` consumes all remaining options.
      if traits.contains(.keepsReason) {
        context.reason = try Self.reason(try reason.read(&rest))
      }
      let values = (repeat try (each parameters).read(&rest))
      try rest.finish()
      try run(context, repeat each values)
    }
  }

  /// Returns the reason as it is stored; nil if it is empty.
  private static func reason(_ words: String?) throws(ConsoleError) -> String? {
    guard let text = words?.trimmed, !text.isEmpty else { return nil }
    guard text.utf8.count <= Schema.Limit.noteBytes else {
      throw .badValue("the reason", "\(text.prefix(20))…", "Use at most 64 KiB.")
    }
    return text
  }

  /// The syntax of the command with all its parameters.
  var usage: String {
    ([path] + forms.map(usage)).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The syntax of one of the parameters.
  func usage(of form: Form) -> String {
    form == .records && takesFields ? "\(form.usage) set" : form.usage
  }

  /// Whether the options of the command are the fields of records.
  ///
  /// If so, options before the word `set` select to-dos.
  var takesFields: Bool { forms.contains(.fields) }

  package var words: [String] { path.split(separator: " ").map(String.init) }

  /// Returns the option with this name, if the command has it.
  ///
  /// An option that selects to-dos can have the name of a field. `isSelecting` chooses between them; if it is nil, the
  /// option that selects to-dos is preferred.
  func form(ofOption name: String, isSelecting: Bool? = nil) -> OptionForm? {
    for form in forms {
      switch form {
      case .option(let option) where option.name == name:
        if option.isFilter, isSelecting == false { continue }
        return option
      case .fields where isSelecting != true:
        if let field = FieldOptions.named[name] {
          return OptionForm(
            name: name, value: "VALUE", meaning: "", isRepeatable: field.isRepeatable)
        }
      default: continue
      }
    }
    return nil
  }

  /// Returns the name of the option with this letter.
  func optionName(letter: Character) -> String? {
    for case .option(let option) in forms where option.letter == letter { return option.name }
    return forms.contains(.fields) ? FieldOptions.letters[letter] : nil
  }

  /// The names of all options; with `isSelecting`, only of those that ``form(ofOption:isSelecting:)`` returns.
  func optionNames(isSelecting: Bool? = nil) -> [String] {
    let names = forms.flatMap { form in
      switch form {
      case .option(let option): [option.name]
      case .fields: FieldOptions.named.keys.sorted()
      default: [String]()
      }
    }
    return names.filter { form(ofOption: $0, isSelecting: isSelecting) != nil }
  }

  var optionNames: [String] { optionNames() }
}

extension CommandSpec {
  /// Whether some operands can set fields, such as `due:fri`.
  var takesTokens: Bool {
    forms.contains { if case .title = $0 { true } else { false } }
  }

  /// Whether the command can change the book.
  var changesBook: Bool { reading == .no && !traits.contains(.leavesBook) }

  /// Whether the command's answer is read from the book, and so is incomplete if events are missing.
  func answersFromBook(_ options: [String]) -> Bool {
    if reading != .no || traits.contains(.passesOn) { return true }
    return options.contains { form(ofOption: $0)?.onlyShows ?? false }
  }
}
