import Phrasing

/// Parses a command line with the commands of ``CommandCatalog``.
///
/// Commands cannot be abbreviated. An unknown command is an error, and is never guessed.
package struct CommandLineParser {
  /// Other names of options: `--in` means `--list`.
  static let optionAliases = ["in": "list"]

  /// The commands of the family to which the command's first word belongs.
  private var family: [CommandSpec] = []
  private var rest: ArraySlice<String>
  private var invocation = Invocation()
  /// The first word of a two-word command, before the second is read.
  private var start: String?
  private var wantsMoment = false
  private var onlyOperands = false
  /// Whether the second word of the command is presumed because an option came before it.
  private var isPresumed = false
  private let words: [String]
  /// Whether options select to-dos because the word `set` follows, and whether that word has been read.
  private var isSelecting = false
  private var isAfterSet = false

  private init(_ arguments: [String]) { (words, rest) = (arguments, arguments[...]) }

  package static func parse(_ arguments: [String]) throws(UsageFault) -> Invocation {
    var words = CommandLineParser(arguments)
    while let word = words.rest.popFirst() { try words.take(word) }
    return try words.finish()
  }

  private mutating func take(_ word: String) throws(UsageFault) {
    if try takeChange(word) { return }
    if onlyOperands || !Self.isOption(word) { return try takePlain(word) }
    if word == "--" {
      onlyOperands = true
      // After `add --`, a word such as `list` is part of the title.
      if invocation.command == nil { try presumeCommand() }
      isPresumed = false
    } else if word.hasPrefix("--") {
      try takeLong(word.dropFirst(2))
    } else {
      try takeLetters(word)
    }
  }

  /// Whether a word is an option, and not a value such as `-`, `-5` or `--12-24`.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    guard let first = word.drop(while: { $0 == "-" }).first else { return true }
    return !first.isNumber
  }

  private mutating func takePlain(_ word: String) throws(UsageFault) {
    if wantsMoment {
      invocation.moment = word
      wantsMoment = false
    } else if let longer = longerCommand(word) {
      invocation.command = longer
    } else if let command = invocation.command, !isPresumed {
      if isAfterSet { throw .extraOperand(word, usage: command.usage) }
      invocation.arguments.operands.append(word)
      if onlyOperands { invocation.arguments.literalOperands += 1 }
    } else {
      try takeCommand(word)
    }
  }

  private mutating func takeCommand(_ word: String) throws(UsageFault) {
    if start == nil, let meant = CommandTable.aliases[word] {
      for part in meant { try takeCommand(part) }
      return
    }
    let path = start.map { "\($0) \(word)" } ?? word
    if path == "at" {
      guard invocation.moment == nil else { throw .notReading("at", isOfPresent: false) }
      wantsMoment = true
      return
    }
    if start == nil { family = CommandCatalog.family(of: word) }
    if let command = family.first(where: { $0.path == path }) {
      try set(command)
    } else if start == nil, !continuations(of: word).isEmpty {
      start = word
    } else if let start, CommandTable.presumed[start] != nil {
      try refuseUnclear(word, after: start)
      try presumeCommand()
      isPresumed = false
      invocation.arguments.operands.append(word)
    } else if let start {
      let known = continuations(of: start)
      throw .unknownContinuation(
        start, word, suggestion: Spelling.nearest(to: word, among: known), continuations: known)
    } else if let advice = CommandAdvice.sentence(for: word) {
      throw .otherWord(word, advice: advice)
    } else {
      throw .unknownCommand(word, suggestion: CommandCatalog.table.command(meant: word))
    }
  }

  private mutating func set(_ command: CommandSpec) throws(UsageFault) {
    if invocation.moment != nil, command.reading != .past {
      throw .notReading(command.path, isOfPresent: command.reading == .present)
    }
    for (name, _) in invocation.arguments.options where command.form(ofOption: name) == nil {
      throw .unknownOption("--\(name)", suggestion: nil, usage: command.usage)
    }
    invocation.command = command
    isSelecting = command.takesFields && isSetAhead(of: command)
    isPresumed = false
  }

  /// Chooses the command that is meant if the second word is omitted.
  private mutating func presumeCommand() throws(UsageFault) {
    guard let start, let second = CommandTable.presumed[start],
      let command = family.first(where: { $0.path == "\(start) \(second)" })
    else { return }
    try set(command)
    isPresumed = true
  }

  /// Throws if a word that begins a title differs from the name of a kind by one letter, or only in case.
  private func refuseUnclear(_ word: String, after start: String) throws(UsageFault) {
    let near = continuations(of: start).first {
      Spelling.distance(from: word.lowercased(), to: $0) <= 1
    }
    guard let near, !word.contains(where: \.isWhitespace) else { return }
    let place = words.count - rest.count - 1
    let (before, after) = (words[..<place], words[(place + 1)...])
    let commands = [[near], [CommandTable.presumed[start] ?? "", word]].map { meant in
      (["daybook"] + before + meant + after).map(\.quoted).joined(separator: " ")
    }
    throw .unclearKind(word, commands: commands)
  }

  /// Returns the two-word command that continues the current command with this word.
  ///
  /// A file with the same name must be written with `./`.
  private func longerCommand(_ word: String) -> CommandSpec? {
    guard let command = invocation.command, !onlyOperands, invocation.arguments.operands.isEmpty,
      invocation.arguments.options.isEmpty
    else { return nil }
    return family.first { $0.path == "\(command.path) \(word)" }
  }

  private func continuations(of word: String) -> [String] {
    let start = word + " "
    return family.filter { $0.path.hasPrefix(start) }.map(\.words).compactMap {
      $0.count == 2 ? $0[1] : nil
    }
  }

  // MARK: Changes of fields

  /// The word between the options that select to-dos and the changes.
  private static let set = "set"

  /// Whether the word `set` follows as an operand; a record of that name must be given after `--`.
  private func isSetAhead(of command: CommandSpec) -> Bool {
    var words = rest
    while let word = words.popFirst(), word != "--" {
      if !Self.isOption(word) {
        if word == Self.set { return true }
        continue
      }
      let letter = word.last.flatMap { letter in
        command.optionName(letter: letter) ?? Globals.name(letter: letter)
      }
      let name = word.hasPrefix("--") ? String(word.dropFirst(2)) : letter ?? ""
      let known = Self.optionAliases[name] ?? name
      let form = command.form(ofOption: known) ?? Globals.form(known)
      // If the value is in the same word, the word as a whole is not the name of an option, so no word follows.
      if let form, form.value != nil, !form.isValueOptional { _ = words.popFirst() }
    }
    return false
  }

  /// Consumes the word `set`, `+TAG` or `-TAG`; returns false if the word is something else.
  private mutating func takeChange(_ word: String) throws(UsageFault) -> Bool {
    guard let command = invocation.command, command.takesFields, !onlyOperands else { return false }
    if isSelecting {
      guard word == Self.set else { return false }
      (isSelecting, isAfterSet) = (false, true)
      return true
    }
    guard let sign = word.first, sign == "+" || sign == "-", !word.hasPrefix("--"),
      !word.contains(where: \.isWhitespace)
    else { return false }
    let name = String(word.dropFirst())
    if sign == "-", command.form(ofOption: name) != nil {
      throw .unknownOption(word, suggestion: "--\(name)")
    }
    if sign == "-", name.count == 1, let letter = name.first,
      command.optionName(letter: letter) ?? Globals.name(letter: letter) != nil
    {
      return false
    }
    let tags = name.split(separator: ",")
    invocation.arguments.options += tags.map { ("tags", "\(sign)\($0)") }
    return !tags.isEmpty
  }

  /// Returns the option of the command with this name, at the current position in the command line.
  private func form(ofOption name: String) -> OptionForm? {
    guard let command = invocation.command else { return nil }
    return command.form(ofOption: name, isSelecting: command.takesFields ? isSelecting : nil)
  }

  // MARK: Options

  private mutating func takeLong(_ word: Substring) throws(UsageFault) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isGlobal = Globals.form(String(parts[0])) != nil
    if invocation.command == nil, !isGlobal { try presumeCommand() }
    try takeOption(
      String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil, as: "--\(parts[0])")
  }

  private mutating func takeLetters(_ word: String) throws(UsageFault) {
    let letter = word.count == 2 ? word.last : nil
    let global = letter.flatMap(Globals.name)
    if invocation.command == nil, global == nil { try presumeCommand() }
    guard let name = letter.flatMap({ invocation.command?.optionName(letter: $0) }) ?? global
    else {
      // `-due fri` is a misspelt `--due fri`, not the letter `-d` with the value `ue`.
      let isLong = optionNames.contains(String(word.dropFirst()))
      throw .unknownOption(
        word, suggestion: isLong ? "-\(word)" : nil,
        usage: isLong ? nil : invocation.command?.usage)
    }
    try takeOption(name, value: nil, as: word)
  }

  private mutating func takeOption(
    _ name: String, value: String?, as spelled: String
  ) throws(UsageFault) {
    var name = Self.optionAliases[name] ?? name
    // Before a colour such as `#3366cc`, `--color` means the field.
    let isColour = name == "color" && (value ?? rest.first)?.hasPrefix("#") == true
    if isColour, form(ofOption: "colour") != nil { name = "colour" }
    guard let form = form(ofOption: name) ?? Globals.form(name) else {
      let isFilter = invocation.command?.form(ofOption: name, isSelecting: true) != nil
      if isFilter, invocation.command?.takesFields == true, !isAfterSet {
        throw .missingSet(option: spelled)
      }
      let nearest = Spelling.nearestOption(to: name, among: optionNames)
      throw .unknownOption(
        spelled, suggestion: nearest.map { "--\($0)" },
        usage: nearest == nil ? invocation.command?.usage : nil)
    }
    var value = value
    if form.value == nil {
      guard value == nil else { throw .unexpectedValue(spelled) }
    } else if value == nil, !form.isValueOptional {
      guard let next = rest.first, !Self.isOption(next) else { throw .missingValue(spelled) }
      value = rest.removeFirst()
    }
    if self.form(ofOption: name) == nil {
      _ = try invocation.globals.take(name, value)
      return
    }
    let place: WritableKeyPath<Arguments, [(name: String, value: String)]> =
      form.isFilter ? \.filters : \.options
    let isRepeated = invocation.arguments[keyPath: place].contains { $0.name == name }
    if isRepeated, !form.isRepeatable { throw .repeatedOption(spelled) }
    invocation.arguments[keyPath: place].append((name, value ?? ""))
  }

  /// The names of all options that can be given here.
  private var optionNames: [String] {
    let isSelecting = invocation.command?.takesFields == true ? isSelecting : nil
    return (invocation.command?.optionNames(isSelecting: isSelecting) ?? [])
      + Globals.forms.map(\.name)
  }

  private mutating func finish() throws(UsageFault) -> Invocation {
    if invocation.globals.wantsHelp || invocation.globals.wantsVersion { return invocation }
    if invocation.globals.isQuiet, invocation.globals.isVerbose {
      throw .contradiction("--quiet", "--verbose")
    }
    if invocation.command == nil {
      if let start { throw .incomplete(start, continuations: continuations(of: start)) }
      if wantsMoment { throw .missingOperand("TIME", usage: "at TIME [COMMAND …]") }
    }
    invocation.arguments.usage = invocation.command?.usage ?? ""
    return invocation
  }
}
