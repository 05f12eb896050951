internal import Domain

/// What comes back each year on a day that is no birthday, though it stands in a calendar of birthdays.
package enum Occasion: Hashable, Sendable {
  case death, anniversary, nameDay
  /// Anything else, as the file calls it.
  case other(String)
}

/// What an event says of itself: whether somebody was born on its day.
enum EventEvidence: Equatable {
  case birthday
  case no(Occasion)
  /// Nothing, so it depends on the calendar.
  case none

  /// Weighs what an event says: a property that is there for nothing else, then its categories, then its summary.
  init(_ event: Component) {
    self = Self.byProperty(event) ?? Self.byCategory(event) ?? Self.bySummary(event) ?? .none
  }

  private static func byProperty(_ event: Component) -> EventEvidence? {
    for line in event.lines {
      switch line.name {
      // Nextcloud's birthday calendar has events of three kinds.
      case "X-NEXTCLOUD-BC-FIELD-TYPE":
        switch line.value.trimmed.uppercased() {
        case "BDAY": return .birthday
        case "DEATHDATE": return .no(.death)
        case "ANNIVERSARY": return .no(.anniversary)
        default: return .no(.other(line.text.trimmed))
        }
      // Of khal, of this program, and of sabre.
      case "X-BIRTHDAY", "X-DAYBOOK-BIRTHDAY", "X-DAYBOOK-BASE", "X-SABRE-BDAY": return .birthday
      // khal has these for properties of a card.
      case "X-ANNIVERSARY": return .no(.anniversary)
      case "X-ABDATE":
        return .no(label(event.first("X-ABLABEL")?.text ?? "") ?? .other("X-ABDATE"))
      default: continue
      }
    }
    return nil
  }

  /// Of several categories, that of birthdays counts.
  private static func byCategory(_ event: Component) -> EventEvidence? {
    let categories = event.all("CATEGORIES").flatMap(\.items).map { $0.trimmed.uppercased() }
    if categories.contains(where: birthdayCategories.contains) { return .birthday }
    return categories.lazy.compactMap { occasions[$0] }.first.map(EventEvidence.no)
  }

  /// The words by which an address book labels a date: `_$!<Anniversary>!$_`.
  static func label(_ words: String) -> Occasion? {
    var label = words.trimmed
    if label.hasPrefix("_$!<"), label.hasSuffix(">!$_") {
      label = String(label.dropFirst(4).dropLast(4))
    }
    if label.isEmpty || birthdayCategories.contains(label.uppercased()) { return nil }
    return occasions[label.uppercased()] ?? .other(label)
  }

  private static func bySummary(_ event: Component) -> EventEvidence? {
    guard let summary = event.first("SUMMARY")?.text.trimmed.lowercased() else { return nil }
    for (signs, occasion) in signs where signs.contains(where: summary.unicodeScalars.contains) {
      return .no(occasion)
    }
    // A name may hold any of these words, so they count only where they cannot be one.
    for (words, occasion) in phrases where words.contains(where: { summary.hasPhrase($0) }) {
      return .no(occasion)
    }
    return nil
  }

  static let birthdayCategories: Set<String> = ["BIRTHDAY", "BIRTHDAYS", "GEBURTSTAG"]

  private static let occasions: [String: Occasion] = [
    "ANNIVERSARY": .anniversary, "ANNIVERSARIES": .anniversary, "WEDDING": .anniversary,
    "WEDDING ANNIVERSARY": .anniversary, "JAHRESTAG": .anniversary, "JUBILÄUM": .anniversary,
    "HOCHZEITSTAG": .anniversary, "DEATH": .death, "DEATHDATE": .death, "DAY OF DEATH": .death,
    "TODESTAG": .death, "STERBETAG": .death, "NAME DAY": .nameDay, "NAMEDAY": .nameDay,
    "NAMENSTAG": .nameDay,
  ]

  /// What Nextcloud marks its events with: pictures, or signs where the database cannot hold these.
  private static let signs: [([Unicode.Scalar], Occasion)] = [
    (["⚰", "†", "✝"], .death), (["💍", "⚭"], .anniversary),
  ]

  private static let phrases: [([String], Occasion)] = [
    (["death of ^", "^'s death", "^’s death", "todestag", "sterbetag"], .death),
    (
      [
        "anniversary of ^", "anniversary: ^", "^ anniversary", "^ (anniversary)", "hochzeitstag",
        "jahrestag", "^ wedding day",
      ], .anniversary
    ),
    (["name day of ^", "^ name day", "^ nameday", "namenstag"], .nameDay),
  ]
}

extension String {
  /// Whether it has a phrase: at its beginning or its end, where a `^` stands for the name.
  fileprivate func hasPhrase(_ phrase: String) -> Bool {
    if phrase.hasSuffix("^") { return hasPrefix(phrase.dropLast()) }
    guard phrase.hasPrefix("^") else { return contains(phrase) }
    // Behind it may stand a year.
    let words = prefix { $0 != "(" || phrase.contains("(") }
    return String(words).trimmed.hasSuffix(phrase.dropFirst())
  }
}
