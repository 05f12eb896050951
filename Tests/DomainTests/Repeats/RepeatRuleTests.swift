import Bytes
import Domain
import Testing

@Suite struct RepeatRuleTests {
  static func dates(_ text: String, from anchor: String, _ count: Int = 5) throws -> [String] {
    let rule = try RepeatRule(canonical: text)
    let dates = try #require(RepeatDates(rule, anchor: try CivilDate.parse(anchor)))
    return dates.prefix(count).map(\.iso)
  }

  @Test(arguments: [
    "FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "FREQ=MONTHLY;BYMONTHDAY=15,31,-2,-1",
    "FREQ=MONTHLY;BYDAY=MO,1FR,-1SU;COUNT=10",
    "FREQ=YEARLY;BYMONTH=2,12;BYMONTHDAY=29;SKIP=BACKWARD",
    "FREQ=WEEKLY;FROM=START;MISSED=KEEP", "FREQ=DAILY;INTERVAL=3;FROM=DONE",
  ])
  func `Repeat rules: the canonical text is read and written`(text: String) throws {
    #expect(try RepeatRule(canonical: text).text == text)
  }

  @Test(arguments: [
    ("BYDAY=TH,MO;FREQ=weekly;WKST=MO;INTERVAL=1", "FREQ=WEEKLY;BYDAY=MO,TH"),
    ("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT;BYMONTHDAY=-1,5,+5", "FREQ=MONTHLY;BYMONTHDAY=5,-1"),
    ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "FREQ=WEEKLY;INTERVAL=2"),
  ])
  func `Repeat rules: the text of another program is brought into the canonical form`(
    text: String, canonical: String
  ) throws {
    #expect(try RepeatRule.reading(text).rule.text == canonical)
    #expect(throws: RepeatRuleError.notCanonical(canonical)) { try RepeatRule(canonical: text) }
  }

  @Test func `Repeat rules: UNTIL is returned, since it is a separate field`() throws {
    let read = try RepeatRule.reading("FREQ=DAILY;UNTIL=20270101T120000Z")
    #expect(read.rule.text == "FREQ=DAILY")
    #expect(read.until == "20270101T120000Z")
    #expect(throws: RepeatRuleError.unsupported(part: "UNTIL")) {
      try RepeatRule(canonical: "FREQ=DAILY;UNTIL=20270101")
    }
  }

  static let refusals: [(String, RepeatRuleError)] = [
    ("", .unreadable("")), ("FREQ", .unreadable("FREQ")), ("INTERVAL=2", .noFrequency),
    ("FREQ=DAILY;", .unreadable("")), ("FREQ=HOURLY", .badValue("FREQ", "HOURLY")),
    ("FREQ=MONTHLY;BYSETPOS=-1", .unsupported(part: "BYSETPOS")),
    ("FREQ=YEARLY;BYWEEKNO=3", .unsupported(part: "BYWEEKNO")),
    ("FREQ=YEARLY;BYYEARDAY=3", .unsupported(part: "BYYEARDAY")),
    ("FREQ=DAILY;BYHOUR=3", .unsupported(part: "BYHOUR")),
    ("FREQ=DAILY;FREQ=DAILY", .repeated(part: "FREQ")),
    ("FREQ=DAILY;INTERVAL=0", .badValue("INTERVAL", "0")),
    ("FREQ=DAILY;INTERVAL=12345678", .badValue("INTERVAL", "12345678")),
    ("FREQ=DAILY;COUNT=-1", .badValue("COUNT", "-1")),
    ("FREQ=DAILY;BYMONTH=13", .badValue("BYMONTH", "13")),
    ("FREQ=MONTHLY;BYMONTHDAY=0", .badValue("BYMONTHDAY", "0")),
    ("FREQ=MONTHLY;BYMONTHDAY=-32", .badValue("BYMONTHDAY", "-32")),
    ("FREQ=MONTHLY;BYDAY=6MO", .badValue("BYDAY", "6")),
    ("FREQ=MONTHLY;BYDAY=XX", .badValue("BYDAY", "XX")),
    ("FREQ=YEARLY;BYDAY=1MO", .ordinalOutsideMonth), ("FREQ=WEEKLY;BYMONTHDAY=1", .monthDayInWeek),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU", .badValue("WKST", "SU")),
    ("FREQ=MONTHLY;SKIP=FORWARD", .badValue("SKIP", "FORWARD")),
    ("RSCALE=HEBREW;FREQ=MONTHLY", .badValue("RSCALE", "HEBREW")),
  ]

  @Test(arguments: refusals) func `Repeat rules: unsupported parts are refused by name`(
    text: String, error: RepeatRuleError
  ) {
    #expect(throws: error) { try RepeatRule.reading(text) }
  }

  @Test(arguments: [
    // 2.1: a missing day becomes the last of its month, and the day after is not affected.
    (
      "FREQ=MONTHLY;SKIP=BACKWARD", "2027-01-31",
      ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]
    ),
    (
      "FREQ=YEARLY;SKIP=BACKWARD", "2024-02-29",
      ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]
    ),
    (
      "FREQ=MONTHLY", "2027-01-31",
      ["2027-01-31", "2027-03-31", "2027-05-31", "2027-07-31", "2027-08-31"]
    ),
    (
      "FREQ=YEARLY", "2024-02-29",
      ["2024-02-29", "2028-02-29", "2032-02-29", "2036-02-29", "2040-02-29"]
    ),
    // The anchor counts even if it does not fit.
    ("FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-11-26", ["2026-11-26", "2026-11-30", "2026-12-07"]),
    // Weeks begin on Monday: the Sunday belongs to the week of the anchor.
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;COUNT=4", "2026-11-23",
      ["2026-11-23", "2026-11-29", "2026-12-07", "2026-12-13"]
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR;COUNT=3", "2026-11-13",
      ["2026-11-13", "2027-08-13", "2028-10-13"]
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=29,30,31;COUNT=5;SKIP=BACKWARD", "2027-01-30",
      ["2027-01-30", "2027-01-31", "2027-02-28", "2027-03-29", "2027-03-30"]
    ),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-11-26", ["2026-11-26"]),
    ("FREQ=DAILY;INTERVAL=2", "9999-12-28", ["9999-12-28", "9999-12-30"]),
    ("FREQ=DAILY;INTERVAL=3652059", "0001-01-02", ["0001-01-02"]),
  ])
  func `Repeat rules: the dates are counted from the anchor`(
    text: String, anchor: String, dates: [String]
  ) throws {
    #expect(try Self.dates(text, from: anchor) == dates)
  }

  @Test func `Repeat rules: a date far from the anchor is found without the dates before it`()
    throws
  {
    let anchor = try CivilDate.parse("1976-01-01")
    let far = try CivilDate.parse("9000-06-15")
    for text in [
      "FREQ=DAILY", "FREQ=DAILY;INTERVAL=45", "FREQ=WEEKLY;INTERVAL=9", "FREQ=MONTHLY;INTERVAL=7",
    ] {
      let dates = try #require(RepeatDates(try RepeatRule(canonical: text), anchor: anchor))
      let found = try #require(dates.first(onOrAfter: far))
      #expect(dates.first(onOrAfter: found) == found)
      // The number of dates up to it agrees with the distance.
      let days = try #require(found.days(since: anchor))
      switch dates.rule.frequency {
      case .daily: #expect(dates.count(through: found) == days / dates.rule.interval + 1)
      case .weekly: #expect(dates.count(through: found) == days / 63 + 1)
      default:
        let months = ((found.year ?? 0) - 1976) * 12 + (found.month ?? 0) - 1
        #expect(dates.count(through: found) == months / 7 + 1)
      }
    }
  }

  @Test(arguments: [
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-11-30"), ("FREQ=WEEKLY;INTERVAL=2", "2026-11-26"),
    ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", "2026-12-15"),
    ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "2026-12-24"), ("FREQ=DAILY;FROM=DONE", "2026-11-26"),
  ])
  func `Repeat rules: the first date from today does not depend on the interval`(
    text: String, first: String
  ) throws {
    let rule = try RepeatRule(canonical: text)
    let today = try CivilDate.parse("2026-11-26")
    #expect(rule.firstDate(from: today)?.iso == first)
    #expect(rule.canFall(on: today) == (first == today.iso))
  }

  @Test func `Repeat rules: an occurrence has a source computed from its series and slot`() throws {
    let series = UniqueID(high: 1, low: 2)
    let slot = try CivilDate.parse("2026-11-23")
    let plain = Source(occurrence: slot, of: nil, id: series)
    let imported = Source(occurrence: slot, of: Source(uidText: "a"), id: series)
    #expect(plain == Source(occurrence: slot, of: nil, id: series))
    #expect(plain != imported)
    #expect(imported == Source(occurrence: slot, of: Source(uidText: "a"), id: UniqueID.none))
    // Python: sha256(b"daybook occurrence v1" + (1).to_bytes(8) + (2).to_bytes(8) + (2026*512+11*32+23).to_bytes(8))
    #expect(plain.uid.text == "b2562eb4-9568-8ac4-af11-e6ba611f968a")
    // Python: sha256(b"daybook occurrence v1" + b"\x82\x00\x61a" + …)
    #expect(imported.uid.text == "57a810db-ff17-8060-ae91-a0c23f2d99a9")
    #expect(Source(plain.value) == plain)
    #expect(plain.importer == 9)
  }
}
