import Bytes
import Phrasing
import Platform
import SimulatedPlatform
import Testing

extension Stage {
  /// Creates a machine whose clock shows nine in the morning on Thursday, 26 November 2026.
  static func onThursday() -> Stage {
    let stage = Stage()
    stage.goTo(day: 0)
    return stage
  }

  /// Creates two synced devices, laptop and phone, with Bins, which repeats weekly from Monday, 23 November.
  static func pairWithBins() throws -> Stage {
    let stage = try pair()
    _ = stage.answer("device", "rename", "laptop 2", "phone")
    stage.meet()
    stage.goTo(day: 0)
    stage.addBins()
    stage.meet()
    return stage
  }

  /// Sets the clock to nine in the morning of the day this many days after that Thursday.
  func goTo(day: Int64) {
    let thursday: Int64 = 1_795_165_200_000 + 6 * 86_400_000
    machine.timekeeper.set(Moment(milliseconds: thursday + day * 86_400_000))
  }

  /// Adds the to-do Bins, which repeats weekly from Monday, 23 November 2026.
  func addBins(_ words: String...) {
    #expect(
      run(["add", "todo", "Bins", "--due", "2026-11-23", "--repeat", "weekly"] + words).code
        == .done)
  }

  /// Returns the output of a run that must succeed, with `ID` in place of the short ids of to-dos.
  func told(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) -> String {
    let outcome = run(words)
    #expect(outcome.code == .done, "\(outcome.error)", sourceLocation: sourceLocation)
    return outcome.output.replacing(#/todo [0-9a-z]+ /#, with: "todo ID ")
  }

  /// Returns the to-dos that a command lists, as records.
  func todos(_ words: String..., on device: [String] = []) throws -> [JSON] {
    let answer = run(device + ["list", "todos"] + words + ["--json"])
    return try #require(try JSON(parsing: Array(answer.output.utf8)).array)
  }

  /// Returns a record.
  func record(_ words: String...) throws -> JSON {
    try JSON(parsing: Array(run(["show"] + words + ["--json"]).output.utf8))
  }
}
