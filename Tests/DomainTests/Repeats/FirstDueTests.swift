import Domain
import Testing

/// The first due date of a to-do that gets a rule.
///
/// Today is Thursday, 26 November 2026.
@Suite struct FirstDueTests {
  private let today: CivilDate
  private let monday: RepeatRule

  init() throws {
    today = try CivilDate.parse("2026-11-26")
    monday = try RepeatRule(canonical: "FREQ=WEEKLY;BYDAY=MO")
  }

  private func day(_ text: String) throws -> CivilDate { try CivilDate.parse(text) }

  @Test func `First due date: a given date counts, whether or not it fits the rule`() throws {
    let (given, present) = (try day("2026-12-24"), try day("2026-11-30"))
    #expect(try monday.firstDue(given: given, present: present, today: today) == given)
    #expect(throws: Refusal.repeatsWithoutDue) {
      try monday.firstDue(given: try day("2026-12"), present: present, today: today)
    }
  }

  @Test func `First due date: the current date stays if the rule can fall on it`() throws {
    let (fits, other) = (try day("2026-11-23"), try day("2026-11-24"))
    #expect(try monday.firstDue(given: nil, present: fits, today: today) == fits)
    let next = try day("2026-11-30")
    #expect(try monday.firstDue(given: nil, present: other, today: today) == next)
    #expect(try monday.firstDue(given: nil, present: try day("2026-11"), today: today) == next)
  }

  @Test func `First due date: without a date, the first date from today is taken`() throws {
    let next = try day("2026-11-30")
    #expect(try monday.firstDue(given: nil, present: nil, today: today) == next)
    #expect(throws: Refusal.repeatsWithoutDue) {
      try monday.firstDue(given: nil, present: nil, today: nil)
    }
    let never = try RepeatRule(canonical: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
    #expect(throws: Refusal.neverRepeats) {
      try never.firstDue(given: nil, present: nil, today: today)
    }
  }

  @Test(arguments: [
    ("FREQ=MONTHLY", true), ("FREQ=YEARLY", true), ("FREQ=MONTHLY;BYMONTHDAY=31", true),
    ("FREQ=MONTHLY;BYMONTHDAY=28", false), ("FREQ=MONTHLY;BYMONTHDAY=-31", false),
    ("FREQ=MONTHLY;BYDAY=5FR", false), ("FREQ=YEARLY;BYMONTH=1", false), ("FREQ=WEEKLY", false),
    ("FREQ=DAILY", false),
  ])
  func `Repeat rule: whether months can lack its day depends on the anchor`(
    text: String, canMiss: Bool
  ) throws {
    #expect(try RepeatRule(canonical: text).canEverMissDays == canMiss)
  }
}
