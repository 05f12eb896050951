import Domain
import Phrasing
import TestDice
import Testing

/// Repeat phrases in the forms that users type.
///
/// Today is Thursday, 26 November 2026.
struct RepeatWordsTests {
  private let today: CivilDate
  private let words: RepeatWords

  init() throws {
    today = try CivilDate(year: 2026, month: 11, day: 26)
    words = RepeatWords(today: today)
  }

  /// The rule and the first date of a phrase for a to-do without a due date.
  private func plan(_ said: String) throws -> String {
    let plan = try words.phrase(said).plan(due: nil, today: today)
    return "\(plan.rule.text) \(plan.due.iso)" + (plan.until.map { " \($0.iso)" } ?? "")
  }

  @Test(arguments: [
    ("daily", "FREQ=DAILY 2026-11-26"),
    ("Daily.", "FREQ=DAILY 2026-11-26"),
    ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR 2026-11-26"),
    ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2 2026-11-26"),
    ("every mon,thu", "FREQ=WEEKLY;BYDAY=MO,TH 2026-11-26"),
    ("every mon, thu", "FREQ=WEEKLY;BYDAY=MO,TH 2026-11-26"),
    ("every 15th", "FREQ=MONTHLY;BYMONTHDAY=15 2026-12-15"),
    ("every last friday", "FREQ=MONTHLY;BYDAY=-1FR 2026-11-27"),
    ("every last day", "FREQ=MONTHLY;BYMONTHDAY=-1 2026-11-30"),
    ("every 24 dec", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24 2026-12-24"),
    ("every dec 24", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24 2026-12-24"),
    ("every 31st", "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD 2026-11-30"),
    ("every 29 feb", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=BACKWARD 2027-02-28"),
    ("every! 3 days", "FREQ=DAILY;INTERVAL=3;FROM=DONE 2026-11-26"),
    ("each 1st", "FREQ=MONTHLY;BYMONTHDAY=1;MISSED=KEEP 2026-12-01"),
    ("each month", "FREQ=MONTHLY;MISSED=KEEP 2026-11-26"),
    ("3 days after done", "FREQ=DAILY;INTERVAL=3;FROM=DONE 2026-11-26"),
    ("2 weeks", "FREQ=WEEKLY;INTERVAL=2 2026-11-26"),
    ("mon,thu", "FREQ=WEEKLY;BYDAY=MO,TH 2026-11-26"),
    ("every other day", "FREQ=DAILY;INTERVAL=2 2026-11-26"),
    ("every other friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR 2026-11-27"),
    ("every second friday of the month", "FREQ=MONTHLY;BYDAY=2FR 2026-12-11"),
    ("every 2nd day", "FREQ=DAILY;INTERVAL=2 2026-11-26"),
    ("every third friday", "FREQ=MONTHLY;BYDAY=3FR 2026-12-18"),
    ("every first monday of december", "FREQ=MONTHLY;BYMONTH=12;BYDAY=1MO 2026-12-07"),
    ("every year on the first monday of december", "FREQ=MONTHLY;BYMONTH=12;BYDAY=1MO 2026-12-07"),
    ("every 1st and 15th", "FREQ=MONTHLY;BYMONTHDAY=1,15 2026-12-01"),
    ("every weekend", "FREQ=WEEKLY;BYDAY=SA 2026-11-28"),
    ("every december", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=1 2026-12-01"),
    ("every 1 jan and 1 jul", "FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1 2027-01-01"),
    (
      "every 2 weeks on Mon and Thu until 2027-01-01",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH 2026-11-26 2027-01-01"
    ),
    ("every day for 10 times", "FREQ=DAILY;COUNT=10 2026-11-26"),
    ("every week 10x", "FREQ=WEEKLY;COUNT=10 2026-11-26"),
    ("every month until dec 24", "FREQ=MONTHLY 2026-11-26 2026-12-24"),
    ("every 2 weeks starting 1 dec", "FREQ=WEEKLY;INTERVAL=2 2026-12-01"),
    ("mondays", "FREQ=WEEKLY;BYDAY=MO 2026-11-30"),
    ("every end of the month", "FREQ=MONTHLY;BYMONTHDAY=-1 2026-11-30"),
    (
      "FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270101T000000Z",
      "FREQ=WEEKLY;BYDAY=MO,TH 2026-11-26 2027-01-01"
    ),
    ("every fifth monday", "FREQ=MONTHLY;BYDAY=5MO 2026-11-30"),
  ])
  func `Repeats: each English phrase is read as a rule with its first date`(
    said: String, meaning: String
  ) throws {
    #expect(try plan(said) == meaning)
  }

  @Test(arguments: [
    ("jeden Montag", "FREQ=WEEKLY;BYDAY=MO 2026-11-30"),
    ("alle 2 Wochen", "FREQ=WEEKLY;INTERVAL=2 2026-11-26"),
    ("werktags", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR 2026-11-26"),
    ("alle 3 Tage nach Erledigung", "FREQ=DAILY;INTERVAL=3;FROM=DONE 2026-11-26"),
    ("jeden 15.", "FREQ=MONTHLY;BYMONTHDAY=15 2026-12-15"),
    ("jeden Monat am 15.", "FREQ=MONTHLY;BYMONTHDAY=15 2026-12-15"),
    ("jeden 24. Dezember", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24 2026-12-24"),
    ("jeden 24.12.", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24 2026-12-24"),
    ("jeden letzten Freitag im Monat", "FREQ=MONTHLY;BYDAY=-1FR 2026-11-27"),
    ("jeden zweiten Tag", "FREQ=DAILY;INTERVAL=2 2026-11-26"),
    ("jede zweite Woche", "FREQ=WEEKLY;INTERVAL=2 2026-11-26"),
    ("montags und donnerstags", "FREQ=WEEKLY;BYDAY=MO,TH 2026-11-26"),
    ("jeden Montag bis 24.12.2027", "FREQ=WEEKLY;BYDAY=MO 2026-11-30 2027-12-24"),
    ("jedes Monatsende", "FREQ=MONTHLY;BYMONTHDAY=-1 2026-11-30"),
    ("am 15. jeden Monats", "FREQ=MONTHLY;BYMONTHDAY=15 2026-12-15"),
  ])
  func `Repeats: each German phrase is read as a rule with its first date`(
    said: String, meaning: String
  ) throws {
    #expect(try plan(said) == meaning)
  }

  @Test(arguments: [
    ("每天", "FREQ=DAILY 2026-11-26"),
    ("每周一", "FREQ=WEEKLY;BYDAY=MO 2026-11-30"),
    ("每两周", "FREQ=WEEKLY;INTERVAL=2 2026-11-26"),
    ("每月15号", "FREQ=MONTHLY;BYMONTHDAY=15 2026-12-15"),
    ("每个工作日", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR 2026-11-26"),
    ("完成后3天", "FREQ=DAILY;INTERVAL=3;FROM=DONE 2026-11-26"),
    ("每两周一次", "FREQ=WEEKLY;INTERVAL=2 2026-11-26"),
    ("每周一、四", "FREQ=WEEKLY;BYDAY=MO,TH 2026-11-26"),
    ("每月最后一天", "FREQ=MONTHLY;BYMONTHDAY=-1 2026-11-30"),
    ("每月最后一个周五", "FREQ=MONTHLY;BYDAY=-1FR 2026-11-27"),
    ("每年12月24日", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24 2026-12-24"),
    ("每12月第一个周一", "FREQ=MONTHLY;BYMONTH=12;BYDAY=1MO 2026-12-07"),
    ("每周一直到2027-01-01", "FREQ=WEEKLY;BYDAY=MO 2026-11-30 2027-01-01"),
    ("从2026-12-01开始每两周", "FREQ=WEEKLY;INTERVAL=2 2026-12-01"),
    ("每天10次", "FREQ=DAILY;COUNT=10 2026-11-26"),
    ("每3天", "FREQ=DAILY;INTERVAL=3 2026-11-26"),
    ("每隔一天", "FREQ=DAILY;INTERVAL=2 2026-11-26"),
    ("每！3天", "FREQ=DAILY;INTERVAL=3;FROM=DONE 2026-11-26"),
    ("每月月底", "FREQ=MONTHLY;BYMONTHDAY=-1 2026-11-30"),
  ])
  func `Repeats: each Chinese phrase is read as a rule with its first date`(
    said: String, meaning: String
  ) throws {
    #expect(try plan(said) == meaning)
  }

  @Test(arguments: [
    (
      "every second friday",
      "'every second friday' has several meanings. "
        + "Did you mean 'every 2 weeks on Fri' or 'every month on the second Fri'?"
    ),
    (
      "every year on the second friday",
      "'every year on the second friday' has several meanings. "
        + "Did you mean 'every month on the second Fri' or 'every month on the second Fri in January'?"
    ),
    (
      "every 15",
      "'every 15' has several meanings. Did you mean 'every 15 days' or 'every month on the 15th'?"
    ),
    (
      "every 24 dec and 1 jan",
      "'every 24 dec and 1 jan' needs more than one rule. Add a to-do for each day."
    ),
    (
      "every hour",
      "cannot read 'every hour' as a repeat rule. The word 'hour' is not recognized in a repeat rule. "
        + "Try daily, every weekday, every 2 weeks, every mon,thu, every 15th or every last friday."
    ),
    (
      "nach Erledigung",
      "cannot read 'nach Erledigung' as a repeat rule. "
        + "Try daily, every weekday, every 2 weeks, every mon,thu, every 15th or every last friday."
    ),
    ("every 30 feb", "there is no 30 February. Did you mean '29 february' or '1 march'?"),
    (
      "FREQ=MONTHLY;BYSETPOS=-1",
      "BYSETPOS is not supported in a repeat rule. Use only FREQ, INTERVAL, BYMONTH, "
        + "BYMONTHDAY, BYDAY, COUNT, SKIP, FROM and MISSED."
    ),
    (
      "every week on the 15th",
      "a weekly rule cannot name days of the month. Use a monthly rule instead."
    ),
    (
      "every day until 2026-11-01",
      "the repeats end on 2026-11-01, before their first date, 2026-11-26. Choose a later end."
    ),
  ])
  func `Repeats: a phrase that is not a rule is refused with the reason`(
    said: String, reason: String
  ) {
    do throws(RepeatFault) {
      let plan = try words.phrase(said).plan(due: nil, today: today)
      Issue.record("\(plan)")
    } catch {
      #expect(error.text(of: said) == reason)
    }
  }

  @Test(arguments: [
    ("every day", true), ("daily", true), ("werktags", true), ("每天", true), ("mon,thu", false),
    ("2 weeks", false), ("milk", false), ("12 times", false), ("last friday", false), ("", false),
  ])
  func `Repeats: the end of a line is a phrase only if it says that something repeats`(
    said: String, isPhrase: Bool
  ) {
    #expect((words.phraseIfAny(said) != nil) == isPhrase)
  }

  @Test(arguments: ["每年13月1号", "每0月1日", "every 0 dec", "every 0th", "每月0号"])
  func `Repeats: a month or day that no year has is refused`(said: String) {
    #expect(throws: RepeatFault.self) { try words.phrase(said) }
  }

  @Test func `Repeats: a phrase of any length is read or refused`() {
    for part in ["-last", " every", "每", "周一", "mon,", " until"] {
      let long = "every 2nd" + String(repeating: part, count: 100_000)
      #expect(throws: RepeatFault.self) { try words.phrase(long) }
    }
  }

  @Test func `Repeats: the due date is the given one, or else one on which the rule can fall`()
    throws
  {
    let phrase = try words.phrase("every 2 weeks on mon")
    let given = try CivilDate.parse("2026-12-01")
    let monday = try CivilDate.parse("2027-01-04")
    let tuesday = try CivilDate.parse("2027-01-05")
    #expect(try phrase.plan(due: given, current: monday, today: today).due == given)
    #expect(try phrase.plan(due: nil, current: monday, today: today).due == monday)
    #expect(try phrase.plan(due: nil, current: tuesday, today: today).due.iso == "2026-11-30")
  }

  @Test func `Repeats: a monthly rule keeps to the end of the month if its day can be missing`()
    throws
  {
    let monthly = try words.phrase("monthly")
    let last = try CivilDate.parse("2027-01-31")
    #expect(try monthly.plan(due: last, today: today).rule.text == "FREQ=MONTHLY;SKIP=BACKWARD")
    #expect(try monthly.plan(due: today, today: today).rule.text == "FREQ=MONTHLY")
    let strict = try words.phrase("monthly, omitting missing days").plan(due: last, today: today)
    #expect(strict.rule.text == "FREQ=MONTHLY")
    #expect(strict.rule.words(from: last) == "every month, omitting missing days")
  }

  @Test(arguments: [
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "every 2 weeks on Mon and Thu"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=1,15,-2,-1",
      "every month on the 1st, 15th, 2nd-last day and last day"
    ),
    ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "every month on the 13th falling on Fri"),
    ("FREQ=MONTHLY;BYDAY=MO,1FR,-1FR", "every month on Mon, the first Fri and the last Fri"),
    ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24;MISSED=KEEP", "each year on 24 December"),
    ("FREQ=DAILY;INTERVAL=3;COUNT=10;FROM=DONE", "every! 3 days, 10 times"),
    (
      "FREQ=DAILY;BYMONTH=1,2;FROM=START",
      "every day in January and February, counted from the start"
    ),
  ])
  func `Repeats: a rule is shown in words`(rule: String, shown: String) throws {
    let rule = try RepeatRule(canonical: rule)
    #expect(rule.words(from: today) == shown)
    let until = try CivilDate.parse("2027-01-01")
    #expect(rule.words(from: today, until: until) == "\(shown) until 2027-01-01")
  }

  @Test func `Repeats: the words of each rule are read as the same rule`() throws {
    var dice = Dice(seed: 26)
    for _ in 0..<2_000 {
      let rule = try Self.rule(&dice)
      let anchor = try #require(CivilDate(epochDay: 20_000 + dice.number(1_000)))
      let until = dice.chance(30) ? CivilDate(epochDay: 30_000) : nil
      let shown = rule.words(from: anchor, until: until)
      let phrase = try #require(words.phraseIfAny(shown), "\(shown)")
      let canMiss = rule.canMissDays(anchor: anchor)
      let expected = rule.skippingBackward(rule.skipsBackward && canMiss)
      #expect(phrase.rule(from: anchor) == expected, "\(shown)")
      #expect(phrase.until == until, "\(shown)")
      #expect(try words.phrase(expected.text).rule(from: anchor) == expected)
    }
  }

  private static func rule(_ dice: inout Dice) throws -> RepeatRule {
    func some(_ numbers: [Int], _ most: Int) -> [Int] {
      (0...dice.number(most)).compactMap { _ in dice.pick(numbers) }
    }
    let frequency = dice.pick([RepeatRule.Frequency.daily, .weekly, .monthly, .yearly]) ?? .daily
    let interval = dice.chance(50) ? 1 : 2 + dice.number(40)
    let months = dice.chance(70) ? [] : some(Array(1...12), 3)
    let hasMonthDays = frequency != .weekly && dice.chance(40)
    let monthDays = hasMonthDays ? some(Array(1...31) + Array(-31...(-1)), 3) : []
    let days = dice.chance(50) ? [] : some(Array(1...7), 4).compactMap(Weekday.init)
    return try RepeatRule(
      frequency, interval: interval, months: months, monthDays: monthDays,
      days: days.map { day in
        let hasOrdinal = frequency == .monthly && dice.chance(60)
        return RepeatRule.Day(
          day, ordinal: hasOrdinal ? dice.pick([1, 2, 3, 4, 5, -1, -2, -5]) : nil)
      },
      count: dice.chance(80) ? nil : 1 + dice.number(50), skipsBackward: dice.chance(50),
      basis: dice.pick([.due, .due, .start, .done]) ?? .due, keepsMissed: dice.chance(30))
  }

  @Test(arguments: [
    ("every monday at 9am", "FREQ=WEEKLY;BYDAY=MO 540"), ("every day 17:00", "FREQ=DAILY 1020"),
    ("every mon, thu @ 8:30", "FREQ=WEEKLY;BYDAY=MO,TH 510"),
    ("jeden Montag um 9 Uhr", "FREQ=WEEKLY;BYDAY=MO 540"), ("每天下午5点", "FREQ=DAILY 1020"),
    ("every 3 days", "FREQ=DAILY;INTERVAL=3 none"), ("tomorrow at 9am", "none"), ("9am", "none"),
  ])
  func `Repeats: a phrase may have a time of day`(said: String, expected: String) throws {
    let read = words.phraseAndTime(said)
    let rule = try read.map { try $0.phrase.plan(due: nil, today: today).rule.text }
    let minute = read?.minute.map(String.init) ?? "none"
    #expect([rule, minute].compactMap(\.self).joined(separator: " ") == expected)
  }
}
