import Bytes
import Domain
import Phrasing
import Platform

/// The meaning of a line that adds a to-do or a birthday: `Call the plumber fri`, `Ada Lovelace 10 dec 1815`.
///
/// A date is read from the end of the line, by the grammar of the command line. The rest is the title.
struct QuickLine {
  var kind: String
  /// The line without its date.
  var rest: String
  var date: CivilDate?
  /// The range of the date and of a word such as `due` before it, in UTF-16 units as in JavaScript.
  var place: Range<Int>?
  /// Why text that looks like a date was not read as one.
  var fault: String?

  /// The maximum number of words of a date.
  private static let mostWords = 5
  private static let leadingWords: Set<String> = ["due", "on", "by", "born"]

  /// - Parameters:
  ///   - text: The line as typed.
  ///   - kind: The kind of the new record. `any` means a to-do or a birthday; kinds other than these have no date.
  ///   - today: The current date.
  init(_ text: String, as kind: String, today: CivilDate?) {
    (self.kind, rest) = (kind == "any" ? "todo" : kind, text.trimmed)
    guard ["todo", "birthday", "any"].contains(kind) else { return }
    var words = Self.words(of: text)
    guard words.count > 1 else { return }
    for count in stride(from: min(Self.mostWords, words.count - 1), through: 1, by: -1) {
      let start = words[words.count - count].lowerBound
      let spelled = String(text[start...]).trimmed
      do throws(DayFault) {
        let read = DayWords(today: today, isInTitle: true)
        let date = try read.date(spelled)
        guard isMeant(date, kind, today), !isAloneANumber(spelled) else { continue }
        guard !isPairOfNumbers(spelled) else {
          fault =
            "“\(spelled)” might not be a date. If it is one, write it like \(date.dayWords.lowercased())."
          continue
        }
        // A due date without a year means its next occurrence.
        let isBirth = self.kind == "birthday"
        self.date = isBirth || date.year != nil ? date : try read.dayToCome(spelled)
        words.removeLast(count)
        take(from: start, words, in: text)
        return
      } catch {
        if case .severalReadings = error, count == 1 {
          fault =
            error.text(of: spelled.visible, isYearFree: self.kind == "birthday").asSentence
        }
      }
    }
    let last = text[words[words.count - 1]]
    // Names do not end in such numbers, and the year of birth would become part of the name.
    if fault == nil, kind == "birthday", last.wholeMatch(of: /\d+[.\/-]\d+[.\/-]\d+/) != nil {
      fault = "“\(last)” cannot be read as a date. Write it like 8 jun 1955 or 1955-06-08."
    }
  }

  /// Whether a date can belong to a record of the kind; for any kind, a date in an earlier year is a birth date.
  private mutating func isMeant(_ date: CivilDate, _ kind: String, _ today: CivilDate?) -> Bool {
    guard date.month != nil, date.day != nil else { return kind == "birthday" && date.year != nil }
    if kind == "any", let year = date.year, let now = today?.year, year < now {
      self.kind = "birthday"
    }
    return true
  }

  private func isAloneANumber(_ words: String) -> Bool {
    words.allSatisfy(\.isWholeNumber) && words.count < 4
  }

  /// Whether the words are two numbers, such as 24/7, which may be part of the title.
  private func isPairOfNumbers(_ words: String) -> Bool {
    words.wholeMatch(of: /\d+[\/-]\d+/) != nil
  }

  private mutating func take(
    from start: String.Index, _ words: [Range<String.Index>], in text: String
  ) {
    var (words, start) = (words, start)
    if let last = words.last, words.count > 1, Self.leadingWords.contains(text[last].lowercased()) {
      start = last.lowerBound
      words.removeLast()
    }
    rest = words.last.map { String(text[..<$0.upperBound]).trimmed } ?? ""
    let units = text.utf16
    place =
      units.distance(
        from: units.startIndex, to: start)..<units.distance(
        from: units.startIndex, to: words.isEmpty ? start : text.endIndex)
  }

  private static func words(of text: String) -> [Range<String.Index>] {
    text.split(separator: " ").map { $0.startIndex..<$0.endIndex }
  }
}

extension QuickLine {
  /// Returns the line in the form that the script of the page reads.
  func json(seenFrom today: CivilDate?) -> JSON {
    var parts: [JSON] = []
    if let date, let place {
      let isBirth = kind == "birthday"
      let words =
        isBirth
        ? "born \(date.shortWords)"
        : "due \(near(date, today) ?? [date.weekdayName, date.shortWords].compactMap(\.self).joined(separator: " "))"
      parts.append(
        .object(
          ("from", .integer(Int64(place.lowerBound))), ("to", .integer(Int64(place.upperBound))),
          ("field", isBirth ? "birthdate" : "due"), ("value", .string(date.iso)),
          ("words", .string(words))))
    }
    return .object(
      ("kind", .string(kind)), ("rest", .string(rest)), ("parts", .array(parts)),
      ("fault", .words(fault)))
  }

  private func near(_ date: CivilDate, _ today: CivilDate?) -> String? {
    let days = today.flatMap { date.days(since: $0) }
    return days.flatMap { (-1...1).contains($0) ? CivilDate.words(inDays: $0) : nil }
  }
}
