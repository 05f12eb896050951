import Bytes
import Console
import Domain
import Phrasing
import Platform
import Testing

/// Days and times in the forms that users type.
///
/// Today is Friday, 20 November 2026.
struct DayTests {
  private let words: DayWords

  init() throws { words = DayWords(today: try CivilDate(year: 2026, month: 11, day: 20)) }

  @Test(arguments: [
    ("today", "2026-11-20"), ("Tomorrow", "2026-11-21"), ("yesterday", "2026-11-19"),
    ("fri", "2026-11-27"), ("friday", "2026-11-27"), ("next fri", "2026-11-27"),
    ("sat", "2026-11-21"), ("thu", "2026-11-26"), ("+3d", "2026-11-23"), ("3d", "2026-11-23"),
    ("-1d", "2026-11-19"), ("+2w", "2026-12-04"), ("3m", "2027-02-20"), ("1y", "2027-11-20"),
    ("in 3 days", "2026-11-23"), ("in 1 week", "2026-11-27"), ("24 dec", "--12-24"),
    ("24. december", "--12-24"), ("Dec 24", "--12-24"), ("24 dec 2026", "2026-12-24"),
    ("dec 24, 2026", "2026-12-24"), ("24.12.", "--12-24"), ("24.12.2026", "2026-12-24"),
    ("29 feb", "--02-29"), ("2026-12-24", "2026-12-24"), ("--12-24", "--12-24"), ("1815", "1815"),
    ("monday", "2026-11-23"), ("next friday", "2026-11-27"), ("2w", "2026-12-04"),
    ("1m", "2026-12-20"), ("eow", "2026-11-22"), ("sow", "2026-11-23"), ("eom", "2026-11-30"),
    ("som", "2026-12-01"), ("eoy", "2026-12-31"), ("soy", "2027-01-01"), ("1st", "2026-12-01"),
    ("20th", "2026-12-20"), ("22nd", "2026-11-22"), ("23rd", "2026-11-23"), ("31st", "2026-12-31"),
    ("11th", "2026-12-11"), ("20261224", "2026-12-24"), ("18151210", "1815-12-10"),
    ("1999-1-5", "1999-01-05"), ("2026/12/24", "2026-12-24"), ("2026/1/5", "2026-01-05"),
    ("24/12/2026", "2026-12-24"), ("12/24/2026", "2026-12-24"), ("12-24", "--12-24"),
    ("24/12", "--12-24"), ("3/3/2026", "2026-03-03"), ("31-12-1999", "1999-12-31"),
  ])
  func `Dates: each form of a day is read`(said: String, day: String) throws {
    #expect(try words.date(said).iso == day)
  }

  @Test(arguments: [
    ("24 dec", "2026-12-24"), ("24.12.", "2026-12-24"), ("20 nov", "2026-11-20"),
    ("19 nov", "2027-11-19"), ("29 feb", "2028-02-29"), ("tomorrow", "2026-11-21"),
    ("2026-12", "2026-12"),
  ])
  func `Dates: a day without a year means its next occurrence where required`(
    said: String, day: String
  ) throws {
    #expect(try words.dayToCome(said).iso == day)
  }

  @Test(arguments: [
    ("2026-11-22", "eow", "2026-11-22"), ("2026-11-23", "eow", "2026-11-29"),
    ("2026-12-31", "som", "2027-01-01"), ("2026-12-31", "eom", "2026-12-31"),
    ("2028-02-01", "eom", "2028-02-29"), ("2027-01-31", "31st", "2027-03-31"),
    ("2027-01-30", "30th", "2027-03-30"), ("2026-12-31", "1st", "2027-01-01"),
    ("2027-01-29", "29th", "2027-03-29"), ("2028-01-29", "29th", "2028-02-29"),
  ])
  func `Dates: a position in a week, month or year is read from any day`(
    today: String, said: String, day: String
  ) throws {
    #expect(try DayWords(today: try CivilDate.parse(today)).date(said).iso == day)
  }

  @Test func `Dates: someday sets a tag instead of a due date`() throws {
    let stage = Stage()
    let added = stage.answer("add", "todo", "Sail", "--due", "Someday", "--tag", "fun")
    #expect(added.hasSuffix(" Sail, #fun, #someday.\n"), "\(added)")
    _ = stage.answer("add", "todo", "Row", "--due", "later", "--tag", "someday")
    let todos = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8)).array ?? []
    #expect(todos.map { $0["due"] } == [.null, .null])
    #expect(todos.map { $0["tags"]?.array?.count } == [2, 1])
    #expect(
      stage.run("edit", "sail", "--due", "someday").error
        == "daybook: 'someday' is not a day. Leave the date empty, and add the tag 'someday'.\n")
  }

  @Test func `Dates: a month offset ends on the last day of a shorter month`() throws {
    let last = DayWords(today: try CivilDate(year: 2027, month: 1, day: 31))
    #expect(try last.date("1m").iso == "2027-02-28")
    #expect(try last.date("-2m").iso == "2026-11-30")
  }

  @Test(arguments: [
    (
      "3/4/2026",
      "'3/4/2026' means different dates in different countries. Did you mean '2026-04-03' or "
        + "'2026-03-04'?"
    ),
    (
      "3/4",
      "'3/4' means different dates in different countries. Did you mean '3 april' or '4 "
        + "march'?"
    ),
    ("29 feb 2027", "2027 has no 29 February. Did you mean 2027-02-28 or 2027-03-01?"),
    (
      "24 dec 26",
      "the century of the year in '24 dec 26' is not clear. Use all four digits."
    ),
    ("26-12-24", "the century of the year in '26-12-24' is not clear. Use all four digits."),
    ("3/4/26", "the century of the year in '3/4/26' is not clear. Use all four digits."),
    ("in 3 26", "cannot read date 'in 3 26'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("blursday", "cannot read date 'blursday'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("tomorow", "cannot read date 'tomorow'. Did you mean 'tomorrow'?"),
    (
      "Nxet fridy, 17:00", "cannot read date 'Nxet fridy, 17:00'. Did you mean 'next friday 17:00'?"
    ),
    ("24 decembr", "cannot read date '24 decembr'. Did you mean '24 december'?"),
    ("wensday", "cannot read date 'wensday'. Did you mean 'wednesday'?"),
    ("übermorgn", "cannot read date 'übermorgn'. Did you mean 'übermorgen'?"),
    (
      "tomorow we",
      "cannot read date 'tomorow we'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."
    ),
    ("31 feb", "there is no 31 February. Did you mean '2027-02-28' or '2027-03-01'?"),
    ("--02-31", "there is no 31 February. Did you mean '2027-02-28' or '2027-03-01'?"),
    ("31/4", "there is no 31 April. Did you mean '2027-04-30' or '2027-05-01'?"),
    ("31/11/2026", "2026 has no 31 November. Did you mean 2026-11-30 or 2026-12-01?"),
    ("24/13/2026", "cannot read date '24/13/2026'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("24/12/", "cannot read date '24/12/'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("2027-02-29", "2027 has no 29 February. Did you mean 2027-02-28 or 2027-03-01?"),
    (
      "tomorrow 29:00",
      "the time cannot be 'tomorrow 29:00'. Use a time from 00:00 to 23:59, such as 17:00, 5pm or noon."
    ),
    ("20261324", "'20261324' names month 13, which does not exist."),
    ("2027/2/29", "2027 has no 29 February. Did you mean 2027-02-28 or 2027-03-01?"),
    ("2026-1/5", "cannot read date '2026-1/5'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("1th", "cannot read date '1th'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("32nd", "cannot read date '32nd'. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("24.12.26", "the century of the year in '24.12.26' is not clear. Use all four digits."),
    ("", "cannot read date ''. Try 2026-12-24, tomorrow, fri, +3d or 24 dec."),
    ("---10", "'---10' has no year. Use 2026-12-24, or '24 dec' for the next 24 December."),
    ("--12-24", "'--12-24' has no year. Use 2026-12-24, or '24 dec' for the next 24 December."),
  ])
  func `Dates: an invalid or ambiguous day is refused with advice`(said: String, sentence: String) {
    let stage = Stage()
    #expect(
      stage.run("add", "todo", "x", "--due", said)
        == .init(code: .refused, output: "", error: "daybook: \(sentence)\n"))
  }

  @Test func `Dates: fields and filters accept the same forms`() {
    let stage = Stage()
    let added = stage.answer("add", "todo", "Mop", "--due", "fri")
    #expect(added.hasSuffix(" Mop, due Fri 2026-11-27 (in 7 days).\n"))
    #expect(stage.answer("add", "todo", "Dust", "--due", "29 feb").contains("due Tue 2028-02-29 ("))
    #expect(
      stage.answer("edit", "Mop", "--due", "+3d").hasSuffix(
        "Mop: due Mon 2026-11-23 (in 3 days).\n"))
    #expect(stage.answer("list", "todos", "--due", "mon").contains("Mop"))
    #expect(stage.answer("list", "todos", "--due", "+3d..29 feb").split(separator: "\n").count == 2)
    #expect(stage.answer("add", "birthday", "Ada", "29 feb").contains("29 February"))
    #expect(
      stage.run("edit", "Ada", "--birthdate", "blursday").error
        == "daybook: cannot read date 'blursday'. Try 1990-12-24, 24 dec 1990, or --12-24 if the "
        + "year is not known.\n")
  }

  @Test(arguments: [
    "31 feb", "--02-31", "31/4", "3/4", "3/4/2026", "31 nov 2026", "2027-02-29", "30 feb", "31.6.",
    "blursday", "---10", "tomorow", "next mondya",
  ])
  func `Dates: suggestions for a due date are valid input`(said: String) throws {
    let stage = Stage()
    let offered = offers(stage.run("add", "todo", "x", "--due=\(said)").error)
    #expect(offered.count >= 1)
    for words in offered {
      #expect(stage.run("add", "todo", "x", "--due=\(words)").code == .done, "\(words)")
    }
  }

  @Test(arguments: [
    "31 feb", "31 nov 2026", "2026-02-29", "3/4", "3/4/2026", "31 apr 2026", "blursday",
  ])
  func `Dates: suggestions for a date of birth are valid input`(said: String) throws {
    let stage = Stage()
    let offered = offers(stage.run("add", "birthday", "Ada", said).error)
    for words in offered {
      #expect(stage.run("add", "birthday", "Ada", words).code == .done, "\(words)")
    }
  }

  /// Returns the suggestions after "Did you mean" or "Try" in an error.
  private func offers(_ error: String) -> [String] {
    guard let start = error.firstRange(of: #/Did you mean |Try |Use /#)?.upperBound else {
      return []
    }
    let end = error[start...].firstIndex { "?\n".contains($0) } ?? error.endIndex
    let list = error[start..<end].replacing(" if the year is not known", with: "")
      .replacing(" for the next 24 December", with: "").replacing("or ", with: ", ")
    return list.split(separator: ",").map { $0.split { "' ".contains($0) }.joined(separator: " ") }
      .map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.filter { !$0.isEmpty }
  }

  @Test func `Dates: if a birth date has two readings, the one in the past is used`() {
    let stage = Stage()
    #expect(stage.answer("add", "birthday", "Ada", "11/12/2026").contains(" Ada, 12 November "))
    #expect(
      stage.run("add", "birthday", "Bob", "31 nov 2026").error
        == "daybook: 2026 has no 31 November, and the nearest dates are in the future; "
        + "for a future date, add a to-do instead.\n")
    #expect(stage.run("add", "birthday", "Bob", "3/4/2026").code == .refused)
    #expect(stage.run("add", "birthday", "Bob", "12/12/2026").error.contains("is in the future"))
  }

  @Test(arguments: [
    "2026-11-20 09:02", "2026-11-20T09:02", "2026-11-20 09:02:00", "2026-11-20T09:02:00Z",
    "today 09:02", "2026-11-20 9:02", "today 9:02", "09:02", "9:02", "2 minutes ago", "2 min ago",
  ])
  func `Dates: a time is read in the format of the log`(moment: String) {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("add", "todo", "Dust")
    _ = stage.answer("add", "todo", "Sweep")
    let listed = stage.answer("at", moment, "list", "todos")
    #expect(listed.contains("Mop") && listed.contains("Dust") && !listed.contains("Sweep"))
  }

  private static let times =
    "Use yesterday, '2 hours ago', a day such as 2026-01-31, a time such as '2026-01-31 18:00', "
    + "or an instant such as 2026-01-31T18:00:00Z."

  @Test func `Dates: an invalid time or day is refused with the accepted forms`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    for words in ["2026-11-20 25:00", "2026-11-20 9:2", "9", "2026-11-20T09", "x hours ago"] {
      let outcome = stage.run("at", words, "list", "todos")
      #expect(outcome.code == .refused)
      #expect(outcome.error.hasPrefix("daybook: "))
    }
    #expect(
      stage.run("at", "2026-11-20 25:00", "list", "todos").error
        == "daybook: the time cannot be '2026-11-20 25:00'. \(Self.times)\n")
    for words in ["1h", "soon", "blursday"] {
      #expect(
        stage.run("at", words, "list", "todos").error
          == "daybook: the time cannot be '\(words)'. \(Self.times)\n")
    }
    #expect(
      stage.run("log", "--since", "yesterdy").error
        == "daybook: cannot read date 'yesterdy'. Did you mean 'yesterday'?\n")
    #expect(stage.answer("at", "yesterday", "list", "todos") == "")
    #expect(stage.answer("at", "1 hour ago", "list", "todos") == "")
  }
}
