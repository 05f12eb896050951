import Bytes
import Console
import Testing
import Wording

/// Reports of a sync about records that are hidden because their list or question was deleted.
struct CascadeTests {
  /// Creates two devices with a list of two to-dos and a question with two choices.
  private func pair() throws -> Stage {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "todo", "Tea", "--list", "Home")
    _ = stage.answer("add", "todo", "Soup", "--list", "Home")
    _ = stage.answer("add", "question", "Lunch?", "Rice", "Fish")
    stage.meet()
    return stage
  }

  /// Syncs both devices, the deleting device first, and returns what each reports about hidden records.
  private func told(on stage: Stage) -> [String] {
    let words = [["sync", "stick"], ["-C", "phone", "sync", "stick"], ["sync", "stick"]]
    return words.map { words in
      stage.run(words).output.split(separator: "\n").filter { $0.contains(" and its ") }
        .map { $0.replacing(#/ To bring .*/#, with: "") }.joined(separator: "\n")
    }
  }

  @Test func `Cascade: a list deleted elsewhere is reported with the number of its to-dos`() throws
  {
    let stage = try pair()
    _ = stage.answer("delete", "Home")
    #expect(told(on: stage) == ["", "laptop deleted list Home and its 2 to-dos.", ""])
  }

  @Test func `Cascade: changes that the deletion had not seen are named on both devices`() throws {
    let stage = try pair()
    _ = stage.answer("delete", "Home")
    _ = stage.answer("-C", "phone", "done", "Tea")
    let sentence =
      "laptop deleted list Home and its 2 to-dos. laptop had not seen the latest change to Tea."
    #expect(told(on: stage) == ["", sentence, sentence])
    #expect(told(on: stage) == ["", "", ""])
  }

  @Test func `Cascade: choices of a deleted question are reported like to-dos of a list`() throws {
    let stage = try pair()
    _ = stage.answer("delete", "Lunch?")
    _ = stage.answer("-C", "phone", "edit", "Fish", "--weight", "3")
    let sentence =
      "laptop deleted question Lunch? and its 2 choices. "
      + "laptop had not seen the latest change to Fish."
    #expect(told(on: stage) == ["", sentence, sentence])
  }

  @Test func `Cascade: changes that the deletion had seen are not named`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "done", "Tea")
    stage.meet()
    _ = stage.answer("delete", "Home")
    #expect(told(on: stage) == ["", "laptop deleted list Home and its 2 to-dos.", ""])
  }

  @Test(
    "Cascade: unseen changes to a date of a deleted to-do are named on both devices",
    arguments: [
      ["edit", "Gym", "--note", "late", "--this"], ["edit", "Gym", "--due", "2026-11-28"],
      ["done", "Gym"],
    ])
  func changedDate(command: [String]) throws {
    let stage = try pair()
    _ = stage.answer("add", "todo", "Gym", "--due", "2026-11-27", "--repeat", "weekly")
    _ = stage.answer("edit", "Gym", "--note", "early", "--this")
    stage.meet()
    _ = stage.answer("delete", "Gym")
    #expect(stage.run(["-C", "phone"] + command).code == .done)
    let sentence =
      "laptop deleted todo Gym and its repeats. "
      + "laptop had not seen the latest change to Gym of Fri 2026-11-27."
    #expect(told(on: stage) == ["", sentence, sentence])
    #expect(told(on: stage) == ["", "", ""])
  }

  @Test func `Cascade: a reopened date is named, and the to-do is restored with the change`() throws
  {
    let stage = try pair()
    _ = stage.answer("add", "todo", "Gym", "--due", "2026-11-27", "--repeat", "weekly")
    _ = stage.answer("done", "Gym")
    stage.meet()
    _ = stage.answer("delete", "Gym")
    _ = stage.answer("-C", "phone", "undone", "Gym")
    _ = stage.answer("sync", "stick")
    let told = stage.run("-C", "phone", "sync", "stick").output
    #expect(told.contains("the latest change to Gym of Fri 2026-11-27. To bring everything back"))
    let command = try #require(told.split(separator: ": daybook ").last?.prefix { $0 != "\n" })
    #expect(command.hasPrefix("restore "))
    _ = stage.run(["-C", "phone"] + command.split(separator: " ").map(String.init))
    #expect(stage.answer("-C", "phone", "list", "todos", "--all").contains("due Fri 2026-11-27"))
  }

  @Test func `Cascade: a date whose change the deletion had seen is not named`() throws {
    let stage = try pair()
    _ = stage.answer("add", "todo", "Gym", "--due", "2026-11-27", "--repeat", "weekly")
    _ = stage.answer("edit", "Gym", "--note", "early", "--this")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Gym", "--note", "late", "--this")
    stage.meet()
    _ = stage.answer("delete", "Gym")
    _ = stage.answer("-C", "phone", "edit", "Tea", "--note", "hot")
    #expect(told(on: stage) == ["", "", ""])
  }

  @Test func `Cascade: a date without a record before the deletion is a conflict instead`() throws {
    let stage = try pair()
    _ = stage.answer("add", "todo", "Gym", "--due", "2026-11-27", "--repeat", "weekly")
    stage.meet()
    _ = stage.answer("delete", "Gym")
    _ = stage.answer("-C", "phone", "edit", "Gym", "--note", "late", "--this")
    #expect(told(on: stage) == ["", "", ""])
    #expect(stage.answer("conflicts").contains("Gym"))
  }

  @Test func `Cascade: the command in the report restores everything`() throws {
    let stage = try pair()
    _ = stage.answer("delete", "Home")
    _ = stage.answer("-C", "phone", "done", "Tea")
    _ = stage.answer("sync", "stick")
    let told = stage.run("-C", "phone", "sync", "stick").output
    let command = try #require(told.split(separator: ": daybook ").last?.prefix { $0 != "\n" })
    _ = stage.run(["-C", "phone"] + command.split(separator: " ").map(String.init))
    #expect(stage.answer("-C", "phone", "list", "todos", "--list", "Home", "--all").contains("Tea"))
    _ = stage.answer("-C", "phone", "sync", "stick")
    let json = try JSON(parsing: Array(stage.run("sync", "stick", "--json").output.utf8))
    #expect(json["cascades"] == .array([]))
  }

  @Test func `Edit: settling a conflict with a deletion is reported`() throws {
    let stage = try pair()
    _ = stage.answer("delete", "Mop")
    _ = stage.answer("-C", "phone", "edit", "Mop", "--note", "wet")
    stage.meet()
    #expect(
      stage.answer("edit", "Mop", "--priority", "high").hasSuffix(
        "Mop: priority high. The edit keeps the record, although laptop deleted it.\n"))
    #expect(!stage.answer("edit", "Mop", "--priority", "low").contains("although"))
  }

  @Test func `Sync: events about erased records are counted apart from bookkeeping`() throws {
    let stage = try pair()
    _ = stage.answer("-C", "phone", "edit", "Mop", "--note", "wet")
    _ = stage.answer("erase", "Mop", "--yes")
    _ = stage.answer("sync", "stick")
    let told = stage.run("-C", "phone", "sync", "stick").output
    #expect(told.contains("received from laptop: 1 erasure\n"))
    #expect(told.contains("sent from laptop 2: 1 event about erased records\n"))
  }
}
