/// The options that every command accepts.
package struct Globals: Sendable {
  package var directory: String?
  package var isJSON = false
  package var isQuiet = false
  /// Whether each part of a long operation is reported when it is done.
  package var isVerbose = false
  package var wantsHelp = false
  package var wantsVersion = false
  /// Whether records are written in lines with tabs between their fields, without being shortened.
  package var isPlain = false
  package var isUnpaged = false
  /// Whether no questions are asked, even if standard input is a terminal.
  package var isSilent = false
  /// Whether output is coloured; nil means that the environment and the terminal decide.
  package var usesColour: Bool?
  /// The offset of local time from UTC, as the user typed it; nil for the system's zone.
  package var zone: String?

  static let forms: [OptionForm] = [
    OptionForm(name: "directory", letter: "C", value: "DIR", meaning: "The folder of the book."),
    OptionForm(name: "json", letter: "j", meaning: "Print JSON."),
    OptionForm(
      name: "quiet", letter: "q",
      meaning: "Show only answers, errors, and notes about data that is lost or left out."),
    OptionForm(
      name: "verbose", letter: "v", meaning: "Show how long each part of a long operation took."),
    OptionForm(name: "plain", meaning: "Print lines with tabs between the fields."),
    OptionForm(
      name: "color", value: "WHEN", meaning: "When to use colours: auto, always or never.",
      isValueOptional: true),
    OptionForm(name: "no-color", meaning: "Do not use colours."),
    OptionForm(name: "no-pager", meaning: "Do not page long output."),
    OptionForm(name: "no-input", meaning: "Never ask; refuse commands that need confirmation."),
    OptionForm(
      name: "zone", value: "OFFSET",
      meaning: "The local time zone, as an offset from UTC such as +02:00."),
    OptionForm(name: "help", letter: "h", meaning: "Show help on the command."),
    OptionForm(name: "version", meaning: "Show the version."),
  ]

  static func form(_ name: String) -> OptionForm? { forms.first { $0.name == name } }

  static func name(letter: Character) -> String? { forms.first { $0.letter == letter }?.name }

  /// Applies an option; returns false if it is not a global option.
  mutating func take(_ name: String, _ value: String?) throws(UsageFault) -> Bool {
    switch name {
    case "directory":
      guard directory == nil else { throw .repeatedOption("-C") }
      directory = value
    case "json": isJSON = true
    case "quiet": isQuiet = true
    case "verbose": isVerbose = true
    case "plain": isPlain = true
    case "color": usesColour = try Self.usesColour(value)
    case "no-color": usesColour = false
    case "no-pager": isUnpaged = true
    case "no-input": isSilent = true
    case "zone":
      guard zone == nil else { throw .repeatedOption("--zone") }
      zone = value
    case "help": wantsHelp = true
    case "version": wantsVersion = true
    default: return false
    }
    return true
  }

  private static func usesColour(_ when: String?) throws(UsageFault) -> Bool? {
    switch when {
    case nil, "always": return true
    case "never": return false
    case "auto": return nil
    case .some(let word): throw .unknownValue("--color", word, "auto, always or never")
    }
  }
}
