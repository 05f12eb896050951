internal import Domain

/// Whose birthday an event is, by what it is called.
struct EventSummary: Equatable {
  var name: String
  /// A year of birth that it tells.
  var year: Int?
  /// Whether it says that none is known: Nextcloud writes `Ada *` where it would write `Ada (*1815)` otherwise.
  var isYearless = false

  /// Takes away what says that it is a birthday: `Ada Lovelace (10 Dec 1815)`, `🎂 Ada's birthday`.
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

  /// Whether this program would write it, or something that reads alike, for someone of a name.
  func isOf(_ fullName: String) -> Bool {
    // A name may hold words that are none of it, as others read it.
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

  /// Names are shorter; of a longer text, word by word would be taken away for ever.
  private static let longestName = 1024

  private static func withoutWords(_ text: String) -> String {
    guard text.utf8.count <= longestName else { return text }
    var text = text
    var isShorter = true
    while isShorter {
      isShorter = false
      let lower = text.lowercased()
      // Lower case may have another length, in a few scripts.
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

  /// What an event is called that this program writes.
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
