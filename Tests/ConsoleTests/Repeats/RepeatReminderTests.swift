import Console
import Phrasing
import Testing

/// Reminders of to-dos that repeat: each once for its date, due time and lead time.
///
/// Today is Thursday, 26 November 2026.
struct RepeatReminderTests {
  private func stage(_ words: String...) -> Stage {
    let stage = Stage.onThursday()
    #expect(
      stage.run(["add", "todo", "Bins", "--due", "today", "--repeat", "weekly"] + words).code
        == .done)
    return stage
  }

  @Test func `Reminders: each date rings once`() {
    let stage = stage("--remind", "1d,0")
    #expect(stage.answer("remind") == "Due today: Bins.\n")
    #expect(stage.answer("remind") == "")
    _ = stage.answer("done", "bins")
    #expect(stage.answer("remind") == "")
    stage.goTo(day: 6)
    #expect(stage.answer("remind") == "Due tomorrow, on Thu 2026-12-03: Bins.\n")
    stage.goTo(day: 7)
    #expect(stage.answer("remind") == "Due today: Bins.\n")
    #expect(stage.answer("remind") == "")
  }

  @Test func `Reminders: a date that is moved rings again, and so does the next one on that day`() {
    let stage = stage()
    #expect(stage.answer("remind") == "Due today: Bins.\n")
    _ = stage.answer("edit", "bins", "--due", "2026-12-03")
    stage.goTo(day: 7)
    #expect(stage.answer("remind") == "Due today: Bins.\n")
    _ = stage.answer("done", "bins")
    #expect(stage.answer("remind") == "Due today: Bins.\n")
    #expect(stage.answer("remind") == "")
    #expect(stage.answer("remind", "--again", "--json").contains("\"slot\": \"2026-12-03\""))
  }

  @Test func `Reminders: a to-do that was cancelled or has ended does not ring`() {
    for words in [["cancel", "bins"], ["edit", "bins", "--repeat", "none"]] {
      let stage = stage()
      #expect(stage.run(words).code == .done)
      if words[0] == "edit" { _ = stage.answer("done", "bins") }
      #expect(stage.answer("remind") == "")
      stage.goTo(day: 7)
      #expect(stage.answer("remind") == "")
    }
  }

  @Test func `Reminders: a skipped date does not ring, nor does the past`() {
    let stage = stage()
    _ = stage.answer("skip", "bins")
    #expect(stage.answer("remind") == "")
    stage.goTo(day: 20)
    #expect(stage.answer("remind") == "Overdue since Thu 2026-12-03: Bins.\n")
    #expect(stage.answer("remind") == "")
  }
}
