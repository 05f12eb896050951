/// A parameter of a command, and how to read its value.
struct Parameter<Value: Sendable>: Sendable {
  /// The syntax; a parameter that is read from several options has several forms.
  let forms: [Form]
  let read: @Sendable (inout Arguments) throws(UsageFault) -> Value

  init(
    forms: [Form], read: @escaping @Sendable (inout Arguments) throws(UsageFault) -> Value
  ) {
    (self.forms, self.read) = (forms, read)
  }

  init(form: Form, read: @escaping @Sendable (inout Arguments) throws(UsageFault) -> Value) {
    self.init(forms: [form], read: read)
  }
}

/// The syntax of a parameter, for the parser and the help.
enum Form: Hashable, Sendable {
  case operand(String)
  case optionalOperand(String)
  case operands(String)
  /// All remaining operands, some of which can set fields; see ``TitleWords``.
  case title(String)
  case option(OptionForm)
  /// The ids of records, or options that select to-dos.
  case records
  /// Any field of any kind, as an option, and changes to tags.
  case fields

  var usage: String {
    switch self {
    case .operand(let name): name
    case .optionalOperand(let name): "[\(name)]"
    case .operands(let name), .title(let name): "\(name) …"
    // `FILTER` represents all options that select to-dos.
    case .option(let option): option.isFilter ? "" : "[\(option.usage)]"
    case .records: "ID … | FILTER"
    case .fields: "--FIELD VALUE … +TAG … -TAG …"
    }
  }
}

extension Form {
  /// The help on the meaning of `FILTER` in the usage.
  static let filterAdvice = [
    "FILTER is one or more of --list, --open, --done, --hidden, --priority, --due, --overdue, --tag and --any-tag, as for 'list todos'.",
    "The selected to-dos are shown, and are changed only if you confirm or pass --yes.",
  ]
}

/// The syntax of an option: a long name, and optionally a letter.
struct OptionForm: Hashable, Sendable {
  let name: String
  var letter: Character?
  /// The placeholder for the value; nil if the option takes no value.
  var value: String?
  var meaning: String
  var isRepeatable = false
  /// Whether the option selects the to-dos that the command changes.
  var isFilter = false
  /// Whether the value can be omitted; if present, it must follow an equals sign.
  var isValueOptional = false
  /// Whether a command that usually writes only shows something if the option is given.
  var onlyShows = false
  /// Whether the option keeps the command connected to other machines until it is stopped.
  var staysInTouch = false

  var usage: String { (letter.map { "-\($0)" } ?? "--\(name)") + valueWords }

  /// The value as it is written after the name.
  var valueWords: String { value.map { isValueOptional ? "[=\($0)]" : " \($0)" } ?? "" }
}

/// The words after the command, divided into operands and options.
package struct Arguments: Sendable {
  package var operands: [String] = []
  package var options: [(name: String, value: String)] = []
  /// The number of operands after `--`, which come last.
  package var literalOperands = 0
  /// The options that select to-dos.
  package var filters: [(name: String, value: String)] = []
  var usage = ""

  mutating func takeOperand() -> String? {
    operands.isEmpty ? nil : operands.removeFirst()
  }

  mutating func takeOptions(_ name: String) -> [String] {
    let values = options.filter { $0.name == name }.map(\.value)
    options.removeAll { $0.name == name }
    return values
  }

  /// Returns the values of an option that selects to-dos; an option without a value has an empty value.
  func filter(_ name: String) -> [String] { filters.filter { $0.name == name }.map(\.value) }

  func finish() throws(UsageFault) {
    if let extra = operands.first { throw .extraOperand(extra, usage: usage) }
  }
}

/// A required operand.
func text(_ name: String) -> Parameter<String> {
  Parameter(form: .operand(name)) { arguments throws(UsageFault) in
    guard let word = arguments.takeOperand() else {
      throw .missingOperand(name, usage: arguments.usage)
    }
    return word
  }
}

/// An optional operand.
func optionalText(_ name: String) -> Parameter<String?> {
  Parameter(form: .optionalOperand(name)) { $0.takeOperand() }
}

/// An optional operand that precedes `count` required operands.
func optionalText(_ name: String, before count: Int) -> Parameter<String?> {
  Parameter(form: .optionalOperand(name)) { arguments in
    arguments.operands.count > count ? arguments.takeOperand() : nil
  }
}

/// All remaining operands.
func texts(_ name: String, atLeast count: Int = 0) -> Parameter<[String]> {
  Parameter(form: count == 0 ? .optionalOperand("\(name) …") : .operands(name)) {
    arguments throws(UsageFault) in
    guard arguments.operands.count >= count else {
      throw .missingOperand(name, usage: arguments.usage)
    }
    defer { arguments.operands = [] }
    return arguments.operands
  }
}

/// An option with a value.
func option(
  _ name: String, _ value: String, _ meaning: String, letter: Character? = nil,
  onlyShows: Bool = false
) -> Parameter<String?> {
  let form = OptionForm(
    name: name, letter: letter, value: value, meaning: meaning, onlyShows: onlyShows)
  return Parameter(form: .option(form)) { $0.takeOptions(name).first }
}

/// An option that has a value, and can be given more than once.
func options(
  _ name: String, _ value: String, _ meaning: String, letter: Character? = nil
) -> Parameter<[String]> {
  let form = OptionForm(
    name: name, letter: letter, value: value, meaning: meaning, isRepeatable: true)
  return Parameter(form: .option(form)) { $0.takeOptions(name) }
}

/// An option without a value.
func flag(
  _ name: String, _ meaning: String, letter: Character? = nil, onlyShows: Bool = false,
  staysInTouch: Bool = false
) -> Parameter<Bool> {
  let form = OptionForm(
    name: name, letter: letter, meaning: meaning, onlyShows: onlyShows, staysInTouch: staysInTouch)
  return Parameter(form: .option(form)) { !$0.takeOptions(name).isEmpty }
}

/// All remaining options as fields, in the order of the command line.
func fields() -> Parameter<[FieldWords]> {
  Parameter(form: .fields) { arguments in
    defer { arguments.options = [] }
    return arguments.options.map { FieldWords(option: $0.name, words: $0.value) }
  }
}

/// The option of a field, and its value as the user typed it.
struct FieldWords: Sendable {
  let option: String
  let words: String
}
