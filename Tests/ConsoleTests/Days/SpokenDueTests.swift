import Bytes
import Console
import Phrasing
import Testing

/// Due dates, repeats and priorities in the words that users try.
///
/// Today is Thursday, 26 November 2026, a minute past nine.
struct SpokenDueTests {
  private func added(_ words: [String]) throws -> JSON {
    let stage = Stage.onThursday()
    let outcome = stage.run(["add", "todo", "Call"] + words)
    #expect(outcome.code == .done, "\(outcome.error)")
    let todos = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    return try #require(todos.array?.first)
  }

  @Test(
    "Due dates: hours from now, the last day of a month, and hours are read",
    arguments: [
      ("in 2 hours", "2026-11-26", "11:01"), ("in 30 Minuten", "2026-11-26", "09:31"),
      ("20小时后", "2026-11-27", "05:01"), ("last day of month", "2026-11-30", ""),
      ("last day of next month", "2026-12-31", ""), ("letzter Tag des Monats", "2026-11-30", ""),
      ("morgen um 9", "2026-11-27", "09:00"),
    ])
  func due(words: String, day: String, time: String) throws {
    let todo = try added(["-d", words])
    #expect((todo["due"]?.string, todo["dueTime"]?.string ?? "") == (day, time))
  }

  @Test func `Due dates: an hour that can be in either half of the day is not guessed`() {
    let outcome = Stage.onThursday().run("add", "todo", "Call", "-d", "tomorrow at 5")
    #expect(outcome.code == .refused)
    #expect(outcome.error.contains("Did you mean 'tomorrow 5am' or 'tomorrow 5pm'?"))
  }

  @Test(
    "Repeats: a time in the words is that of all dates",
    arguments: [
      ("daily at 8:00", "FREQ=DAILY", "08:00"), ("every mon 5pm", "FREQ=WEEKLY;BYDAY=MO", "17:00"),
    ])
  func repeats(words: String, rule: String, time: String) throws {
    let todo = try added(["--repeat", words])
    #expect((todo["repeat"]?["rule"]?.string, todo["dueTime"]?.string) == (rule, time))
  }

  @Test(arguments: [("hoch", "high"), ("低", "low"), ("mittel", "normal")])
  func `Priorities: words of all languages are read`(word: String, priority: String) throws {
    #expect(try added(["-p", word])["priority"]?.string == priority)
  }
}
