internal import Domain

/// The evidence for or against an event being a birthday.
enum EventEvidence: Equatable {
  case birthday
  case no(Occasion)
  /// The event contains no evidence, so the calendar decides.
  case none

  /// Checks the properties that have no other purpose, then the categories, then the summary.
  init(_ event: Component) {
    self = Self.byProperty(event) ?? Self.byCategory(event) ?? Self.bySummary(event) ?? .none
  }

  private static func byProperty(_ event: Component) -> EventEvidence? {
    for line in event.lines {
      switch line.name {
      // The birthday calendar of Nextcloud has three types of events.
      case "X-NEXTCLOUD-BC-FIELD-TYPE":
        switch line.value.trimmed.uppercased() {
        case "BDAY": return .birthday
        case "DEATHDATE": return .no(.death)
        case "ANNIVERSARY": return .no(.anniversary)
        default: return .no(.other(line.text.trimmed))
        }
      // Properties of khal, this program and sabre.
      case "X-BIRTHDAY", "X-DAYBOOK-BIRTHDAY", "X-DAYBOOK-BASE", "X-SABRE-BDAY": return .birthday
      // khal writes these for properties of a card.
      case "X-ANNIVERSARY": return .no(.anniversary)
      case "X-ABDATE":
        return .no(label(event.first("X-ABLABEL")?.text ?? "") ?? .other("X-ABDATE"))
      default: continue
      }
    }
    return nil
  }

  /// If there are several categories, a category for birthdays takes precedence.
  private static func byCategory(_ event: Component) -> EventEvidence? {
    let categories = event.all("CATEGORIES").flatMap(\.items).map { $0.trimmed.uppercased() }
    if categories.contains(where: birthdayCategories.contains) { return .birthday }
    return categories.lazy.compactMap { occasions[$0] }.first.map(EventEvidence.no)
  }

  /// Returns the occasion that a date label in an address book names, such as `_$!<Anniversary>!$_`; nil for a
  /// birthday.
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
    // A name may contain any of these words, so they count only where no name can occur.
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

  /// The marks that Nextcloud writes: emoji, or plain symbols if its database cannot store emoji.
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
  /// Returns whether the text contains the given phrase, in which `^` stands for the name at the beginning or end.
  fileprivate func hasPhrase(_ phrase: String) -> Bool {
    if phrase.hasSuffix("^") { return hasPrefix(phrase.dropLast()) }
    guard phrase.hasPrefix("^") else { return contains(phrase) }
    // A year in parentheses may follow the phrase.
    let words = prefix { $0 != "(" || phrase.contains("(") }
    return String(words).trimmed.hasSuffix(phrase.dropFirst())
  }
}
