import Console
import Phrasing
import Testing

/// Upcoming birthdays, and birth dates in the future.
struct UpcomingTests {
  @Test(arguments: ["2026-11-21", "tomorrow", "2027", "2026-12", "24 dec 2026"])
  func `Upcoming: a birth date in the future is refused`(date: String) {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada")
    for words in [["add", "birthday", "Kid", date], ["edit", "ada", "--birthdate", date]] {
      let outcome = stage.run(words)
      #expect(outcome.code == .refused && outcome.output == "", "\(words)")
      #expect(outcome.error.hasPrefix("daybook: the birth date cannot be '\(date)'. "))
      #expect(outcome.error.hasSuffix(" is in the future; add a to-do for that day instead.\n"))
    }
    for date in ["today", "2026-11-20", "2026-11", "2026", "--11-21", "24 dec"] {
      #expect(stage.run("add", "birthday", "Kid", date).code == .done, "\(date)")
    }
  }

  @Test func `Upcoming: --milestones marks round ages and 18`() {
    let stage = Stage()
    for (name, year) in [("Ten", 2016), ("Teen", 2008), ("Other", 1987), ("Born", 2026)] {
      _ = stage.answer("add", "birthday", name, "\(year)-11-20")
    }
    let lines = stage.answer("upcoming", "--milestones").split(separator: "\n").map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
    #expect(
      lines == [
        "Fri 2026-11-20 Born is born today", "Fri 2026-11-20 Other turns 39 today",
        "Fri 2026-11-20 Teen turns 18 today milestone",
        "Fri 2026-11-20 Ten turns 10 today milestone",
      ])
    #expect(!stage.answer("upcoming").contains("milestone"))
  }
}
