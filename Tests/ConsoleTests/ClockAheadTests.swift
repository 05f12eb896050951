import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// A clock that was ahead affects the times of events written at that time, but not those of later events.
struct ClockAheadTests {
  private static let now = ["DAYBOOK_NOW": "2026-11-26T09:00:00Z"]
  private static let ahead = ["DAYBOOK_NOW": "2034-05-01T10:00:00Z"]

  private func stage() -> Stage {
    let stage = Stage()
    stage.run("add", "todo", "early", environment: Self.ahead)
    return stage
  }

  @Test func `Clock ahead: a to-do added and completed later shows the right times`() {
    let stage = stage()
    stage.run("add", "todo", "late", environment: Self.now)
    stage.run("done", "late", environment: Self.now)
    let shown = stage.run("show", "late", environment: Self.now).output
    #expect(shown.contains("2026-11-26"))
    #expect(!shown.contains("2034"))
    #expect(stage.run("show", "early", environment: Self.now).output.contains("2034-05-01"))
  }

  @Test func `Clock ahead: past states and the log show the right times`() {
    let stage = stage()
    stage.run("add", "todo", "late", environment: Self.now)
    let tomorrow = stage.run("at", "2026-11-27", "list", "todos", environment: Self.now).output
    #expect(tomorrow.contains("late") && !tomorrow.contains("early"))
    let log = stage.run("log", environment: Self.now).output
    #expect(log.contains("2026-11-26") && log.contains("2034-05-01"))
  }

  @Test(
    "Clock ahead: a view of now or later counts the events that are dated after it",
    arguments: [
      (
        ["at", "2026-11-27", "list", "todos"],
        "2026-11-27 is in the future: it is now 2026-11-26 09:00, so this shows what has been "
          + "written until now, except 1 event that is dated after 2026-11-27."
      ),
      (["at", "now", "list", "todos"], "1 event that is dated after now is left out."),
      (["show", "late", "--at", "today"], "1 event that is dated after today is left out."),
      (["diff", "2026-11-25", "now"], "1 event that is dated after now is left out."),
      (["at", "2026-11-25", "status"], nil), (["diff", "2026-11-25"], nil),
    ])
  func laterEvents(words: [String], note: String?) {
    let stage = stage()
    stage.run("add", "todo", "late", environment: Self.now)
    let error = stage.run(words, environment: Self.now).error
    if let note {
      #expect(error.contains("daybook: \(note)\n"), "\(error)")
    } else {
      #expect(!error.contains("dated after"), "\(error)")
    }
  }

  @Test func `Clock behind: a command that writes with an impossible time warns`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "early")
    let unset = ["DAYBOOK_NOW": "1996-11-30T06:00:00Z"]
    let outcome = stage.run("add", "todo", "late", environment: unset)
    #expect(outcome.code == .done)
    #expect(
      outcome.error
        == "daybook: the clock of this machine is wrong: it shows 1996-11-30 06:00. "
        + "Set the clock. The new changes may have wrong dates.\n")
    #expect(stage.run("list", "todos", environment: unset).error == "")
  }

  @Test func `Clock ahead: the event order is kept, so the last edit wins`() {
    let stage = stage()
    stage.run("edit", "early", "--title", "renamed", environment: Self.now)
    #expect(stage.run("list", "todos", environment: Self.now).output.contains("renamed"))
    #expect(
      stage.run("undo", environment: Self.now).output.contains("early"))
  }

  @Test func `Clock ahead: commands since a time are those that were written then`() throws {
    let stage = try Stage.pair()
    stage.run("-C", "phone", "add", "todo", "early", environment: Self.ahead)
    stage.run("-C", "phone", "add", "todo", "late", environment: Self.now)
    stage.run("-C", "phone", "sync", "stick", environment: Self.now)
    stage.run("sync", "stick", environment: Self.now)
    let undo = ["undo", "--by", "laptop 2", "--since", "2027-01-01"]
    let asked = stage.run(undo, environment: Self.now)
    #expect(asked.error.hasPrefix("daybook: Undo 1 command of laptop 2 from 2034-05-01 "))
    #expect(stage.run(undo + ["--yes"], environment: Self.now).code == .done)
    let listed = stage.run("list", "todos", environment: Self.now).output
    #expect(listed.contains("late") && !listed.contains("early"))
  }

  @Test func `Clock ahead: all devices have the same digest and the same times`() throws {
    let stage = try Stage.pair()
    stage.run("add", "todo", "early", environment: Self.ahead)
    stage.run("add", "todo", "late", environment: Self.now)
    stage.run("done", "late", environment: Self.now)
    let books = [[], ["-C", "phone"]]
    for book in books + books { _ = stage.run(book + ["sync", "stick"], environment: Self.now) }
    func told(_ words: String...) -> [String] {
      books.map { stage.run($0 + words, environment: Self.now).output }
    }
    let digests = told("sync", "stick").map { $0.split(separator: "\n").last }
    #expect(digests[0]?.hasPrefix("The digest is ") == true && digests[0] == digests[1])
    let late = try told("show", "late", "--json").map { try JSON(parsing: Array($0.utf8)) }
    for record in late {
      #expect(record["createdAt"] == "2026-11-26T09:00:00Z")
      #expect(record["completedAt"] == "2026-11-26T09:00:00Z")
    }
  }

  @Test func `Clock ahead: doctor counts future events, and edit corrects a creation time`() {
    let stage = stage()
    stage.run("add", "todo", "late", environment: Self.now)
    let doctor = stage.run("doctor", environment: Self.now).output
    #expect(doctor.contains("1 event is dated more than a day ahead"))
    stage.run("edit", "early", "--created-at", "2026-11-25 08:00", environment: Self.now)
    #expect(stage.run("show", "early", environment: Self.now).output.contains("2026-11-25"))
  }

  @Test func `Clock ahead: once it is corrected, other clocks are not reported as behind`() throws {
    let stage = try Stage.pairOfTodos()
    stage.run("add", "todo", "early", environment: Self.ahead)
    stage.run("sync", "stick", environment: Self.ahead)
    stage.run("-C", "phone", "sync", "stick", environment: Self.now)
    stage.run("-C", "phone", "add", "todo", "theirs", environment: Self.now)
    stage.run("-C", "phone", "sync", "stick", environment: Self.now)
    let synced = stage.run("sync", "stick", environment: Self.now)
    #expect(!synced.error.contains("clock"), "\(synced.error)")
    #expect(!stage.run("devices", environment: Self.now).output.contains("behind"))
  }

  @Test func `Clock ahead: once it is corrected, a later conflict shows no wrong clock`() throws {
    let stage = try Stage.pair()
    stage.run("add", "todo", "early", environment: Self.ahead)
    func meet() {
      for folder in ["default", "phone", "default"] {
        let place = folder == "default" ? [] : ["-C", folder]
        _ = stage.run(place + ["sync", "stick"], environment: Self.now)
      }
    }
    meet()
    stage.run("edit", "Sweep", "--title", "Sweep here", environment: Self.now)
    stage.run("-C", "phone", "edit", "Sweep", "--title", "Sweep there", environment: Self.now)
    meet()
    let shown = stage.run("conflicts", environment: Self.now).output
    #expect(shown.contains("Sweep here") && shown.contains("Sweep there"))
    #expect(!shown.contains("ahead of this clock"), "\(shown)")
  }

  @Test func `Clock ahead: the time of an unset clock is not used`() {
    let stage = stage()
    let unset = ["DAYBOOK_NOW": "2001-01-01T00:00:00Z"]
    stage.run("add", "todo", "late", environment: unset)
    #expect(!stage.run("show", "late", environment: Self.now).output.contains("2001-01-01"))
  }

  @Test func `Clock ahead: a corrected clock is not reported as wrong`() throws {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    stage.run("add", "todo", "early", environment: Self.now)
    stage.run("sync", "stick", environment: Self.now)
    stage.run("-C", "phone", "join", "stick", environment: Self.now)
    stage.run("sync", "stick", "--admit", environment: Self.now)
    stage.run("-C", "phone", "sync", "stick", environment: Self.now)
    stage.run("-C", "phone", "add", "todo", "far", environment: Self.ahead)
    func told(_ words: String...) -> String { stage.run(words, environment: Self.now).output }
    #expect(told("-C", "phone", "doctor").contains("no device is ahead"))
    #expect(!told("-C", "phone", "devices").contains("ahead?"))
    stage.run("-C", "phone", "sync", "stick", environment: Self.now)
    stage.run("sync", "stick", environment: Self.now)
    #expect(told("devices").contains("clock 7 years ahead?"))
    stage.run("-C", "phone", "add", "todo", "near", environment: Self.now)
    stage.run("-C", "phone", "sync", "stick", environment: Self.now)
    stage.run("sync", "stick", environment: Self.now)
    for folder in [".local/share/daybook/default", "phone"] {
      #expect(told("-C", folder, "doctor").contains("no device is ahead"), "\(folder)")
      #expect(!told("-C", folder, "devices").contains("2034"), "\(folder)")
    }
  }
}
