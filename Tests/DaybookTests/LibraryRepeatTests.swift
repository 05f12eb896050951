import DaybookTesting
import Testing

/// Repeating to-dos, through the public interface of the library.
///
/// Today is Thursday, 26 November 2026.
struct LibraryRepeatTests {
  private let book: Book

  init() throws {
    let computer = TestMachine(seed: 1, milliseconds: 1_795_694_400_000)
    book = try Book.open("/book", on: computer.machine, device: "laptop")
  }

  private func day(_ text: String) throws -> Book.Day { try #require(Book.Day(text)) }

  /// Adds a to-do that repeats weekly.
  private func weekly(_ title: String = "Bins") throws -> Book.RecordID {
    try book.addTodo(
      title, due: day("2026-11-23"), others: [.repeatRule(Book.RepeatRule(.week))])
  }

  /// The dates of the to-dos: the slot, the due date if it is another day, and how it was closed.
  private func dates() throws -> [String] {
    try book.todos().map { todo in
      let own = todo.due == todo.slot ? [] : ["due \(todo.due?.description ?? "-")"]
      let state = todo.isDone ? ["done"] : todo.isCancelled ? ["cancelled"] : []
      return ([todo.slot?.description ?? "-"] + own + state).joined(separator: " ")
    }
  }

  /// The message of a failure; nil if the function succeeds.
  private func message(_ body: () throws(Book.Failure) -> Void) -> String? {
    do throws(Book.Failure) { try body() } catch { return error.description }
    return nil
  }

  // MARK: Dates

  @Test func `Library: a repeating to-do shows its current date, and each closed one beside it`()
    throws
  {
    let bins = try weekly()
    var todo = try #require(try book.todos().first)
    #expect(todo.repeatRule == (try Book.RepeatRule("FREQ=WEEKLY")))
    #expect(todo.until == nil && todo.series == nil)
    #expect(todo.firstDue == (try day("2026-11-23")))
    try book.setDone(bins)
    #expect(try dates() == ["2026-11-23 done", "2026-11-30"])
    todo = try #require(try book.todos().first)
    #expect(todo.title == "Bins" && todo.series == bins && todo.repeatRule == nil)
    #expect(try book.todos(includesClosed: false).map(\.id) == [bins])
    try book.setDone(bins, to: false)
    #expect(try dates() == ["2026-11-23"])
    try book.setDone(bins)
    try book.setDone(bins)
    try book.setDone(todo.id, to: false)
    #expect(try dates() == ["2026-11-23", "2026-11-30 done"])
  }

  @Test func `Library: a date is skipped, and a to-do that does not repeat has none`() throws {
    let (bins, sweep) = (try weekly(), try book.addTodo("Sweep"))
    try book.skip(bins)
    #expect(try dates() == ["2026-11-23 cancelled", "2026-11-30", "-"])
    #expect(
      message { () throws(Book.Failure) in try book.skip(bins, sweep) }
        == "the to-do does not repeat. Add a repeat rule first, such as --repeat weekly.")
    #expect(try dates().count == 3)
    try book.undoLast()
    #expect(try dates() == ["2026-11-23", "-"])
  }

  @Test func `Library: a cancelled repeating to-do ends before its current date`() throws {
    let bins = try weekly()
    try book.setDone(bins)
    try book.cancel(bins)
    #expect(try book.todos(includesClosed: false) == [])
    // Only its closed dates are listed.
    #expect(try dates() == ["2026-11-23 done"])
    try book.setDone(bins, to: false)
    #expect(try dates() == ["2026-11-23 done", "2026-11-30"])
  }

  // MARK: Edits

  @Test func `Library: an edit of times changes one date, and any other edit all dates`() throws {
    let bins = try weekly()
    try book.edit(bins, .due(try day("2026-11-28")), .title("Blue bins"))
    #expect(try dates() == ["2026-11-23 due 2026-11-28"])
    try book.setDone(bins)
    #expect(try dates() == ["2026-11-23 due 2026-11-28 done", "2026-11-30"])
    #expect(try book.todos().map(\.title) == ["Blue bins", "Blue bins"])
  }

  @Test func `Library: the scope of an edit is the current date or all dates`() throws {
    let bins = try weekly()
    try book.edit(bins, .title("Green bins"), .note("both"), scope: .currentDate)
    #expect(try book.todos().map(\.title) == ["Green bins"])
    try book.setDone(bins)
    #expect(try book.todos().map(\.title) == ["Green bins", "Bins"])
    #expect(try book.todos().map(\.note) == ["both", nil])
    #expect(
      message { () throws(Book.Failure) in
        try book.edit([bins], .priority(.high), scope: .currentDate)
      }
        == "the priority cannot be changed in this way for a single date of a repeating to-do. "
        + "To change it for all dates, use 'edit --series'.")
    let paper = try weekly("Paper")
    try book.edit([(paper, [.due(try day("2026-11-24"))])], scope: .allDates)
    #expect(try book.todos().first { $0.id == paper }?.firstDue == (try day("2026-11-24")))
    let sweep = try book.addTodo("Sweep")
    #expect(
      reason { () throws(Book.Failure) in try book.edit(sweep, .note("x"), scope: .allDates) }
        == .refused)
  }

  @Test func `Library: a closed date is edited, but not deleted`() throws {
    let bins = try weekly()
    try book.setDone(bins)
    let closed = try #require(try book.todos().first { $0.series == bins }?.id)
    try book.edit(closed, .note("late"))
    try book.edit(closed, .title("Old bins"), scope: .currentDate)
    let todo = try #require(try book.todos().first { $0.id == closed })
    #expect(todo.note == "late" && todo.title == "Old bins")
    #expect(
      reason { () throws(Book.Failure) in try book.edit(closed, .priority(.low)) } == .refused)
    #expect(reason { () throws(Book.Failure) in try book.delete(closed) } == .refused)
    try book.delete(bins)
    #expect(try book.todos() == [])
  }

  // MARK: Rules

  @Test func `Library: without a due date, the first date is the next one of the rule`() throws {
    let fifteenth = try Book.RepeatRule(.month, monthDays: [15])
    try book.addTodo("Pay", others: [.repeatRule(fifteenth)])
    #expect(try dates() == ["2026-12-15"])
    let call = try book.addTodo("Call", due: day("2026-11-27"))
    try book.edit(call, .repeatRule(try Book.RepeatRule(.week, on: [.each(.friday)])))
    #expect(try dates() == ["2026-11-27", "2026-12-15"])
    try book.edit(call, .repeatRule(try Book.RepeatRule(.week, on: [.each(.monday)])))
    #expect(try dates() == ["2026-11-30", "2026-12-15"])
    try book.edit(call, .repeatRule(try Book.RepeatRule(.day)), .due(try day("2026-12-01")))
    #expect(try dates() == ["2026-12-01", "2026-12-15"])
  }

  @Test func `Library: the repeats end after the current date, and a new rule has no end`() throws {
    let bins = try weekly()
    try book.edit(bins, .repeatRule(nil))
    #expect(try book.todos().map(\.until) == [try day("2026-11-23")])
    try book.setDone(bins)
    #expect(try dates() == ["2026-11-23 done"])
    try book.edit(bins, .repeatRule(try Book.RepeatRule(.day)), .due(try day("2026-12-24")))
    let todo = try #require(try book.todos().first { $0.id == bins })
    #expect(todo.until == nil)
    #expect(todo.slot == (try day("2026-12-24")))
    try book.edit(bins, .until(try day("2026-12-31")))
    #expect(try book.todos().first { $0.id == bins }?.until == (try day("2026-12-31")))
  }

  @Test func `Library: a rule falls back to the last day only if a month can lack the day`() throws
  {
    let monthly = try Book.RepeatRule(.month)
    try book.addTodo("Pay", due: day("2027-01-15"), others: [.repeatRule(monthly)])
    try book.addTodo("Count", due: day("2027-01-31"), others: [.repeatRule(monthly)])
    #expect(
      try book.todos().map { $0.repeatRule?.description } == [
        "FREQ=MONTHLY", "FREQ=MONTHLY;SKIP=BACKWARD",
      ])
  }

  @Test func `Library: rules are made of parts, and read from text`() throws {
    let weekly = try Book.RepeatRule(every: 2, .week, on: [.each(.friday), .each(.monday)])
    #expect(weekly.description == "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR")
    #expect(weekly == (try Book.RepeatRule("byday=fr,mo;freq=weekly;interval=2")))
    #expect(weekly.days == [.each(.monday), .each(.friday)])
    #expect(weekly.period == .week && weekly.interval == 2 && weekly.count == nil)
    let last = try Book.RepeatRule(.month, in: [12, 6], on: [.nth(-1, .friday)], count: 3)
    #expect(last.description == "FREQ=MONTHLY;BYMONTH=6,12;BYDAY=-1FR;COUNT=3")
    #expect(last.months == [6, 12] && last.days == [.nth(-1, .friday)] && last.count == 3)
    let done = try Book.RepeatRule(every: 3, .day, from: .closing)
    #expect(done.description == "FREQ=DAILY;INTERVAL=3;FROM=DONE")
    #expect(done.basis == .closing && !done.keepsMissed)
    let days = try Book.RepeatRule(.month, monthDays: [-1, 15], from: .start, keepsMissed: true)
    #expect(days.description == "FREQ=MONTHLY;BYMONTHDAY=15,-1;FROM=START;MISSED=KEEP")
    #expect(try Book.RepeatRule(.month, monthDays: [31]).takesLastDay)
    let omitting = try Book.RepeatRule(.month, monthDays: [31], takesLastDay: false)
    #expect(omitting.description == "FREQ=MONTHLY;BYMONTHDAY=31")
  }

  @Test func `Library: what is not a rule is refused with the reason`() throws {
    #expect(
      message { () throws(Book.Failure) in _ = try Book.RepeatRule("FREQ=DAILY;BYSETPOS=1") }
        == "BYSETPOS is not supported in a repeat rule. Use only FREQ, INTERVAL, BYMONTH, "
        + "BYMONTHDAY, BYDAY, COUNT, SKIP, FROM and MISSED.")
    #expect(
      message { () throws(Book.Failure) in _ = try Book.RepeatRule(every: 0, .day) }
        == "INTERVAL=0 is not supported in a repeat rule. Use a number from 1 to 3652059.")
    let never = try Book.RepeatRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
    #expect(
      message { () throws(Book.Failure) in
        try book.addTodo("Never", others: [.repeatRule(never)])
      } == "no day matches the repeat rule. Check its months and days.")
    let (weekly, past) = (try Book.RepeatRule(.week), try day("2026-11-01"))
    #expect(
      message { () throws(Book.Failure) in
        try book.addTodo("Ended", others: [.repeatRule(weekly), .until(past)])
      }
        == "the repeats end on 2026-11-01, before their first date, 2026-11-26. Choose a later end."
    )
    #expect(try book.todos() == [])
    let bins = try self.weekly()
    #expect(
      message { () throws(Book.Failure) in try book.edit(bins, .due(nil)) }
        == "a repeating to-do needs a complete due date. '--repeat none' ends the repeats after the current date."
    )
  }
}

/// Repeating to-dos on two devices, through the public interface of the library.
struct LibraryRepeatConflictTests {
  @Test func `Library: a date that two devices close is closed once`() throws {
    let pair = try LibraryPair(seed: 4_112)
    let first = try #require(Book.Day("2226-12-02"))
    let bins = try pair.laptop.addTodo(
      "Bins", due: first, others: [.repeatRule(try Book.RepeatRule(.week))])
    try pair.exchange()
    for book in [pair.laptop, pair.phone] { try book.setDone(bins) }
    try pair.exchange()
    for book in [pair.laptop, pair.phone] {
      #expect(try book.todos().map(\.slot) == [first, Book.Day("2226-12-09")])
      #expect(try book.todos().map(\.isDone) == [true, false])
      #expect(try book.conflicts() == [])
    }
  }

  @Test func `Library: a conflict about the rule has both rules`() throws {
    let pair = try LibraryPair(seed: 4_113)
    let rules = try ["FREQ=WEEKLY", "FREQ=DAILY", "FREQ=MONTHLY"].map { text in
      try Book.RepeatRule(text)
    }
    let bins = try pair.laptop.addTodo(
      "Bins", due: Book.Day("2226-12-02"), others: [.repeatRule(rules[0])])
    try pair.exchange()
    try pair.laptop.edit(bins, .repeatRule(rules[1]))
    _ = try pair.advance("phone", milliseconds: 60_000)
    try pair.phone.edit(bins, .repeatRule(rules[2]))
    try pair.exchange()
    let conflict = try #require(try pair.laptop.conflicts().first)
    #expect(conflict.field == "repeat")
    #expect(conflict.sides.map(\.content) == [.repeatRule(rules[2]), .repeatRule(rules[1])])
    try pair.laptop.resolve(conflict, with: conflict.sides[1])
    #expect(try pair.laptop.todos().map(\.repeatRule) == [rules[1]])
    #expect(try pair.laptop.conflicts() == [])
  }
}
