import Phrasing

extension UsageFault {
  var told: Told { Told("usage", .usage, text) }

  private var text: String {
    switch self {
    case .unknownCommand(let word, let suggestion):
      return "unknown command '\(word.visible)'."
        + (suggestion.map { " Did you mean '\($0)'?" } ?? " 'daybook help' lists them all.")
    case .incomplete(let start, let continuations):
      return "'\(start)' what? Say one of: \(continuations.joined(separator: ", "))."
    case .unknownContinuation(let start, let word, let suggestion, let continuations):
      return "unknown command '\(start) \(word.visible)'."
        + (suggestion.map { " Did you mean '\(start) \($0)'?" }
          ?? " After '\(start)' comes one of: \(continuations.joined(separator: ", ")).")
    case .unknownOption(let option, let suggestion, let usage):
      let advice = usage.map { "\nusage: daybook \($0)" } ?? ""
      return "unknown option '\(option.visible)'." + (suggestion.map(guess) ?? advice)
    case .missingValue(let option):
      let advice = " One that begins with a dash is written \(option)=VALUE."
      return "'\(option)' needs a value." + (option.hasPrefix("--") ? advice : "")
    case .unexpectedValue(let option): return "'\(option.visible)' takes no value."
    case .unknownValue(let option, let word, let known):
      return "'\(option)' cannot be '\(word.visible)'. Say \(known)."
    case .repeatedOption(let option): return "'\(option.visible)' is given twice."
    case .contradiction(let one, let other):
      return "'\(one)' and '\(other)' ask for different things. Give one of them."
    case .missingOperand(let name, let usage):
      return "\(name) is missing.\nusage: daybook \(usage)"
    case .extraOperand(let word, let usage):
      return "'\(word.visible)' is one word too many. What belongs together goes in quotes.\n"
        + "usage: daybook \(usage)"
    case .notReading(let path, let isOfPresent):
      return "'at' shows the past; '\(path)' \(isOfPresent ? "tells how it is now" : "does not"). "
        + "'daybook help at' lists what does."
    case .missingCommand:
      return "nothing to show after the time. Try: daybook at 2026-01-01 list todos"
    }
  }
}
