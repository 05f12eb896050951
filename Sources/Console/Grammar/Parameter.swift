/// Something a command takes from the command line, and how it is read.
struct Parameter<Value: Sendable>: Sendable {
  let form: Form
  let read: @Sendable (inout Arguments) throws(UsageFault) -> Value
}

/// What a parameter looks like, for the parser and the help.
enum Form: Hashable, Sendable {
  case operand(String)
  case optionalOperand(String)
  case operands(String)
  case option(OptionForm)
  /// Any field of any kind, as an option.
  case fields

  var usage: String {
    switch self {
    case .operand(let name): name
    case .optionalOperand(let name): "[\(name)]"
    case .operands(let name): "\(name) …"
    case .option(let option): "[\(option.usage)]"
    case .fields: "--FIELD VALUE …"
    }
  }
}

/// An option by its long name, and perhaps a letter.
struct OptionForm: Hashable, Sendable {
  let name: String
  var letter: Character?
  /// What its value is called; none is taken if there is no name.
  var value: String?
  var meaning: String
  var isRepeatable = false
  /// Whether it may stand without its value, which is then written behind an equals sign only.
  var isValueOptional = false
  /// Whether a command that writes only shows something with it.
  var onlyShows = false
  /// Whether the command stays in touch with other machines with it, until it is stopped.
  var staysInTouch = false

  var usage: String { (letter.map { "-\($0)" } ?? "--\(name)") + valueWords }

  /// Its value, as it is written behind the name.
  var valueWords: String { value.map { isValueOptional ? "[=\($0)]" : " \($0)" } ?? "" }
}

/// The words of a command line after the command, sorted.
package struct Arguments: Sendable {
  package var operands: [String] = []
  package var options: [(name: String, value: String)] = []
  var usage = ""

  mutating func takeOperand() -> String? {
    operands.isEmpty ? nil : operands.removeFirst()
  }

  mutating func takeOptions(_ name: String) -> [String] {
    let values = options.filter { $0.name == name }.map(\.value)
    options.removeAll { $0.name == name }
    return values
  }

  func finish() throws(UsageFault) {
    if let extra = operands.first { throw .extraOperand(extra, usage: usage) }
  }
}

/// An operand that must be there.
func text(_ name: String) -> Parameter<String> {
  Parameter(form: .operand(name)) { arguments throws(UsageFault) in
    guard let word = arguments.takeOperand() else {
      throw .missingOperand(name, usage: arguments.usage)
    }
    return word
  }
}

/// An operand that may be left out.
func optionalText(_ name: String) -> Parameter<String?> {
  Parameter(form: .optionalOperand(name)) { $0.takeOperand() }
}

/// An operand that may be left out, before others that must be there.
func optionalText(_ name: String, before count: Int) -> Parameter<String?> {
  Parameter(form: .optionalOperand(name)) { arguments in
    arguments.operands.count > count ? arguments.takeOperand() : nil
  }
}

/// All operands that are left.
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

/// An option with a value that may be given again and again.
func options(_ name: String, _ value: String, _ meaning: String) -> Parameter<[String]> {
  let form = OptionForm(name: name, value: value, meaning: meaning, isRepeatable: true)
  return Parameter(form: .option(form)) { $0.takeOptions(name) }
}

/// An option that is there or not.
func flag(
  _ name: String, _ meaning: String, letter: Character? = nil, onlyShows: Bool = false,
  staysInTouch: Bool = false
) -> Parameter<Bool> {
  let form = OptionForm(
    name: name, letter: letter, meaning: meaning, onlyShows: onlyShows, staysInTouch: staysInTouch)
  return Parameter(form: .option(form)) { !$0.takeOptions(name).isEmpty }
}

/// All fields that were set, by their options and in their order.
func fields() -> Parameter<[FieldWords]> {
  Parameter(form: .fields) { arguments in
    defer { arguments.options = [] }
    return arguments.options.map { FieldWords(option: $0.name, words: $0.value) }
  }
}

/// A field's option and the words after it.
struct FieldWords: Sendable {
  let option: String
  let words: String
}
