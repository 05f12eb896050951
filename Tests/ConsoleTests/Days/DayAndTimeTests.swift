import Domain
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Days with times, on Thursday, 26 November 2026 at 9:00.
struct DayAndTimeTests {
  private let reader: FieldReader

  init() {
    reader = FieldReader(SimulatedTimekeeper(now: Moment(milliseconds: 1_795_683_600_000)))
  }

  @Test(arguments: [
    ("17:00", "2026-11-26 17:00"), ("8:30", "2026-11-27 08:30"), ("9:00", "2026-11-27 09:00"),
    ("5pm", "2026-11-26 17:00"), ("5:30 pm", "2026-11-26 17:30"), ("5 p.m.", "2026-11-26 17:00"),
    ("12am", "2026-11-27 00:00"), ("12pm", "2026-11-26 12:00"), ("noon", "2026-11-26 12:00"),
    ("tomorrow", "2026-11-27"), ("tomorrow 17:00", "2026-11-27 17:00"),
    ("tomorrow at 5pm", "2026-11-27 17:00"), ("5pm tomorrow", "2026-11-27 17:00"),
    ("tonight at 8", "2026-11-26 20:00"), ("tomorrow morning", "2026-11-27"),
    ("friday midnight", "2026-11-28 00:00"), ("24 dec, 5pm", "2026-12-24 17:00"),
    ("24.12. 17:00", "2026-12-24 17:00"), ("2026-12-24T17:00", "2026-12-24 17:00"),
    ("17 Uhr", "2026-11-26 17:00"), ("17 Uhr 30", "2026-11-26 17:30"),
    ("17.30 Uhr", "2026-11-26 17:30"), ("mittags", "2026-11-26 12:00"),
    ("morgen um 17 Uhr", "2026-11-27 17:00"), ("morgen früh um 8 Uhr", "2026-11-27 08:00"),
    ("Freitagabend um 8 Uhr", "2026-11-27 20:00"), ("heute Mittag", "2026-11-26 12:00"),
    ("am 24. Dezember um 18 Uhr", "2026-12-24 18:00"), ("下午5点", "2026-11-26 17:00"),
    ("下午５：３０", "2026-11-26 17:30"), ("晚上8点半", "2026-11-26 20:30"),
    ("晚上12点", "2026-11-27 00:00"), ("明天下午5点", "2026-11-27 17:00"),
    ("明天 下午 5 点", "2026-11-27 17:00"), ("今晚8点", "2026-11-26 20:00"),
    ("明早8点", "2026-11-27 08:00"), ("下周五下午三点一刻", "2026-12-04 15:15"),
    ("下周二十点", "2026-12-01 10:00"), ("12月24日晚上8点", "2026-12-24 20:00"),
  ])
  func `Due times: a time follows a date, or is the next such time`(
    said: String, expected: String
  ) throws {
    let read = try reader.dayAndTime(said)
    let time = read.minute.map { minute in
      let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return " " + parts.joined(separator: ":")
    }
    #expect(read.day.iso + (time ?? "") == expected)
  }

  @Test(arguments: [
    ("17:00", 1020), ("0:00", 0), ("23:59", 1439), ("5pm", 1020), ("noon", 720), ("17 Uhr", 1020),
    ("mittags", 720), ("下午5点", 1020), ("晚上8点半", 1230), ("凌晨12点", 0),
  ])
  func `Due times: a time of day without a date is read`(said: String, minute: Int) throws {
    #expect(try reader.timeOfDay(said) == minute)
  }

  @Test(arguments: ["", "24:00", "25:00", "9:60", "5", "13pm", "tomorrow", "tomorrow 5pm"])
  func `Due times: words that are not one time of day are refused`(said: String) {
    let advice = "Use a time from 00:00 to 23:59, such as 17:00, 5pm or noon."
    #expect(
      sentence { _ = try reader.timeOfDay(said) } == "the time cannot be '\(said)'. \(advice)")
  }

  @Test(arguments: [
    (
      "tomorrow 25:00",
      "the time cannot be 'tomorrow 25:00'. Use a time from 00:00 to 23:59, such as 17:00, 5pm or "
        + "noon."
    ),
    ("30 feb 17:00", "there is no 30 February. Did you mean '2027-02-28' or '2027-03-01'?"),
    ("30 feb", "there is no 30 February. Did you mean '2027-02-28' or '2027-03-01'?"),
    ("30. Februar", "there is no 30 February. Did you mean '2027-02-28' or '2027-03-01'?"),
    ("2月30日", "there is no 30 February. Did you mean '2027-02-28' or '2027-03-01'?"),
    (
      "3/4 17:00",
      "'3/4 17:00' means different dates in different countries. Did you mean '3 april' or '4 "
        + "march'?"
    ),
    ("2027-W53", "'2027-W53' is not in the calendar: 2027 has 52 weeks."),
    ("W54", "'W54' is not in the calendar: a year has at most 53 weeks."),
    ("2026-366", "'2026-366' is not in the calendar: 2026 has 365 days."),
    (
      "every monday",
      "'every monday' is more than one day. "
        + "Use --repeat 'every monday', and use the first day as the date."
    ),
    (
      "jeden Montag",
      "'jeden Montag' is more than one day. "
        + "Use --repeat 'jeden Montag', and use the first day as the date."
    ),
    ("每周一", "'每周一' is more than one day. Use --repeat '每周一', and use the first day as the date."),
    ("never", "'never' is not a day. Leave the date out."),
    (
      "blursday 9:00",
      "cannot read date 'blursday 9:00'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."
    ),
  ])
  func `Due times: words that are not a day are refused with advice`(said: String, expected: String)
  {
    #expect(sentence { _ = try reader.dayAndTime(said) } == expected)
  }

  private func sentence(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? WordsFault)?.told.text
    }
  }

  @Test func `Dates: words for no date clear a field and select undated to-dos`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--due", "never")
    _ = stage.answer("add", "todo", "Dust", "--due", "fri")
    for word in ["none", "never", "nie", "keins", "无"] {
      let found = stage.answer("list", "todos", "--due", word)
      #expect(found.contains("Mop") && !found.contains("Dust"), "\(word)")
      _ = stage.answer("edit", "mop", "--due", "übermorgen")
      #expect(stage.answer("list", "todos", "--due", word) == "", "\(word)")
      _ = stage.answer("edit", "mop", "--due", word)
    }
  }

  @Test func `Dates: at, diff and --since take now and days in all languages`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    #expect(stage.answer("at", "now", "list", "todos").contains("Mop"))
    #expect(stage.answer("log", "--since", "now") == "")
    for day in ["gestern", "昨天", "vor 2 Tagen", "1小时前", "yesterday 5pm", "昨天下午5点"] {
      #expect(stage.answer("at", day, "list", "todos") == "", "\(day)")
      #expect(stage.answer("log", "--since", day).contains("Mop"), "\(day)")
      #expect(stage.answer("diff", day, "now").contains("Mop"), "\(day)")
    }
  }
}
