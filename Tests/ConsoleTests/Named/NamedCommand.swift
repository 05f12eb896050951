@testable import Console

/// A command that is named in text, such as `daybook sync DIR`.
///
/// In the text of a source file, values are interpolations; see ``SourceTexts``.
struct NamedCommand: Hashable {
  /// The words after `daybook`, as they are in the text.
  let text: String

  /// Returns the commands that the given text names.
  static func all(in text: String) -> [NamedCommand] {
    text.split(separator: "\n").flatMap { all(inLine: $0) }
  }

  private static func all(inLine line: Substring) -> [NamedCommand] {
    var commands: [NamedCommand] = []
    var rest = line
    while let found = rest.firstRange(of: "daybook") {
      let before = line[..<found.lowerBound]
      rest = rest[found.upperBound...]
      // The name of the program must not be part of a path or of a longer name.
      guard let next = rest.first, " '`”".contains(next) else { continue }
      guard let text = command(rest, after: before) else { continue }
      commands.append(NamedCommand(text: text.trimmingSpaces))
      rest = rest.dropFirst(text.count)
    }
    return commands
  }

  /// Returns the command whose words begin here, if there is one.
  private static func command(_ rest: Substring, after before: Substring) -> String? {
    if let last = before.last, let mark = closings[last] {
      return closing(mark, of: rest).map { String(rest[..<$0]) }
    }
    let word = rest.dropFirst().prefix { $0.isLetter || $0 == "_" }
    let isAlone = before.allSatisfy { $0 == " " } || before.hasSuffix("$ ")
    let isCommand =
      isAlone || before.hasSuffix(": ") || !CommandCatalog.family(of: String(word)).isEmpty
    guard isCommand, !before.hasSuffix("usage: "), !rest.dropFirst().isEmpty else { return nil }
    let ends = [", then ", ", or ", "; ", ". ", ", and ", " (if", " > ", " | ", "  "].compactMap {
      rest.firstRange(of: $0)?.lowerBound
    }
    return String(rest[..<(ends.min() ?? rest.endIndex)])
  }

  private static let closings: [Character: Character] = ["'": "'", "`": "`", "“": "”"]

  /// Returns the position of the closing mark, outside interpolations and words in double quotes.
  private static func closing(_ mark: Character, of rest: Substring) -> Substring.Index? {
    var depth = 0
    var isQuoted = false
    for place in rest.indices {
      switch rest[place] {
      case SourceTexts.opening: depth += 1
      case SourceTexts.closing: depth -= 1
      case "\"" where depth == 0: isQuoted.toggle()
      case mark where depth == 0 && !isQuoted: return place
      default: continue
      }
    }
    return rest.lastIndex(of: mark)
  }
}

extension NamedCommand {
  /// The words with a value for each interpolation; nil if a quote is open.
  ///
  /// If a command ends with ` …`, the reader chooses the remaining words.
  var template: [String]? {
    let words = Shell.words(Self.special[text] ?? text.fillingValues(with: "x1"))
    return words?.filter { $0 != "…" }.map { $0.hasSuffix("…") ? String($0.dropLast()) : $0 }
  }

  /// Whether the reader chooses the remaining words of the command.
  var isOpen: Bool { text.hasSuffix(" …") }

  /// The words with a value for each interpolation and each placeholder.
  var words: [String]? { template?.map { Self.placeholders[$0] ?? $0 } }

  /// Commands in which a value is not a single word.
  static let special = [
    "resolve " + value("id") + value("subject") + " --take " + value("word"):
      "resolve k7 due --take mine",
    "merge " + value(#"words.joined(separator: "")"#): "merge k7 m2",
    "sync NAME " + value("option"): "sync NAME --dry-run",
    "device quota NAME --" + value("option") + " N": "device quota NAME --events N",
    "undo --by " + value("key") + " --since " + value("day"): "undo --by x1 --since 2026-01-01",
  ]

  private static func value(_ expression: String) -> String {
    String(SourceTexts.opening) + expression + String(SourceTexts.closing)
  }

  /// Values for placeholders that do not accept any text.
  private static let placeholders = [
    "N": "1", "TIME": "2026-01-01", "DATE": "2026-01-01", "HOST:PORT": "desk:7771",
    "tcp://HOST:PORT": "tcp://desk:7771", "ssh://HOST": "ssh://desk",
    "WORDS": "voron-girah-dizuv-tozok-fupur-duzor",
    "COMMAND": "undo",
  ]
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// Returns the text with the given value in place of each interpolation.
  fileprivate func fillingValues(with value: String) -> String {
    var filled = ""
    var depth = 0
    for letter in self {
      if letter == SourceTexts.opening {
        if depth == 0 { filled += value }
        depth += 1
      } else if letter == SourceTexts.closing {
        depth -= 1
      } else if depth == 0 {
        filled.append(letter)
      }
    }
    return filled
  }
}
