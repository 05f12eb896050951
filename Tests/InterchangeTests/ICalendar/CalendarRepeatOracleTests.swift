import Domain
import Foundation
import Interchange
import Testing
import TestDice

/// The dates of random series in calendars, as an independent library finds them.
///
/// `Tools/recurrences` installs the library and runs these tests with more rules.
struct CalendarRepeatOracleTests {
  private static let count =
    ProcessInfo.processInfo.environment["DAYBOOK_RULES"].flatMap { Int($0) } ?? 300

  /// Prints a line for each to-do: its uid, and the due dates of its occurrences up to the day in X-LAST.
  private static let expanding = """
    import sys, datetime, icalendar, recurring_ical_events
    def day(value): return value.date() if isinstance(value, datetime.datetime) else value
    whole = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
    parts = {}
    for task in whole.walk("VTODO"): parts.setdefault(str(task["UID"]), []).append(task)
    for uid, tasks in parts.items():
        calendar = icalendar.Calendar()
        for task in tasks: calendar.add_component(task)
        first = day(tasks[0]["DTSTART"].dt)
        last = datetime.date.fromisoformat(str(tasks[0]["DESCRIPTION"]))
        stop = last + datetime.timedelta(days=60)
        found = recurring_ical_events.of(calendar, components=["VTODO"]).between(first, stop)
        days = sorted(day(task["DUE"].dt) for task in found)
        told = [each for each in days if each <= last] if "RRULE" in tasks[0] else ["none"]
        print(tasks[0]["SUMMARY"], *told)
    """

  @Test(
    .enabled(
      if: CalendarOracleTests.has("recurring_ical_events"), "recurring-ical-events is not installed"
    ))
  func `Calendar oracle: random series have the dates that recurring-ical-events gives`() throws {
    var dice = Dice(seed: 11)
    var book = ForeignBook(number: 1)
    var expected: [String: [String]] = [:]
    for number in 0..<Self.count {
      let title = "Series \(number)"
      guard let dates = try Self.add(title, to: &book, &dice) else { continue }
      expected[title] = dates
    }
    let written = try FileFormat.iCalendar.write(book.contents(), .test)
    let output = try CalendarOracleTests.run(
      Self.expanding, input: String(decoding: written.bytes, as: UTF8.self))
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == expected.count)
    // A few rules move two missing days of a month, which no RRULE does.
    #expect(lines.count { $0.last == "none" } <= lines.count / 20)
    for line in lines where line.last != "none" {
      let title = line.prefix(2).joined(separator: " ")
      let document = try #require(book.todo(title))
      #expect(
        Array(line.dropFirst(2)) == expected[title],
        "\(title): \(book.repeating(title) ?? "") \(document.integer(Field.Todo.dueTime) ?? -1)")
    }
  }

  /// Adds a random series, and closes and moves some of its dates.
  ///
  /// - Returns: The due dates that result if each date is closed on its day; nil if the series has finished or has no
  ///   RRULE.
  private static func add(
    _ title: String, to book: inout ForeignBook, _ dice: inout Dice
  ) throws -> [String]? {
    let due = try #require(CivilDate(epochDay: 18_000 + dice.number(6000)))
    let rule = try rule(&dice)
    let isFromStart = rule.text.contains("FROM=START")
    var fields = #""due":"\#(due.iso)","repeat":"\#(rule.text)","note":"-""#
    if isFromStart || dice.chance(20) {
      let start = due.adding(days: -1 - dice.number(9))
      fields += #","start":"\#(start?.iso ?? "")""#
    }
    if rule.count == nil, dice.chance(30), let until = due.adding(days: dice.number(3000)) {
      fields += #","until":"\#(until.iso)""#
    }
    if dice.chance(40) { fields += #","dueTime":\#(dice.number(1440))"# }
    if fields.contains("dueTime"), dice.chance(50) {
      fields +=
        #","zone":"\#(["Europe/Berlin", "America/New_York", "Asia/Tokyo"][dice.number(3)])""#
    }
    try book.run(#"{"op":"add","kind":"todo","id":"\#(title)","title":"\#(title)",\#(fields)}"#)
    for _ in 0..<dice.number(4) { try change(title, in: &book, &dice) }
    return try follow(title, in: &book)
  }

  private static func rule(_ dice: inout Dice) throws -> RepeatRule {
    let day = try #require(CivilDate(epochDay: 18_000))
    while true {
      let frequencies: [RepeatRule.Frequency] = [.daily, .weekly, .monthly, .monthly, .yearly]
      let frequency = frequencies[dice.number(5)]
      var days: [RepeatRule.Day] = []
      if dice.chance(40) {
        for _ in 0...dice.number(3) {
          let ordinal =
            frequency == .monthly && dice.chance(60) ? [1, 2, 4, -1, -2][dice.number(5)] : nil
          days.append(
            RepeatRule.Day(Weekday(rawValue: 1 + dice.number(7)) ?? .monday, ordinal: ordinal))
        }
      }
      let monthDays =
        frequency != .weekly && dice.chance(40)
        ? (0...dice.number(2)).map { _ in
          dice.chance(20) ? -1 - dice.number(5) : 1 + dice.number(31)
        } : []
      let months = dice.chance(25) ? (0...dice.number(3)).map { _ in 1 + dice.number(12) } : []
      let made = try? RepeatRule(
        frequency, interval: dice.chance(50) ? 1 : 2 + dice.number(5), months: months,
        monthDays: monthDays, days: days, count: dice.chance(30) ? 1 + dice.number(40) : nil,
        skipsBackward: (frequency == .monthly || frequency == .yearly) && dice.chance(50),
        basis: dice.chance(15) ? .start : .due, keepsMissed: dice.chance(25))
      // A rule without any date has no occurrence in a calendar.
      if let made, made.firstDate(from: day) != nil { return made }
    }
  }

  private static func state(_ title: String, _ book: ForeignBook) -> SeriesState? {
    book.todo(title).flatMap { book.records.recurrence(of: $0.key) }?.state
  }

  /// Closes the current date or a later date, reopens an earlier date, or moves the current date.
  private static func change(
    _ title: String, in book: inout ForeignBook, _ dice: inout Dice
  ) throws {
    guard let state = state(title, book), let current = state.current else { return }
    let known = Set(state.stored.map(\.slot))
    var slot = current.slot
    for _ in 0..<dice.number(3) {
      guard let morrow = slot.adding(days: 1),
        let next = state.series.dates.first(onOrAfter: morrow)
      else { break }
      slot = next
    }
    guard !known.contains(slot), state.series.until.map({ slot <= $0 }) ?? true else { return }
    switch dice.number(4) {
    case 0: try book.occur(title, slot.iso, #""cancelled":true"#)
    case 1: try book.occur(title, slot.iso, #""done":false"#)
    case 2:
      let due = state.series.due(of: slot).adding(days: dice.number(5)) ?? slot
      try book.occur(title, slot.iso, #""due":"\#(due.iso)""#)
    default:
      let day = slot.adding(days: dice.number(20)) ?? slot
      try book.occur(title, slot.iso, #""done":true,"closedOn":"\#(day.iso)""#)
    }
  }

  /// Returns the dates that a series shows one after another, and writes the last date to its note.
  private static func follow(_ title: String, in book: inout ForeignBook) throws -> [String]? {
    guard var state = state(title, book), let document = book.todo(title) else { return nil }
    var occurrences = RecurrenceFinder(book.records).occurrences(of: document).compactMap {
      Series.Occurrence($0)
    }
    var dues: [CivilDate] = []
    while let current = state.current, dues.count < 40 {
      dues.append(current.due)
      occurrences.removeAll { $0.slot == current.slot }
      occurrences.append(
        Series.Occurrence(
          EventKey(log: 9, sequence: UInt64(dues.count)), id: document.id, slot: current.slot,
          closing: Series.Closing(.done, on: state.series.due(of: current.slot))))
      state = SeriesState(state.series, occurrences)
    }
    // The dates after the last date are unknown, unless there are none.
    let last = state.isFinished ? dues.max()?.adding(days: 400) : dues.max()?.adding(days: -10)
    guard let last, !dues.isEmpty else {
      try book.run(#"{"op":"delete","kind":"todo","id":"\#(title)"}"#)
      return nil
    }
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(title)","set":{"note":"\#(last.iso)"}}"#)
    return dues.filter { $0 <= last }.sorted().map(\.iso)
  }
}
