import Console
import Phrasing
import Testing

/// Reminders of repeating to-dos: each once for its date, due time and lead time.
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

  @Test func `Reminders: a skipped date does not ring, and neither does a past one`() {
    let stage = stage()
    _ = stage.answer("skip", "bins")
    #expect(stage.answer("remind") == "")
    stage.goTo(day: 20)
    #expect(
      stage.answer("remind") == "Overdue since Thu 2026-12-10: Bins; 1 earlier date missed.\n")
    #expect(stage.answer("remind") == "")
  }

  @Test(arguments: ["weekly", "each week"])
  func `Reminders: each later date of an open to-do rings, with the number of missed dates`(
    rule: String
  ) {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Bins", "--due", "today", "--repeat", rule)
    var told: [String] = []
    for day in 0...15 {
      stage.goTo(day: Int64(day))
      told.append(stage.answer("remind"))
    }
    #expect(
      told.enumerated().filter { !$0.element.isEmpty }.map { "\($0.offset) \($0.element)" } == [
        "0 Due today: Bins.\n", "7 Due today: Bins; 1 earlier date missed.\n",
        "14 Due today: Bins; 2 earlier dates missed.\n",
      ])
    #expect(stage.answer("remind", "--json", "--again").contains("\"missed\": 2"))
  }

  @Test func `Reminders: a date of an open to-do also rings before it comes`() {
    let stage = stage("--remind", "1d,0")
    _ = stage.answer("remind")
    stage.goTo(day: 6)
    #expect(
      stage.answer("remind")
        == "Due tomorrow, on Thu 2026-12-03: Bins; 1 earlier date missed.\n")
    stage.goTo(day: 7)
    #expect(stage.answer("remind") == "Due today: Bins; 1 earlier date missed.\n")
    #expect(stage.answer("remind") == "")
  }

  @Test func `Reminders: no date rings after the last one, nor one that counts from the closing`() {
    for repeats in [["--repeat", "weekly until 2026-12-03"], ["--repeat", "every! week"]] {
      let stage = Stage.onThursday()
      _ = stage.run(["add", "todo", "Bins", "--due", "today"] + repeats)
      _ = stage.answer("remind")
      stage.goTo(day: 7)
      _ = stage.answer("remind")
      stage.goTo(day: 30)
      #expect(stage.answer("remind") == "", "\(repeats)")
    }
  }
}
