import Domain
import Phrasing

/// The words of a title that were probably meant for other fields, and the options that set those fields.
///
/// The words stay in the title, because they may belong to it. A message names the command that moves the words.
struct TitleFields {
  /// The title without the words.
  private(set) var rest: String
  /// The words as written in the title.
  private(set) var words: [String] = []
  /// The options of `edit`, in the order of the words.
  private(set) var options: [(name: String, value: String)] = []
  /// The date or the repeat at the end of the title, if nothing else was found.
  private(set) var ending: String?

  private let today: CivilDate?

  init(_ title: TitleWords, today: CivilDate?, isDue: Bool, repeats: Bool) {
    (rest, self.today) = (title.title, today)
    takeWords(of: title)
    guard title.parts.last?.isLiteral == false else { return }
    let isAlone = words.isEmpty
    if !repeats, !has("repeat"), takeRepeat() {
      ending = isAlone ? "repeat" : nil
    } else if !isDue, !has("due"), takeDay() {
      ending = isAlone ? "date" : nil
    }
  }

  private func has(_ option: String) -> Bool { options.contains { $0.name == option } }

  // MARK: Single words

  private mutating func takeWords(of title: TitleWords) {
    var kept: [String] = []
    for part in title.parts {
      let parts = part.words.split(whereSeparator: \.isWhitespace).map(String.init)
      guard !part.isLiteral, part.list == nil else {
        kept += parts
        continue
      }
      for word in parts {
        guard let option = option(word), option.name == "tag" || !has(option.name) else {
          kept.append(word)
          continue
        }
        words.append(word)
        options.append(option)
      }
    }
    guard !words.isEmpty, !kept.isEmpty else {
      (words, options) = ([], [])
      return
    }
    rest = kept.joined(separator: " ")
  }

  /// Marks of fields in other programs, with the options of `edit`.
  private static let marks = [
    ("time:", "time"), ("p:", "priority"), ("prio:", "priority"), ("priority:", "priority"),
    ("!", "priority"), ("#", "tag"), ("tag:", "tag"), ("tags:", "tag"), ("d:", "due"),
    ("date:", "due"), ("rec:", "repeat"), ("every:", "repeat"),
  ]

  /// Returns the option that a word means; nil if it is part of the title.
  private func option(_ word: String) -> (name: String, value: String)? {
    if let token = TodoToken(word), token.option != "list" {
      return checked(token.option, token.value)
    }
    for (mark, name) in Self.marks where word.lowercased().hasPrefix(mark) {
      return checked(name, String(word.dropFirst(mark.count)))
    }
    return nil
  }

  /// Returns the option with the value as `edit` reads it; nil if it cannot read the value.
  ///
  /// Errors are ignored here, because a word that `edit` would refuse is part of the title.
  private func checked(_ name: String, _ value: String) -> (name: String, value: String)? {
    switch name {
    case "time": return DayWords.minute(value) == nil ? nil : (name, value)
    case "due", "start":
      return (try? DayWords(today: today).dayAndTime(value, now: nil)) == nil ? nil : (name, value)
    case "repeat":
      return (try? RepeatWords(today: today).phrase(value)) == nil ? nil : (name, value)
    case "priority": return Self.priorities[value.lowercased()].map { (name, $0) }
    default: return TodoToken("+\(value)") == nil ? nil : (name, value)
    }
  }

  private static let priorities = [
    "h": "high", "hi": "high", "high": "high", "hoch": "high", "1": "high", "a": "high",
    "m": "normal", "med": "normal", "medium": "normal", "normal": "normal", "n": "normal",
    "l": "low", "lo": "low", "low": "low", "niedrig": "low",
  ]

  // MARK: Phrases at the end

  /// The maximum number of words in a phrase, as in `every first mon of the month until 2027-06-30`.
  private static let mostWords = 9

  /// Extracts the longest phrase at the end that says how a to-do repeats.
  private mutating func takeRepeat() -> Bool {
    let reader = RepeatWords(today: today)
    for start in rest.wordRanges.dropFirst().suffix(Self.mostWords).map(\.lowerBound) {
      let phrase = String(rest[start...])
      guard reader.phraseAndTime(phrase) != nil else { continue }
      take(phrase, as: "repeat", leaving: rest[..<start])
      return true
    }
    return false
  }

  /// Extracts the date at the end, with or without a time after it.
  private mutating func takeDay() -> Bool {
    if case .date(let found) = LineEndingReader(rest, today: today).ending {
      take(found.words, as: "due", leaving: rest[..<found.range.lowerBound])
      return true
    }
    for start in rest.wordRanges.dropFirst(2).suffix(2).map(\.lowerBound) {
      let time = String(rest[start...])
      let before = String(rest[..<start]).trimmed
      guard time.contains(where: \.isNumber), DayWords.minute(time) != nil,
        case .date(let found) = LineEndingReader(before, today: today).ending
      else { continue }
      take("\(found.words) \(time)", as: "due", leaving: before[..<found.range.lowerBound])
      return true
    }
    return false
  }

  private mutating func take(
    _ phrase: String, as option: String, leaving title: Substring
  ) {
    rest = String(title).trimmed
    words.append(phrase)
    options.append((option, phrase))
  }
}
