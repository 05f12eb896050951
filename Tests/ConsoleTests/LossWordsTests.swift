import Bytes
import Foundation
import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// Every command that shows or passes on a book says where the book lacks events that it had.
struct LossWordsTests {
  private static let warning =
    "daybook: 4 events of laptop are missing here, and what the book shows lacks them. "
    + "'daybook verify' says more.\n"

  /// A book of three to-dos whose logs are gone.
  private func robbed() throws -> Stage {
    let stage = Stage(witness: Path("/home/ada/.local/state/daybook"))
    for title in ["one", "two"] { _ = stage.answer("add", "todo", title) }
    _ = stage.answer("bundle", "older.bundle")
    _ = stage.answer("add", "todo", "three")
    for file in stage.machine.disk.files.keys where file.string.contains("/logs/") {
      try stage.disk.remove(file)
    }
    return stage
  }

  @Test(arguments: [
    [], ["list", "todos"], ["log"], ["search"], ["upcoming"], ["conflicts"], ["duplicates"],
    ["list", "todos", "--json"], ["export", "-o", "book.jsonl"], ["bundle", "b"], ["rebuild"],
    ["at", "tomorrow", "list", "todos"], ["diff", "2026-01-01", "today"], ["devices"], ["status"],
    ["sync", "stick"],
  ])
  func `A command that reads: says in one line that events are missing, and fails`(
    words: [String]
  ) throws {
    let stage = try robbed()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    let outcome = stage.run(words)
    #expect(outcome.code == .dataFault)
    if words != ["status"] {
      #expect(outcome.error.components(separatedBy: Self.warning).count == 2, "\(outcome.error)")
    }
  }

  @Test func `An empty screen: not called an empty book while events are missing`() throws {
    let stage = try robbed()
    #expect(stage.run([]).output == "Nothing is due today.\nNo record is left to show.\n")
    _ = stage.run("verify", "--accept-loss")
    let outcome = stage.run([])
    #expect(outcome.output == "Nothing is due today.\nThe book is empty.\n")
    #expect(outcome.error == "" && outcome.code == .done)
  }

  @Test func `A write: is done, and says that events are missing`() throws {
    let stage = try robbed()
    let outcome = stage.run("add", "todo", "four")
    #expect(outcome.code == .done)
    #expect(outcome.output.hasPrefix("Added todo "))
    #expect(outcome.error == Self.warning)
    #expect(stage.run("verify").code == .dataFault)
  }

  @Test func `A repair from an older bundle: names what is left, and fails`() throws {
    let stage = try robbed()
    let outcome = stage.run("verify", "--repair", "older.bundle")
    #expect(outcome.code == .dataFault)
    #expect(outcome.output.hasPrefix("Healed: events 1 to 3 of laptop.\n"))
    #expect(!outcome.output.contains("All is well"))
    #expect(outcome.error.hasPrefix("daybook: event 4 of laptop: not to be had there."))
  }

  @Test func `An accepted loss: told once, and counted from then on`() throws {
    let stage = try robbed()
    #expect(
      stage.answer("verify", "--accept-loss") == "Accepted as lost: events 1 to 4 of laptop.\n")
    #expect(
      stage.answer("verify", "--accept-loss")
        == "Nothing is missing that was not accepted before.\n")
    _ = stage.answer("add", "todo", "four")
    let report = stage.answer("verify")
    #expect(report.hasPrefix("What is here is sound: "))
    #expect(report.hasSuffix(" 4 events accepted as lost.\n"))
    let json = try JSON(parsing: Array(stage.answer("verify", "--json").utf8))
    #expect(json["isClean"] == true)
    #expect(json["accepted"] == 4)
    #expect(json["missing"]?.array?.count == 0)
  }
}
