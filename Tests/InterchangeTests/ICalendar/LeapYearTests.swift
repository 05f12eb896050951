import Domain
import Interchange
import Testing

/// The days of exported birthdays in calendars, year by year.
struct LeapYearTests {
  /// The day that RFC 5545 gives for each of the three rules, computed independently of the writer.
  private static func day(_ rule: String, _ month: Int, _ day: Int, in year: Int) -> String? {
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    func iso(_ month: Int, _ day: Int) -> String {
      "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }
    switch rule {
    case "FREQ=YEARLY": return month == 2 && day == 29 && !isLeap ? nil : iso(month, day)
    case "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1": return iso(2, isLeap ? 29 : 28)
    case "FREQ=YEARLY;BYYEARDAY=60": return isLeap ? iso(2, 29) : iso(3, 1)
    default: return nil
    }
  }

  private static func shown(_ date: String, _ rule: LeapRule, isOwn: Bool) throws -> [String?] {
    let own = isOwn ? #","leapRule":"\#(rule == .march1 ? "march1" : "february28")""# : ""
    let book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"a","firstName":"A","birthdate":"\#(date)"\#(own)}"#)
    var settings = ExportSettings.test
    if !isOwn { settings.leapRule = rule }
    let lines = try book.written(.iCalendar, settings).split(separator: "\r\n")
    let start = try #require(lines.first { $0.hasPrefix("DTSTART;VALUE=DATE:") }).suffix(4)
    let line = try #require(lines.first { $0.hasPrefix("RRULE:") }).dropFirst(6)
    let (month, day) = (Int(start.prefix(2)) ?? 0, Int(start.suffix(2)) ?? 0)
    return (2023...2032).map { Self.day(String(line), month, day, in: $0) }
  }

  @Test(arguments: ["1952-02-29", "--02-29", "2024-02-29"], [false, true])
  func `Leap day: a birthday falls on the day of its own rule or of the default rule`(
    date: String, isOwn: Bool
  ) throws {
    let february = [
      "2023-02-28", "2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29",
      "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29",
    ]
    #expect(try Self.shown(date, .february28, isOwn: isOwn) == february)
    let march = february.map { $0.replacing("02-28", with: "03-01") }
    #expect(try Self.shown(date, .march1, isOwn: isOwn) == march)
  }

  @Test(arguments: ["1999-12-31", "2000-01-01", "--03-01", "1952-02-28", "1604-07-04"])
  func `Leap day: any other birthday falls on the same day under both rules`(date: String) throws {
    let days = (2023...2032).map { "\($0)-\(date.suffix(5))" }
    for rule in [LeapRule.february28, .march1] {
      #expect(try Self.shown(date, rule, isOwn: false) == days)
    }
  }

  @Test(arguments: ["1952-02-29", "--02-29"], [nil, LeapRule.february28, .march1])
  func `Leap day: a birthday's own rule survives an export and import`(
    date: String, rule: LeapRule?
  ) throws {
    let own = rule.map { #","leapRule":"\#($0 == .march1 ? "march1" : "february28")""# } ?? ""
    let book = try ForeignBook(
      #"{"op":"add","kind":"birthday","id":"a","firstName":"A","birthdate":"\#(date)"\#(own)}"#)
    var other = ForeignBook()
    try other.take(try book.written(.iCalendar), .iCalendar)
    #expect(other.shown == book.shown)
  }
}
