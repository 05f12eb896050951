import Bytes
import Console
import Phrasing
import Platform
import Testing

/// Output about conflicts, duplicates and sync reports.
struct ConflictTests {
  /// Creates two devices with different titles for one to-do.
  private func renamed() throws -> (stage: Stage, id: String) {
    let stage = try Stage.pair()
    let listed = stage.answer("list", "todos")
    let id = String(listed.prefix { $0 != " " })
    _ = stage.answer("edit", "Sweep", "--title", "Sweep stairs")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Sweep floor")
    stage.meet()
    return (stage, id)
  }

  private func titles(_ stage: Stage) throws -> [JSON?] {
    let list = try JSON(parsing: Array(stage.answer("list", "todos", "--json").utf8))
    return try #require(list.array).map { $0["title"] }
  }

  @Test func `Conflicts: each side is listed with the command that settles it`() throws {
    let (stage, id) = try renamed()
    #expect(
      stage.answer("conflicts") == """
        todo \(id) Sweep floor
          title  Sweep floor   laptop 2  2026-11-20 09:08  shown  daybook resolve \(id) title --take theirs
                 Sweep stairs  laptop    2026-11-20 09:07         daybook resolve \(id) title --take mine

        """)
    #expect(stage.answer("list", "todos").hasSuffix("Sweep floor  conflict\n"))
    #expect(stage.answer("show", id).contains("--take mine\n"))
    #expect(stage.answer().contains("1 conflict: 'daybook conflicts'"))
    let json = try JSON(parsing: Array(stage.answer("conflicts", "--json").utf8))
    let conflict = try #require(json.array?.first)
    #expect(conflict["field"] == "title")
    #expect(conflict["sides"]?.array?.map { $0["value"] } == ["Sweep floor", "Sweep stairs"])
    let record = try JSON(parsing: Array(stage.answer("show", id, "--json").utf8))
    #expect(record["conflicts"]?.array?.first?["sides"] == conflict["sides"])
    #expect(!stage.answer("at", "2026-11-20T09:06:30Z", "list", "todos").contains("conflict"))
  }

  @Test(arguments: [
    ("mine", "Sweep stairs"), ("theirs", "Sweep floor"), ("laptop 2", "Sweep floor"),
    ("Sweep stairs", "Sweep stairs"),
  ])
  func `Conflicts: a conflict is settled by naming a side or a value`(
    word: String, title: String
  ) throws {
    let (stage, id) = try renamed()
    #expect(
      stage.answer("resolve", id, "title", "--take", word)
        == "Settled title of todo \(id): \(title).\n")
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    stage.meet()
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
    #expect(stage.answer("-C", "phone", "list", "todos").contains(title))
    #expect(try titles(stage) == [.string(title)])
  }

  @Test func `Conflicts: an unknown value is refused unless given with --value`() throws {
    let (stage, id) = try renamed()
    let start = "is neither a value in this conflict nor a device."
    let choices = """
        for a new value, or choose one of:
        daybook resolve \(id) title --take theirs  Sweep floor
        daybook resolve \(id) title --take mine    Sweep stairs

      """.dropFirst(2)
    for (word, sentence) in [
      ("B", "'B' \(start) Use --value B "),
      ("thiers", "'thiers' \(start) Did you mean 'theirs'? Use --value thiers "),
      ("it's all", "'it's all' \(start) Use --value \"it's all\" "),
    ] {
      #expect(
        stage.run("resolve", id, "title", "--take", word)
          == .init(code: .refused, output: "", error: "daybook: \(sentence)\(choices)"))
    }
    #expect(
      stage.run("resolve", id, "title", "--take", "mine", "--value", "B")
        == .init(
          code: .usage, output: "",
          error: "daybook: '--take' and '--value' contradict each other. Use only one of them.\n"))
    #expect(
      stage.answer("resolve", id, "title", "--value", "mine")
        == "Settled title of todo \(id): mine.\n"
    )
    stage.meet()
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
    #expect(try titles(stage) == ["mine"])
  }

  @Test func `Conflicts: a conflict can be settled with a new date`() throws {
    let stage = try Stage.pair()
    let id = String(stage.answer("list", "todos").prefix { $0 != " " })
    _ = stage.answer("edit", id, "--due", "2026-12-01")
    _ = stage.answer("-C", "phone", "edit", id, "--due", "2026-12-02")
    stage.meet()
    #expect(
      stage.answer("resolve", id, "--value", "2026-12-24")
        == "Settled due of todo \(id): 2026-12-24.\n")
    #expect(stage.answer("conflicts") == "No conflicts.\n")
  }

  @Test func `Conflicts: --take refuses a date that no device has written`() throws {
    let stage = try Stage.pair()
    let id = String(stage.answer("list", "todos").prefix { $0 != " " })
    for (device, number) in [([], "1"), (["-C", "phone"], "2")] {
      let edit = ["--due", "2026-12-0\(number)", "--time", "1\(number):00", "--start", "none"]
      #expect(stage.run(device + ["edit", id] + edit).code == .done)
    }
    stage.meet()
    let count = try stage.eventCount()
    for (field, value) in [("due", "2026-12-24"), ("due", "none"), ("time", "23:59")] {
      let refused = stage.run("resolve", id, field, "--take", value)
      #expect(refused.code == .refused)
      #expect(
        refused.error.contains(
          "'\(value)' is neither a value in this conflict nor a device."), "\(refused)")
      #expect(refused.error.contains("daybook resolve \(id) \(field) --take mine"))
    }
    #expect(try stage.eventCount() == count)
    // A written value can have other words.
    #expect(
      stage.answer("resolve", id, "due", "--take", "1 dec")
        == "Settled due of todo \(id): 2026-12-01.\n")
    #expect(
      stage.answer("resolve", id, "time", "--take", "noon")
        == "Settled time of todo \(id): 12:00.\n")
  }

  @Test func `Conflicts: an ambiguous resolve is refused with the choices`() throws {
    let (stage, id) = try renamed()
    let choices = """
        daybook resolve \(id) title --take theirs  Sweep floor
        daybook resolve \(id) title --take mine    Sweep stairs

      """
    #expect(
      stage.run("resolve", id)
        == .init(
          code: .refused, output: "",
          error: "daybook: The command does not say which side to keep. Choose one of:\n"
            + choices))
    #expect(stage.run("resolve", id, "due", "--take", "mine").code == .refused)
    #expect(
      stage.run("resolve", id, "due", "--take", "mine").error
        == "daybook: 'due' of todo 'Sweep floor' has no conflict. "
        + "'daybook conflicts' lists all conflicts.\n")
    _ = stage.answer("edit", id, "--priority", "high")
    _ = stage.answer("-C", "phone", "edit", id, "--priority", "low")
    stage.meet()
    let several = stage.run("resolve", id, "--take", "mine")
    #expect(several.error.hasPrefix("daybook: The record has 2 conflicts. Choose one of:\n"))
    let unreadable = stage.run("resolve", id, "priority", "--take", "highest").error
    #expect(
      unreadable.hasPrefix("daybook: 'highest' is neither a value in this conflict nor a device."))
    #expect(
      stage.run("resolve", id, "priority", "--value", "highest").error.hasPrefix(
        "daybook: priority cannot be 'highest'. Use low, normal or high. Choose one of:\n"))
    #expect(stage.run("resolve", id, "priority", "--take", "normal").code == .refused)
    _ = stage.answer("resolve", id, "priority", "--value", "normal")
    _ = stage.answer("resolve", id, "--take", "mine")
    #expect(stage.run("resolve", id).error.contains("has no conflict"))
  }

  @Test func `Conflicts: a device that wrote no value is refused as a side`() throws {
    let (stage, id) = try renamed()
    _ = stage.answer("-C", "tablet", "join", "stick")
    _ = stage.answer("sync", "stick", "--admit")
    let refused = stage.run("resolve", id, "title", "--take", "laptop 3")
    #expect(
      refused.error.hasPrefix("daybook: 'laptop 3' wrote none of the values. Choose one of:\n"))
    _ = stage.answer("edit", id, "--title", "laptop 2")
    _ = stage.answer("-C", "phone", "edit", id, "--title", "Mop")
    stage.meet()
    let ambiguous = stage.run("resolve", id, "title", "--take", "laptop 2")
    #expect(
      ambiguous.error.hasPrefix(
        "daybook: 'laptop 2' could mean 2 different values. Choose one of:\n"))
  }

  @Test func `Conflicts: a delete in conflict with an edit is settled either way`() throws {
    let takings = [
      ("delete", false), ("keep", true), ("edit", true), ("mine", false), ("theirs", true),
    ]
    for (word, isKept) in takings {
      let stage = try Stage.pair()
      let id = String(stage.answer("list", "todos").prefix { $0 != " " })
      _ = stage.answer("delete", "Sweep")
      _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Mop")
      stage.meet()
      #expect(
        stage.answer("conflicts") == """
          todo \(id) Mop
            keep or delete  edited   laptop 2  2026-11-20 09:08  shown  daybook resolve \(id) --take keep
                            deleted  laptop    2026-11-20 09:07         daybook resolve \(id) --take delete

          """)
      _ = stage.answer("resolve", id, "--take", word)
      stage.meet()
      #expect(stage.answer("-C", "phone", "list", "todos").contains("Mop") == isKept)
      #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
    }
  }

  @Test func `Undo: a reopened conflict names the author of each value`() throws {
    let (stage, id) = try renamed()
    let before = stage.answer("conflicts")
    let json = stage.answer("conflicts", "--json")
    for device in [[], ["-C", "phone"]] {
      for word in ["mine", "theirs"] {
        let words = device + ["resolve", id, "title", "--take", word]
        #expect(stage.run(words).code == .done)
        #expect(stage.run(device + ["undo"]).code == .done)
        stage.meet()
        #expect(stage.answer("conflicts") == before)
        #expect(stage.answer("conflicts", "--json") == json)
      }
    }
    #expect(
      stage.answer("-C", "phone", "resolve", id, "title", "--take", "laptop").contains("stairs"))
  }

  @Test func `Duplicates: lists with the same name are listed, merged, and separated by undo`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("add", "list", "Home", "--colour", "#ff0000")
    _ = stage.answer("-C", "phone", "add", "list", "home", "--colour", "#00ff00")
    stage.meet()
    let offered = stage.answer("duplicates")
    let words = offered.split(whereSeparator: \.isWhitespace).suffix(3).map(String.init)
    #expect(words.first == "merge" && words.count == 3)
    let told = stage.run(words + ["--keep-both"]).output
    #expect(told.hasPrefix("Joined two into one: list "))
    #expect(told.contains("The two records differ; settle these conflicts:\n"))
    #expect(told.contains("#ff0000") && told.contains("#00ff00"))
    #expect(stage.answer("duplicates") == "No duplicates found.\n")
    stage.meet()
    #expect(stage.answer("-C", "phone", "list", "lists").split(separator: "\n").count == 1)
    #expect(stage.answer("undo").hasPrefix("Undone: separated list "))
    #expect(stage.answer("redo").hasPrefix("Redone: joined two into one: list "))
    #expect(
      stage.run("merge", words[1], "Sweep").error
        == "daybook: a list and a to-do cannot be merged.\n")
    #expect(stage.answer("merge", words[1], words[2]).hasPrefix("Nothing to change"))
  }

  @Test func `Merge: the values of the first record are kept in either order, without conflicts`() {
    for (first, second) in [("Shopping", "Shoping"), ("Shoping", "Shopping")] {
      let stage = Stage()
      for name in ["Shopping", "Shoping"] { _ = stage.answer("add", "list", name) }
      let told = stage.answer("merge", first, second)
      #expect(
        told.contains("the merged record has the values of the first: name, colour.\n"), "\(told)")
      #expect(stage.answer("conflicts") == "No conflicts.\n")
      let named = stage.answer("list", "lists", "--json")
      #expect(named.contains("\"\(first)\"") && !named.contains("\"\(second)\""), "\(named)")
    }
  }

  @Test func `Sync: the report has the changes, the conflicts and the digest`() throws {
    let stage = try Stage.pair()
    let id = String(stage.answer("list", "todos").prefix { $0 != " " })
    _ = stage.answer("edit", id, "--title", "Sweep stairs")
    _ = stage.answer("-C", "phone", "edit", id, "--title", "Sweep floor")
    _ = stage.answer("-C", "phone", "add", "birthday", "Ada", "1815-12-10")
    _ = stage.answer("-C", "phone", "sync", "stick")
    let lines = stage.answer("sync", "stick").split(separator: "\n").map(String.init)
    #expect(
      lines.dropLast() == [
        "Sent 1 event of laptop; received 2 events of laptop 2.",
        "  received from laptop 2: added 1 birthday; changed 1 todo",
        "  sent from laptop: changed 1 todo", "1 new conflict to settle:",
        "todo \(id) Sweep floor",
        "  title  Sweep floor   laptop 2  2026-11-20 09:08  shown  "
          + "daybook resolve \(id) title --take theirs",
        "         Sweep stairs  laptop    2026-11-20 09:07         "
          + "daybook resolve \(id) title --take mine",
      ])
    #expect(try #require(lines.last).hasPrefix("The digest is "))
    #expect(try #require(lines.last).split(separator: "-").count == 6)
    let json = try JSON(
      parsing: Array(stage.answer("-C", "phone", "sync", "stick", "--json").utf8))
    #expect(
      json["came"]?.array?.first?["records"]?.array == [
        .object(
          ("kind", "todo"), ("added", 0), ("changed", 1), ("restored", 0), ("deleted", 0),
          ("merged", 0),
          ("parted", 0))
      ])
    #expect(json["conflicts"]?.array?.count == 1)
    #expect(json["words"]?.string.map { "The digest is \($0)." } == lines.last)
  }

  @Test func `Sync: new conflicts are counted apart from known ones`() throws {
    let (stage, id) = try renamed()
    #expect(stage.answer("status").hasSuffix("conflicts  1, see 'daybook conflicts'\n"))
    _ = stage.answer("edit", id, "--due", "2026-12-01", "--priority", "high")
    _ = stage.answer("-C", "phone", "edit", id, "--due", "2026-12-02", "--priority", "low")
    _ = stage.answer("-C", "phone", "sync", "stick")
    let lines = stage.answer("sync", "stick").split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.contains("to settle") } == ["2 new conflicts to settle:"])
    #expect(
      lines.filter { $0.contains("older") }
        == ["1 older conflict is still open; 'daybook conflicts' lists all conflicts."])
    let status = try JSON(parsing: Array(stage.answer("status", "--json").utf8))
    #expect(status["conflicts"] == 3)
    let synced = try JSON(parsing: Array(stage.answer("sync", "stick", "--json").utf8))
    #expect(status["words"] == synced["words"] && status["digest"] == synced["digest"])
  }

  @Test func `Sync: a record that survives because it was merged with an erased one is named`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Mop")
    stage.meet()
    _ = stage.answer("erase", "Sweep", "--yes")
    _ = stage.answer("-C", "phone", "merge", "Mop", "Sweep")
    _ = stage.answer("sync", "stick")
    let lines = stage.answer("-C", "phone", "sync", "stick").split(separator: "\n")
    let id = String(stage.answer("-C", "phone", "list", "todos").prefix { $0 != " " })
    #expect(
      lines.filter { $0.contains("This record remains") || $0.contains("Mop") } == [
        "A device erased a record without knowing of all the records merged with it. This record remains:",
        "  todo \(id) Mop; 'daybook erase \(id)' also erases it",
      ])
    let json = try JSON(parsing: Array(stage.answer("sync", "stick", "--json").utf8))
    let survivors = try #require(json["survivors"]?.array)
    #expect(survivors.map { [$0["kind"], $0["title"]] } == [["todo", "Mop"]])
    #expect(stage.answer("sync", "stick").contains("lives on") == false)
  }
}
