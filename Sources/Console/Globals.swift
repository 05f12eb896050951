/// The options that every command takes.
package struct Globals: Sendable {
  package var directory: String?
  package var isJSON = false
  package var isQuiet = false
  package var wantsHelp = false
  package var wantsVersion = false
  /// Nil leaves it to the terminal.
  package var usesColour: Bool?

  static let forms: [OptionForm] = [
    OptionForm(name: "directory", letter: "C", value: "DIR", meaning: "The folder of the book."),
    OptionForm(name: "json", letter: "j", meaning: "Answer in JSON."),
    OptionForm(name: "quiet", letter: "q", meaning: "Say nothing of what was done."),
    OptionForm(name: "color", meaning: "Use colours, also where no terminal is."),
    OptionForm(name: "no-color", meaning: "Use no colours."),
    OptionForm(name: "help", letter: "h", meaning: "Tell about the command."),
    OptionForm(name: "version", meaning: "Tell which daybook this is."),
  ]

  static func form(_ name: String) -> OptionForm? { forms.first { $0.name == name } }

  static func name(letter: Character) -> String? { forms.first { $0.letter == letter }?.name }

  /// Takes an option if it is one of these.
  mutating func take(_ name: String, _ value: String?) throws(UsageFault) -> Bool {
    switch name {
    case "directory":
      guard directory == nil else { throw .repeatedOption("-C") }
      directory = value
    case "json": isJSON = true
    case "quiet": isQuiet = true
    case "color": usesColour = true
    case "no-color": usesColour = false
    case "help": wantsHelp = true
    case "version": wantsVersion = true
    default: return false
    }
    return true
  }
}
