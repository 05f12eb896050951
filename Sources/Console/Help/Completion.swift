import Domain
import Interchange

/// Completes the last word of a command line from the command table.
struct Completion {
  /// A possible word and its meaning.
  struct Candidate: Hashable {
    let word: String
    var meaning = ""
  }

  /// Candidates that are read from the book.
  enum Subject: Hashable {
    case records(Kind?, isClosed: Bool?)
    case deleted
    case names(Kind)
    case tags
    case devices
    case peers
  }

  private let commands: [CommandSpec]
  private let look: (Subject) -> [Candidate]
  private var command: CommandSpec?
  private var start: String?
  private var operands = 0
  private var wantsTime = false
  private var onlyOperands = false
  /// Whether an option that selects to-dos was given.
  private var hasFilter = false
  /// The option whose value is expected next.
  private var pending: OptionForm?

  /// Returns the candidates for the last of the given words; empty if any word or a file is possible there.
  static func candidates(
    for words: [String], by commands: [CommandSpec],
    look: @escaping (Subject) -> [Candidate]
  ) -> [Candidate] {
    answer(for: words, by: commands, look: look).candidates
  }

  /// Returns the candidates for the last word, and whether it can be a file name.
  static func answer(
    for words: [String], by commands: [CommandSpec],
    look: @escaping (Subject) -> [Candidate]
  ) -> (candidates: [Candidate], takesFile: Bool) {
    var completion = Completion(commands: commands, look: look)
    let words = CompletionTokens.joined(words)
    var earlier = words.dropLast()
    // Bash passes an equals sign as a separate word.
    var last = (words.last ?? "").withoutQuotes
    var option: String?
    if last == "=" {
      last = ""
      option = earlier.popLast()
    } else if earlier.last == "=" {
      earlier.removeLast()
      option = earlier.popLast()
    }
    for word in earlier where word != "=" { completion.pass(word.withoutQuotes) }
    completion.pending = option.flatMap(completion.form) ?? completion.pending
    let folded = last.lowercased()
    let found = completion.candidates(for: last).filter {
      $0.word.lowercased().hasPrefix(folded)
    }
    return (found, completion.takesFile(for: last))
  }

  private init(commands: [CommandSpec], look: @escaping (Subject) -> [Candidate]) {
    (self.commands, self.look) = (commands, look)
  }

  // MARK: Words before the last one

  private mutating func pass(_ word: String) {
    if pending != nil {
      pending = nil
    } else if word == "--" {
      onlyOperands = true
    } else if !onlyOperands, word.hasPrefix("-"), word != "-" {
      passOption(word)
    } else if wantsTime {
      wantsTime = false
    } else {
      passPlain(word)
    }
  }

  private mutating func passOption(_ word: String) {
    if form(word) == nil, presumed != nil { command = presumed }
    guard let form = form(word) else { return }
    if form.isFilter { hasFilter = true }
    if form.value != nil, !form.isValueOptional { pending = form }
  }

  /// Returns the option with this spelling.
  private func form(_ word: String) -> OptionForm? {
    let isLong = word.hasPrefix("--")
    let name = isLong ? String(word.dropFirst(2)) : word.last.flatMap(name) ?? ""
    let isSelecting = command?.takesFields == true ? operands == 0 : nil
    return command?.form(ofOption: name, isSelecting: isSelecting) ?? Globals.form(name)
  }

  private func name(ofLetter letter: Character) -> String? {
    command?.optionName(letter: letter) ?? Globals.name(letter: letter)
  }

  private mutating func passPlain(_ word: String) {
    if let longer = commands.first(where: { $0.path == "\(command?.path ?? start ?? "") \(word)" }),
      operands == 0
    {
      command = longer
    } else if command != nil {
      operands += 1
    } else if start == nil, word == "at" {
      wantsTime = true
    } else if let meant = start == nil ? CommandTable.aliases[word] : nil {
      for part in meant { passPlain(part) }
    } else if presumed != nil {
      command = presumed
      operands = 1
    } else if let exact = commands.first(where: { $0.path == word }) {
      command = exact
    } else {
      start = word
    }
  }

  /// The command that is meant if the second word is omitted; nil if the second word is required.
  private var presumed: CommandSpec? {
    guard command == nil, let start, let second = CommandTable.presumed[start] else { return nil }
    return commands.first { $0.path == "\(start) \(second)" }
  }

  // MARK: Candidates for the last word

  private func candidates(for last: String) -> [Candidate] {
    if let pending { return values(pending) }
    if !onlyOperands, last.hasPrefix("-") { return options(last) }
    if wantsTime { return Self.days }
    if !onlyOperands, let command = command ?? presumed, command.takesTokens {
      let tokens = CompletionTokens.candidates(for: last) { option in
        command.form(ofOption: option).map(values) ?? []
      }
      if !tokens.isEmpty { return tokens }
    }
    guard let command else { return firstWords }
    let longer = operands == 0 ? continuations(of: command.path) : []
    return longer + operandCandidates(command)
  }

  private func takesFile(for last: String) -> Bool {
    let name: String?
    if let pending {
      name = pending.fileName
    } else if !onlyOperands, last.hasPrefix("-"), last != "-" {
      name = last.firstIndex(of: "=").flatMap { form(String(last[..<$0]))?.fileName }
    } else {
      name = command.flatMap(operandName)
    }
    return name.map { $0.contains("FILE") || $0.contains("DIR") } ?? false
  }

  private var firstWords: [Candidate] {
    if let start { return continuations(of: start) }
    var seen: Set<String> = []
    let words = commands.filter { seen.insert($0.words[0]).inserted }.map { command in
      let isAlone = command.words.count == 1
      return Candidate(word: command.words[0], meaning: isAlone ? command.summary : "")
    }
    return words + [Candidate(word: "at", meaning: "Show the book as it was at a given time.")]
  }

  private func continuations(of start: String) -> [Candidate] {
    commands.filter { $0.words.count == 2 && $0.words[0] == start }.map {
      Candidate(word: $0.words[1], meaning: $0.summary)
    }
  }

  private func options(_ last: String) -> [Candidate] {
    let forms = ((command ?? presumed)?.optionForms ?? []) + Globals.forms
    if let equals = last.firstIndex(of: "="),
      let form = forms.first(where: { form in
        last[..<equals] == "--\(form.name)"
      })
    {
      return values(form).map {
        Candidate(word: "--\(form.name)=\($0.word)", meaning: $0.meaning)
      }
    }
    // A field can have the name of an option that selects to-dos.
    var known: Set<String> = []
    return forms.filter { known.insert($0.name).inserted }.map {
      Candidate(word: "--\($0.name)", meaning: $0.meaning)
    }
  }

  private func operandCandidates(_ command: CommandSpec) -> [Candidate] {
    if hasFilter, operands == 0 {
      return command.takesFields
        ? [Candidate(word: "set", meaning: "Ends the filter; the changes follow.")] : []
    }
    return operandName(command).map { values($0.replacing(" …", with: ""), for: command) } ?? []
  }

  /// Returns the name of the next operand in the help.
  private func operandName(_ command: CommandSpec) -> String? {
    var names: [(name: String, isLast: Bool)] = []
    for form in command.forms {
      switch form {
      case .operand(let name), .optionalOperand(let name): names.append((name, name.hasSuffix("…")))
      case .operands(let name), .title(let name): names.append((name, true))
      case .records: names.append(("ID", true))
      case .option, .fields: continue
      }
    }
    return operands < names.count ? names[operands].name : names.last(where: \.isLast)?.name
  }

  private func values(_ form: OptionForm) -> [Candidate] {
    switch form.name {
    case "list", "in": look(.names(.list))
    case "color": ["auto", "always", "never"].map { Candidate(word: $0) }
    case "leap-rule": ["february-28", "march-1"].map { Candidate(word: $0) }
    case "dates": ["dmy", "mdy"].map { Candidate(word: $0) }
    case "priority": values("P", for: command)
    case "due", "start", "until": Self.days
    case "repeat": Self.repeats
    case "tag", "tags", "untag", "any-tag": look(.tags)
    case "keep", "accept": look(.devices)
    case "since" where form.value == "PEER": look(.devices)
    case "repair": look(.peers)
    default: values(form.value ?? "", for: command)
    }
  }

  /// Returns the candidates for a placeholder in the help, such as `FORMAT`.
  private func values(_ name: String, for command: CommandSpec?) -> [Candidate] {
    switch name {
    case "P": ["low", "normal", "high"].map { Candidate(word: $0) }
    case "PROGRAM":
      CSVProgram.all.map { Candidate(word: $0.name, meaning: $0.title) }
    case "FORMAT":
      (command?.path == "export" ? FileFormat.written : FileFormat.allCases).map {
        Candidate(word: $0.rawValue, meaning: $0.title)
      }
    case "KIND": Schema.kinds.map { Candidate(word: $0.plural) }
    case "K": Schema.kinds.map { Candidate(word: $0.name) }
    case "BY": Self.orders(of: command?.path ?? "").map { Candidate(word: $0) }
    case "DATE", "WHEN", "TIME": Self.days
    case "DEVICE", "NAME|WORDS", "OLD": look(.devices)
    case "LIST": look(.names(.list))
    case "QUESTION": look(.records(.question, isClosed: nil))
    case "ID", "N|ID": records(for: command)
    case "NAME" where command?.words[0] == "peer",
      "NAME|FILE|DIR|ADDRESS":
      look(.peers)
    case "COMMAND": firstWords
    case "SHELL": CompletionScript.allCases.map { Candidate(word: $0.rawValue) }
    case "WHAT":
      ["todos", "birthdays", "lists", "questions", "choices", "picks"].map { Candidate(word: $0) }
    default: []
    }
  }

  private func records(for command: CommandSpec?) -> [Candidate] {
    switch command?.path {
    case "done", "skip", "cancel": look(.records(.todo, isClosed: false))
    case "undone": look(.records(.todo, isClosed: true))
    case "restore": look(.deleted)
    default: look(.records(nil, isClosed: nil))
    }
  }

  private static func orders(of path: String) -> [String] {
    switch path {
    case "list birthdays": ["name", "date", "next"]
    case "list todos": ["priority", "due", "creation", "title", "position"]
    default: []
    }
  }

  private static let days = [
    "today", "tomorrow", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "eow", "eom", "eoy",
  ].map { Candidate(word: $0) }

  private static let repeats = [
    "daily", "weekdays", "weekly", "monthly", "yearly", "every 2 weeks", "every mon", "every 15th",
    "every last day", "every! 3 days", "each 1st",
  ].map { Candidate(word: $0) }
}

extension OptionForm {
  /// The placeholder of the value, with `FILE` for `--repair`, whose value can be a file.
  fileprivate var fileName: String? { name == "repair" ? "FILE" : value }
}

extension CommandSpec {
  /// All options, including those of fields.
  var optionForms: [OptionForm] {
    forms.flatMap { form -> [OptionForm] in
      switch form {
      case .option(let option): [option]
      case .fields:
        FieldOptions.named.keys.sorted().compactMap {
          self.form(ofOption: $0, isSelecting: false)
        }
      default: []
      }
    }
  }
}

extension String {
  /// The word without the shell's quotes and escapes.
  fileprivate var withoutQuotes: String {
    var word = ""
    var isEscaped = false
    for letter in self {
      if !isEscaped, letter == "\\" {
        isEscaped = true
        continue
      }
      if isEscaped || (letter != "\"" && letter != "'") { word.append(letter) }
      isEscaped = false
    }
    return word
  }
}
