import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Distances in days, relative to the chosen time.
struct DistanceTests {
  @Test func `Past: distances are relative to the chosen time`() {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "todo", "Mop", "--due", "2026-11-25", "--list", "Home")
    _ = stage.answer("add", "birthday", "Ada", "1815-12-10")
    stage.machine.timekeeper.advance(milliseconds: 10 * 86_400_000)
    #expect(stage.answer("list", "todos").hasSuffix("due Wed 2026-11-25 (5 days ago)\n"))
    let then = ["at", "2026-11-20 10:00"]
    for words in [["list", "todos"], ["show", "Home"]] {
      let outcome = stage.run(then + words)
      #expect(outcome.output.hasSuffix("due Wed 2026-11-25 (in 5 days)\n"), "\(outcome)")
    }
    #expect(
      stage.run(then + ["list", "birthdays"]).output.hasSuffix(
        "Ada  1815-12-10  turns 211 in 20 days\n"))
  }

  @Test func `Follow: folders are refused as peers to follow`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("peer", "add", "stick", "stick")
    #expect(
      stage.run("sync", "--follow")
        == .init(
          code: .refused, output: "",
          error: "daybook: only a machine can be followed, and no peer is a machine with an "
            + "address. To sync with folders, run 'daybook sync'. To add a machine, run "
            + "'daybook peer add NAME tcp://HOST:PORT'.\n"))
    #expect(stage.run("sync", "--follow", "stick").error.contains("Use the name of a machine"))
  }
}
