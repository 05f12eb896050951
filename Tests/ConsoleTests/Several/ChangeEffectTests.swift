import Bytes
import Console
import Phrasing
import Testing

/// Questions, dry runs and reports name what else changes with the to-dos.
///
/// Today is Thursday, 26 November 2026.
struct ChangeEffectTests {
  /// Creates the list Home with Bins, which repeats, and the plain to-dos Mop and Wax.
  private func stage() -> Stage {
    let stage = Stage.onThursday()
    for words in [
      ["Bins", "--list", "Home", "--due", "2026-12-01", "--repeat", "daily"],
      ["Mop", "--list", "Home", "--due", "2026-12-01"], ["Wax", "--list", "Home"],
    ] {
      #expect(stage.run(["add", "todo"] + words).code == .done)
    }
    return stage
  }

  /// Returns the question, the last line of the dry run and the last line of the report of a command.
  private func words(
    _ stage: Stage, _ command: [String], _ changes: [String] = []
  ) -> (question: String, trial: String, report: String) {
    func lastLine(_ option: String) -> String {
      let outcome = stage.run(command + [option] + changes)
      #expect(outcome.code == .done, "\(outcome.error)")
      return outcome.output.split(separator: "\n").last.map(String.init) ?? ""
    }
    let asked = stage.run(command + changes, answering: { "n" }).error
    let question = asked.firstRange(of: " [y/N]").map { String(asked[..<$0.lowerBound]) } ?? asked
    return (question, lastLine("-n"), lastLine("--yes"))
  }

  @Test(arguments: [("cancel", "Cancel", "Cancelled"), ("delete", "Delete", "Deleted")])
  func `Effect: the repeats that end are named`(verb: String, asked: String, past: String) {
    let stage = stage()
    #expect(stage.told(verb, "bins", "-n").hasSuffix("would \(verb) 1 to-do and its repeats.\n"))
    #expect(stage.told(verb, "mop", "-n").hasSuffix("would \(verb) 1 to-do.\n"))
    _ = stage.answer("add", "Bucket", "--under", "mop")
    let told = words(stage, [verb, "--due", "any"])
    let what = "2 to-dos, the repeats of 1 of them and 1 sub-task"
    #expect(told.question == "\(asked) \(what)?")
    #expect(told.trial == "This would \(verb) \(what).")
    #expect(told.report == "\(past) \(what).")
  }

  @Test func `Effect: a new time of one date only is named`() {
    let stage = stage()
    let told = words(stage, ["edit", "--due", "any"], ["set", "--time", "10:00"])
    let once = "1 of them repeats, and only its current date would be changed."
    #expect(told.question == "Edit 2 to-dos: time 10:00? \(once)")
    #expect(told.trial == "This would edit 2 to-dos: time 10:00. \(once)")
    #expect(told.report == "Edited 2 to-dos: time 10:00.")
    #expect(
      stage.told("edit", "bins", "--time", "11:00", "-n").hasSuffix(
        "This would edit 1 to-do: time 11:00. It repeats, and only its current date would be changed.\n"
      ))
    #expect(
      stage.told("edit", "bins", "--time", "11:00", "--series", "-n").hasSuffix(
        "This would edit 1 to-do: time 11:00.\n"))
  }

  @Test func `Effect: the question counts what changes, and there is none if nothing does`() throws
  {
    let stage = stage()
    let edit = ["set", "--repeat", "none"]
    let told = words(stage, ["edit", "--list", "Home"], edit)
    #expect(told.question == "Edit 1 to-do: repeat none? 2 are already as requested.")
    #expect(told.trial == "This would edit 1 to-do: repeat none. 2 are already as requested.")
    #expect(told.report == "Edited 1 to-do: repeat none. 2 were already as requested.")
    let count = try stage.eventCount()
    let again = stage.run("edit", "--list", "Home", "set", "--repeat", "none")
    #expect(again.code == .done && again.error == "")
    #expect(again.output.hasSuffix("Nothing to change: they are already as requested.\n"))
    #expect(try stage.eventCount() == count)
  }

  @Test func `Effect: to-dos that are kept are named`() {
    let stage = stage()
    #expect(
      stage.told("delete", "Home", "--keep-todos", "-n").hasSuffix(
        "This would delete 1 record. 3 to-dos would then be on no list.\n"))
    let told = stage.told("delete", "Home", "--keep-todos")
    #expect(told.split(separator: "\n").filter { $0.hasSuffix(": list none.") }.count == 3)
  }

  @Test func `Effect: the end that a new rule takes from a series is named`() {
    let stage = Stage.onThursday()
    for (title, rule) in [
      ("Bins", "daily until 2027-12-31"), ("Mop", "daily 5 times"), ("Wax", "daily"),
    ] {
      _ = stage.answer("add", title, "--due", "2026-12-01", "--repeat", rule)
    }
    #expect(
      stage.told("edit", "bins", "--repeat", "weekly", "-n").hasSuffix(
        "This would edit 1 to-do: repeat weekly. It would no longer end on Fri 2027-12-31.\n"))
    #expect(
      stage.told("edit", "bins", "--repeat", "weekly").hasSuffix(
        ", repeats every week, no longer ends on Fri 2027-12-31.\n"))
    #expect(
      stage.told("edit", "mop", "--repeat", "weekly").hasSuffix(
        ", repeats every week, no longer ends after 5 times.\n"))
    #expect(
      stage.told("edit", "wax", "--repeat", "weekly").hasSuffix(", repeats every week.\n"))
    _ = stage.answer("undo", "3")
    #expect(
      !stage.told("edit", "mop", "--repeat", "weekly until 2027-06-30").contains("no longer"))
    let told = words(stage, ["edit", "--due", "any"], ["set", "--repeat", "every 2 days"])
    let ends = "2 of them would no longer have an end."
    #expect(told.question == "Edit 3 to-dos: repeat every 2 days? \(ends)")
    #expect(told.trial == "This would edit 3 to-dos: repeat every 2 days. \(ends)")
    #expect(
      told.report == "Edited 3 to-dos: repeat every 2 days. 2 of them no longer have an end.")
  }
}
