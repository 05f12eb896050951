internal import Domain

/// The name of the person in the summary of a birthday event.
struct EventSummary: Equatable {
  var name: String
  /// The year of birth in the summary.
  var year: Int?
  /// Whether the summary marks the year as unknown: Nextcloud writes `Ada *` instead of `Ada (*1815)`.
  var isYearless = false

  /// Removes the words that mark a birthday, as in `Ada Lovelace (10 Dec 1815)` or `🎂 Ada's birthday`.
  init(_ summary: String) {
    var text = summary.trimmed
    if text.hasSuffix(" *") {
      isYearless = true
      text = String(text.dropLast()).trimmed
    }
    if text.hasSuffix(")"), let open = text.lastIndex(of: "(") {
      let inside = text[text.index(after: open)...].dropLast()
      if inside.contains(where: \.isNumber) {
        let digits = inside.split { !$0.isNumber }.filter { $0.utf8.count == 4 }
        year = digits.last.flatMap { Int($0) }
        text = String(text[..<open]).trimmed
      }
    }
    name = Self.withoutWords(text)
  }

  /// Returns whether this program would write this summary for a full name.
  func isOf(_ fullName: String) -> Bool {
    // A name may contain words that the reader removes.
    [fullName, fullName + " (1 Jan 2000)"].contains { $0 == name || EventSummary($0).name == name }
  }

  private static let before = [
    "🎂", "🎁", "birthday of ", "birthday: ", "birthday - ", "bday: ", "geburtstag von ",
    "geburtstag: ", "anniversaire de ", "cumpleaños de ", "compleanno di ",
  ]
  private static let after = [
    "'s birthday", "’s birthday", "' birthday", "’ birthday", "'s bday", " - birthday",
    " (birthday)", " birthday", " hat geburtstag", " - geburtstag", " geburtstag", "🎂", "🎁",
  ]

  /// The maximum length of a summary to process; removing words one by one from longer text would take too long.
  private static let longestName = 1024

  private static func withoutWords(_ text: String) -> String {
    guard text.utf8.count <= longestName else { return text }
    var text = text
    var isShorter = true
    while isShorter {
      isShorter = false
      let lower = text.lowercased()
      // In a few scripts, the lowercase text has a different length.
      guard lower.count == text.count else { break }
      if let word = before.first(where: { lower.hasPrefix($0) && lower.count > $0.count }) {
        text = String(text.dropFirst(word.count)).trimmed
        isShorter = true
      } else if let word = after.first(where: { lower.hasSuffix($0) && lower.count > $0.count }) {
        text = String(text.dropLast(word.count)).trimmed
        isShorter = true
      }
    }
    return text
  }

  /// Returns the summary that this program writes.
  static func text(_ name: String, _ date: CivilDate) -> String {
    guard let year = date.year, year != VCardBirthday.yearMeaningNone, let month = date.month,
      let day = date.day
    else { return name }
    return (name.isEmpty ? "" : name + " ") + "(\(day) \(months[month - 1]) \(year))"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
