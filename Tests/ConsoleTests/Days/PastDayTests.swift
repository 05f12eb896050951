import Console
import Domain
import Phrasing
import SimulatedPlatform
import Testing

/// Days in the past, for commands that look back.
///
/// Today is Thursday, 26 November 2026.
struct PastDayTests {
  @Test(
    "Past days: a day without a year is the last one that is not in the future",
    arguments: [
      ("26 nov", "2026-11-26"), ("27 nov", "2025-11-27"), ("24.12.", "2025-12-24"),
      ("30.11.", "2025-11-30"), ("29 feb", "2024-02-29"), ("fri", "2026-11-20"),
      ("thursday", "2026-11-19"), ("am Montag", "2026-11-23"), ("do", "2026-11-19"),
      ("周五", "2026-11-20"), ("the 27th", "2026-10-27"), ("the 5th", "2026-11-05"),
      ("27号", "2026-10-27"), ("christmas", "2025-12-25"), ("Weihnachten", "2025-12-25"),
      ("W48", "2026-11-23"), ("W49", "2025-12-01"), ("KW 49", "2025-12-01"),
      ("end of november", "2025-11-30"), ("first monday of december", "2025-12-01"),
      ("yesterday", "2026-11-25"), ("2026-12-24", "2026-12-24"), ("tomorrow", "2026-11-27"),
    ])
  func past(words: String, day: String) throws {
    let today = try CivilDate.parse("2026-11-26")
    #expect(try DayWords(today: today, looksBack: true).dayToCome(words).iso == day)
  }

  @Test(
    "Past days: a time in the future is refused with the present",
    arguments: [
      ["at", "tomorrow"], ["at", "next friday", "list", "todos"], ["at", "23:00"],
      ["diff", "in 3 days"], ["diff", "yesterday", "3d"], ["log", "--since", "morgen"],
      ["log", "--until", "下周五"], ["undo", "--by", "laptop", "--since", "tomorrow", "--yes"],
      ["show", "Mop", "--at", "übermorgen"],
    ])
  func future(words: [String]) {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    let outcome = stage.run(words)
    #expect(outcome.code == .refused && outcome.output.isEmpty, "\(outcome)")
    #expect(
      outcome.error.contains("That time is in the future; the time now is 2026-11-26 09:0"),
      "\(outcome)")
  }

  @Test(
    "Past days: a future time with its year is accepted, and reported as such",
    arguments: [
      ["at", "2027-01-01"], ["at", "2027-01-01", "list", "todos"],
      ["show", "Mop", "--at", "2027-01-01"],
      ["at", "2027-01-01", "status"], ["diff", "2026-11-26", "2027-01-01"],
    ])
  func futureYear(words: [String]) {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    let outcome = stage.run(words)
    #expect(outcome.code == .done)
    #expect(
      outcome.error
        == "daybook: 2027-01-01 is in the future: it is now 2026-11-26 09:02, "
        + "so this shows what has been written until now.\n")
    #expect(!outcome.output.contains("as it was"))
  }

  @Test func `Past days: a span that begins in the future shows only events dated later`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    let outcome = stage.run("diff", "2027-01-01")
    #expect(outcome.output == "No differences.\n")
    #expect(
      outcome.error
        == "daybook: 2027-01-01 is in the future: it is now 2026-11-26 09:02, "
        + "so this shows only events that are dated 2027-01-01 or later.\n")
  }

  @Test func `Past days: an instant in the future is compared with the present in local time`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    let instant = "2026-11-26T14:00:00+03:00"
    let note = "daybook: \(instant) is 2026-11-26 11:00, which is in the future: it is now "
    for words in [["at", instant, "list", "todos"], ["diff", instant]] {
      let error = stage.run(words).error
      #expect(error.hasPrefix(note + "2026-11-26 09:0"), "\(error)")
    }
  }

  @Test func `Past days: a book that begins later in the same minute is described so`() {
    let stage = Stage.onThursday()
    stage.machine.timekeeper.advance(milliseconds: 30_000)
    _ = stage.answer("add", "todo", "Mop")
    #expect(
      stage.run("at", "2026-11-26T09:01:00Z", "list", "todos").error
        == "daybook: there were no records at 2026-11-26 09:01; "
        + "the book begins later in the same minute.\n")
  }

  @Test func `Past days: the agenda of a future day does not claim to be of the past`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop", "--due", "2026-12-30")
    #expect(
      stage.answer("at", "2027-01-01").split(separator: "\n").first
        == "Fri 2027-01-01, as far as is known now")
  }

  @Test func `Past days: a day without a time includes the to-dos done on it`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    stage.goTo(day: 3)
    _ = stage.answer("edit", "Mop", "--title", "Sweep")
    #expect(stage.answer("at", "2026-11-26", "list", "todos").contains("Mop"))
    #expect(stage.answer("at", "thursday", "list", "todos").contains("Mop"))
    #expect(stage.answer("at", "today", "list", "todos").contains("Sweep"))
    #expect(stage.answer("log", "--until", "26 nov").contains("Mop"))
    #expect(stage.answer("diff", "26 nov", "26 nov").contains("Added: todo"))
    #expect(stage.answer("diff", "27 nov", "2026-11-28") == "No differences.\n")
    #expect(stage.answer("at", "2026-11-26").hasPrefix("Thu 2026-11-26, as it was at 23:59\n"))
  }

  @Test func `Past days: a time before the first event is reported as such`() {
    let stage = Stage.onThursday()
    _ = stage.answer("add", "todo", "Mop")
    for words in [["at", "2026-11-20"], ["at", "2026-11-20", "list", "todos"]] {
      #expect(
        stage.run(words).error
          == "daybook: there were no records at 2026-11-20 23:59; "
          + "the book begins on 2026-11-26 09:01.\n")
    }
    #expect(stage.run("at", "now").error == "")
  }
}
