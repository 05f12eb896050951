import Phrasing

extension UsageFault {
  var told: Told { Told("usage", .usage, text) }

  private var text: String {
    switch self {
    case .unknownCommand(let word, let suggestion):
      return "unknown command '\(word.visible)'."
        + (suggestion.map { " Did you mean '\($0)'?" } ?? " 'daybook help' lists all commands.")
    case .otherWord(let word, let advice): return "unknown command '\(word.visible)'. \(advice)"
    case .missingSet(let option):
      return
        "'\(option.visible)' selects to-dos. Put the word 'set' between the selection and the changes, "
        + "as in: daybook edit --overdue set --due tomorrow"
    case .incomplete(let start, let continuations):
      let title = CommandTable.presumed[start] == nil ? "" : " the title of a to-do, or"
      return "'\(start)' needs\(title) one of: \(continuations.joined(separator: ", "))."
    case .unclearKind(let word, let commands):
      return "'\(word.visible)' may be a misspelt kind of record or the first word of a title. "
        + "Run the command that you mean:\n"
        + commands.map { "  " + $0.visible }.joined(separator: "\n")
    case .onlyTokens(let words):
      let title = words.map(\.quoted).joined(separator: " ").visible
      return "TITLE is missing, because every argument sets a field. "
        + "To use the arguments as the title, run 'daybook add -- \(title)'."
    case .unknownContinuation(let start, let word, let suggestion, let continuations):
      return "unknown command '\(start) \(word.visible)'."
        + (suggestion.map { " Did you mean '\(start) \($0)'?" }
          ?? " '\(start)' needs one of: \(continuations.joined(separator: ", ")).")
        + (start == "list" && suggestion == nil
          ? " To list the to-dos of a list, run: daybook list todos --list \(word.quoted.visible)"
          : "")
    case .unknownOption(let option, let suggestion, let usage):
      let advice = usage.map { "\nusage: daybook \($0)" } ?? ""
      return "unknown option '\(option.visible)'." + (suggestion.map(guess) ?? advice)
    case .missingValue(let option):
      let advice = " If it begins with a dash, write \(option)=VALUE."
      return "'\(option)' needs a value." + (option.hasPrefix("--") ? advice : "")
    case .unexpectedValue(let option): return "'\(option.visible)' takes no value."
    case .unknownValue(let option, let word, let known):
      return "'\(option)' cannot be '\(word.visible)'. Use \(known)."
    case .repeatedOption(let option): return "'\(option.visible)' is given twice."
    case .contradiction(let one, let other):
      return "'\(one)' and '\(other)' contradict each other. Use only one of them."
    case .missingOperand(let name, let usage):
      return "\(name) is missing.\nusage: daybook \(usage)"
    case .extraOperand(let word, let usage):
      return "unexpected argument '\(word.visible)'. "
        + "Put quotes around a value that contains spaces.\nusage: daybook \(usage)"
    case .notReading(let path, let isOfPresent):
      return "'at' works only with commands that can show the past, and '\(path)' "
        + "\(isOfPresent ? "always shows the present" : "is not one of them"). 'daybook help at' lists these commands."
    }
  }
}
