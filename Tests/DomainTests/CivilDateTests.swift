import Domain
import Testing

@Suite struct CivilDateTests {
  static let forms = [
    "1815-12-10", "0001-01-01", "9999-12-31", "2024-02-29", "--12-10", "--02-29", "1985-12", "1985",
    "--12", "---03", "---31",
  ]

  @Test(arguments: forms)
  func `Civil date: it round-trips through its text and its number`(iso: String) throws {
    let date = try CivilDate.parse(iso)
    #expect(date.iso == iso)
    #expect(CivilDate(packed: date.packed) == date)
  }

  @Test func `Civil date: its packed number is the one in the protocol`() throws {
    #expect(try CivilDate.parse("1815-12-10").packed == 1815 * 512 + 12 * 32 + 10)
    #expect(try CivilDate.parse("--12-10").packed == 12 * 32 + 10)
    #expect(try CivilDate.parse("1985").packed == 1985 * 512)
  }

  /// Zero, a negative number, the year 10000, month 13, 29 February 2023, and a year with a day.
  static let strangers: [Int64] = [0, -1, 5_120_000, 416, 1_035_869, 517, .max]

  @Test(arguments: strangers)
  func `Civil date: a number that encodes no date is refused`(packed: Int64) {
    #expect(CivilDate(packed: packed) == nil)
  }

  @Test(arguments: [
    "", "-", "--", "---", "----01", "1985-", "-1985", "85", "1985-1-1", "1985-12-10-", "19851210",
    "--12-", "---1", " 1985", "१९८५", "+985", "1985-12-10T00:00", "2026--01",
  ])
  func `Civil date: any text other than an ISO date is unreadable`(text: String) {
    #expect(throws: CivilDateError.unreadable) { try CivilDate.parse(text) }
  }

  @Test func `Civil date: a day that does not exist is refused, and its neighbours are reported`()
    throws
  {
    #expect(
      throws: CivilDateError.noSuchDate(
        year: 2027, month: 2, day: 29, before: try CivilDate.parse("2027-02-28"),
        after: try CivilDate.parse("2027-03-01"))
    ) { try CivilDate.parse("2027-02-29") }
    #expect(
      throws: CivilDateError.noSuchDate(
        year: nil, month: 2, day: 30, before: try CivilDate.parse("--02-29"),
        after: try CivilDate.parse("--03-01"))
    ) { try CivilDate.parse("--02-30") }
    #expect(
      throws: CivilDateError.noSuchDate(
        year: 1900, month: 2, day: 29, before: try CivilDate.parse("1900-02-28"),
        after: try CivilDate.parse("1900-03-01"))
    ) { try CivilDate.parse("1900-02-29") }
  }

  @Test func `Civil date: a part out of range is named`() {
    #expect(throws: CivilDateError.noSuchYear(0)) { try CivilDate.parse("0000-01-01") }
    #expect(throws: CivilDateError.noSuchMonth(13)) { try CivilDate.parse("2026-13-01") }
    #expect(throws: CivilDateError.noSuchDay(32)) { try CivilDate.parse("2026-01-32") }
    #expect(throws: CivilDateError.unreadable) { try CivilDate(year: 2026, day: 3) }
    #expect(throws: CivilDateError.unreadable) { try CivilDate() }
  }

  @Test func `Civil date: days are counted without a gap over all years`() throws {
    let first = try CivilDate.parse("0001-01-01")
    var day = try #require(first.epochDay)
    #expect(CivilDate(epochDay: day - 1) == nil)
    for year in CivilDate.years {
      for month in 1...12 {
        let last = CivilDate.days(inMonth: month, of: year)
        for number in [1, last] {
          let date = try CivilDate(year: year, month: month, day: number)
          let expected = day + number - 1
          if date.epochDay != expected || CivilDate(epochDay: expected) != date {
            Issue.record("\(date.iso) is day \(String(describing: date.epochDay))")
          }
        }
        day += last
      }
    }
    #expect(CivilDate(epochDay: day) == nil)
  }

  @Test func `Civil date: known days have their number and weekday`() throws {
    #expect(try CivilDate.parse("1970-01-01").epochDay == 0)
    #expect(try CivilDate.parse("2000-03-01").epochDay == 11_017)
    #expect(try CivilDate.parse("1970-01-01").weekday == .thursday)
    #expect(try CivilDate.parse("2026-11-20").weekday == .friday)
    #expect(try CivilDate.parse("0001-01-01").weekday == .monday)
    #expect(try CivilDate.parse("--11-20").weekday == nil)
    #expect(try CivilDate.parse("2024-02-28").adding(days: 2)?.iso == "2024-03-01")
    #expect(try CivilDate.parse("2024-03-01").adding(days: -366)?.iso == "2023-03-01")
    #expect(try CivilDate.parse("9999-12-31").adding(days: 1) == nil)
    #expect(try CivilDate.parse("9999-12-31").adding(days: .max) == nil)
    #expect(CivilDate(ofInstant: -1)?.iso == "1969-12-31")
    #expect(CivilDate(ofInstant: 86_400_000)?.iso == "1970-01-02")
    #expect(CivilDate(ofInstant: .min) == nil)
  }
}

@Suite struct OccurrenceTests {
  static let leapDays: [(Int, String, String)] = [
    (2023, "2023-02-28", "2023-03-01"), (2024, "2024-02-29", "2024-02-29"),
    (2025, "2025-02-28", "2025-03-01"), (2026, "2026-02-28", "2026-03-01"),
    (2027, "2027-02-28", "2027-03-01"), (2028, "2028-02-29", "2028-02-29"),
    (2029, "2029-02-28", "2029-03-01"), (2030, "2030-02-28", "2030-03-01"),
    (2031, "2031-02-28", "2031-03-01"), (2032, "2032-02-29", "2032-02-29"),
  ]

  @Test(arguments: leapDays)
  func `Birthday: 29 February is celebrated on the day that the leap rule sets`(
    year: Int, february: String, march: String
  ) throws {
    let newYear = try CivilDate(year: year, month: 1, day: 1)
    for (born, turns) in [("2000-02-29", year - 2000), ("--02-29", nil)] {
      let born = try CivilDate.parse(born)
      for (rule, expected) in [(LeapRule.february28, february), (.march1, march)] {
        let date = try CivilDate.parse(expected)
        #expect(
          born.nextBirthday(from: newYear, rule: rule)
            == UpcomingBirthday(
              date: date, inDays: try #require(date.days(since: newYear)), turns: turns,
              observedRule: CivilDate.isLeap(year) ? nil : rule))
      }
    }
  }

  static let wraps: [(String, String, String, Int, Int?)] = [
    ("1990-12-31", "2026-12-31", "2026-12-31", 0, 36),
    ("1990-12-31", "2027-01-01", "2027-12-31", 364, 37),
    ("1990-01-01", "2026-12-31", "2027-01-01", 1, 37),
    ("1990-01-01", "2027-01-01", "2027-01-01", 0, 37),
    ("--01-01", "2026-12-31", "2027-01-01", 1, nil),
    ("1604-05-01", "2026-04-30", "2026-05-01", 1, nil),
    ("1815-12-10", "2026-11-20", "2026-12-10", 20, 211),
    ("2000-02-29", "2027-03-01", "2028-02-29", 365, 28),
    ("2030-05-05", "2026-11-20", "2030-05-05", 1262, 0),
  ]

  @Test(arguments: wraps)
  func `Birthday: the next one is today or later`(
    born: String, today: String, expected: String, inDays: Int, turns: Int?
  ) throws {
    let upcoming = try CivilDate.parse(born)
      .nextBirthday(from: try CivilDate.parse(today), rule: .february28)
    #expect(
      upcoming
        == UpcomingBirthday(
          date: try CivilDate.parse(expected), inDays: inDays, turns: turns, observedRule: nil))
  }

  @Test func `Birthday: the rule of 1 March applies after 28 February`() throws {
    let born = try CivilDate.parse("2000-02-29")
    let upcoming = born.nextBirthday(from: try CivilDate.parse("2027-03-01"), rule: .march1)
    #expect(upcoming?.date.iso == "2027-03-01")
    #expect(upcoming?.inDays == 0)
  }

  @Test(arguments: ["1985", "1985-12", "---03", "--12"])
  func `Birthday: a birthday without month and day has no next date`(born: String) throws {
    let today = try CivilDate.parse("2026-11-20")
    #expect(try CivilDate.parse(born).nextBirthday(from: today, rule: .march1) == nil)
  }

  @Test func `Birthday: there is no next one after the last year`() throws {
    let born = try CivilDate.parse("2000-01-01")
    let lastDay = try CivilDate.parse("9999-12-31")
    #expect(born.nextBirthday(from: lastDay, rule: .march1) == nil)
  }

  @Test func `Birthday: its own leap rule overrides the default`() throws {
    var story = Story()
    let born = try CivilDate.parse("2000-02-29")
    let key = try story.run(.addBirthday(firstName: "Ann", birthdate: born))[0].key
    let newYear = try CivilDate.parse("2027-01-01")
    func next(_ story: Story) -> String? {
      story.document(key).flatMap(Birthday.init)?.next(from: newYear)?.date.iso
    }
    #expect(next(story) == "2027-02-28")
    try story.run(.edit(key, [Field.Birthday.leapRule: .integer(1)]))
    #expect(next(story) == "2027-03-01")
  }
}
