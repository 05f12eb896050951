import Daybook
import Testing

/// Due times and reminders through the public interface of the library.
struct LibraryDueTests {
  @Test func `Library: a due time, its zone and its reminders are written, read and cleared`()
    throws
  {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let leads = [DueLead.days(1), .hours(2), .atDue].compactMap(\.self)
    let call = try book.addTodo(
      "Call", due: Book.Day("2026-11-27"),
      others: [.dueTime(DueTime("17:00")), .zone("Europe/Berlin"), .remind(leads)])
    var todo = try #require(try book.todos().first)
    #expect(todo.dueTime == DueTime(hour: 17, minute: 0))
    #expect(todo.zone == "Europe/Berlin" && todo.remind == leads)
    try book.edit(call, .dueTime(DueTime("08:05")), .zone(nil), .remind([]))
    todo = try #require(try book.todos().first)
    #expect(todo.dueTime?.description == "08:05" && todo.zone == nil && todo.remind == [])
    try book.edit(call, .remind(nil))
    #expect(try book.todos().first?.remind == nil)
    try book.edit(call, .due(nil))
    todo = try #require(try book.todos().first)
    #expect(todo.due == nil && todo.dueTime == nil)
    try book.undoLast()
    #expect(try book.todos().first?.dueTime?.hour == 8)
  }

  @Test func `Library: a time without a day and a zone without a time are refused`() throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    #expect(throws: Book.Failure.self) {
      try book.addTodo("Call", others: [.dueTime(DueTime("17:00"))])
    }
    #expect(throws: Book.Failure.self) {
      try book.addTodo("Call", due: Book.Day("2026-11-27"), others: [.zone("Europe/Berlin")])
    }
    #expect(try book.todos() == [])
  }

  @Test func `Library: times of day and lead times are read as users write them`() throws {
    #expect(DueTime("24:00") == nil && DueTime(hour: 24, minute: 0) == nil)
    #expect(DueTime(hour: 0, minute: 60) == nil)
    let times = try #require(DueTime("9:00")).description
    #expect(times == "09:00")
    #expect(DueLead("2h") == .hours(2) && DueLead("0") == .atDue && DueLead("1") == nil)
    #expect(DueLead.minutes(-1) == nil && DueLead.weeks(53) == nil)
    #expect(DueLead.minutes(15)?.description == "15m")
    #expect(DueLead.minutes(.max) == nil)
  }
}
