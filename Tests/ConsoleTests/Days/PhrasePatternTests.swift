import Testing

@testable import Phrasing

/// Patterns that are not in the tables of any language.
struct PhrasePatternTests {
  private static let vocabulary = Vocabulary(
    [
      .weekday: Vocabulary.list("montag", "samstag sa"), .month: [("märz", 3)],
      .nth: [("1st", 1), ("2nd", 2)], .day: [("1st", 1)],
    ],
    spellings: ["ä": "ae", "ü": "ue"])

  /// Returns the values of the slots; nil if the text does not have the form.
  private func values(_ template: String, _ text: String) -> [Slot: Int]? {
    let found = PhrasePattern(template, Self.vocabulary).match(Array(text.unicodeScalars)[...])
    return found.map { values in
      Dictionary(
        uniqueKeysWithValues: Slot.allCases.compactMap { slot in
          values[slot].map { (slot, $0) }
        })
    }
  }

  @Test(arguments: [
    ("on the day", true), ("on day", true), ("the day", true), ("day", true), ("at night", true),
    ("at the night", false), ("on", false), ("on the days", false), ("", false),
  ])
  func `Pattern: text in square brackets can be left out, and round ones hold alternatives`(
    text: String, isRead: Bool
  ) {
    #expect(values("([on ][the ]day|at (dawn|night))", text) == (isRead ? [Slot: Int]() : nil))
  }

  @Test(arguments: ["für samstag", "fuer samstag", "für sa", "fuer sa"])
  func `Pattern: letters and words are read in each spelling`(text: String) {
    #expect(values("für {weekday}", text) == [.weekday: 2])
  }

  @Test func `Pattern: a shorter word of a slot is read if the longer one leaves the wrong rest`() {
    #expect(values("{weekday}mstagabend", "samstagabend") == [.weekday: 2])
    #expect(values("{month}[{year}]", "maerz2027") == [.month: 3, .year: 2027])
  }

  @Test func `Pattern: if two slots have the same value, the later one counts`() {
    #expect(values("{day} {nth}", "1st 2nd") == [.day: 2])
  }

  @Test func `Letter set: digits and lower-case letters are distinct`() {
    let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz".unicodeScalars)
    for letter in letters {
      let set = LetterSet(letter)
      #expect(letters.filter(set.mayContain) == [letter])
    }
  }
}
