import Bytes
import Console
import Testing
import Wording

/// Undo on two devices that changed one record concurrently.
struct UndoMeetingTests {
  /// An undo on one device, or a sync of both.
  enum Act: CaseIterable { case here, there, meet }

  private func act(_ act: Act, on stage: Stage) {
    switch act {
    case .here: _ = stage.answer("undo")
    case .there: _ = stage.answer("-C", "phone", "undo")
    case .meet: stage.meet()
    }
  }

  /// Returns the names of the lists and the titles of the to-dos with their lists, on both devices.
  private func shown(_ stage: Stage) throws -> [[String]] {
    try [[], ["-C", "phone"]].map { words in
      func rows(_ kind: String) throws -> [JSON] {
        let answer = stage.run(words + ["list", kind, "--json"]).output
        return try #require(try JSON(parsing: Array(answer.utf8)).array)
      }
      let lists = try rows("lists")
      let todos = try rows("todos").map { todo in
        let list = lists.first { $0["id"] == todo["list"] }
        return "\(todo["title"]?.string ?? "") on \(list?["name"]?.string ?? "none")"
      }
      return lists.compactMap { $0["name"]?.string } + todos.sorted()
    }
  }

  /// A list deleted here while the other device edited a record, after a sync.
  private func deleted(whileEditing words: String...) throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    stage.meet()
    _ = stage.answer("delete", "Home")
    _ = stage.run(["-C", "phone", "edit"] + words)
    stage.meet()
    return stage
  }

  /// The orders of undos and syncs on one or both devices.
  private static let orders: [[Act]] = [
    [.here], [.here, .meet, .there], [.there, .meet, .here], [.here, .there],
  ]

  @Test(arguments: orders)
  func `Concurrent undo: a list with an undone delete stays after any other undo`(
    _ acts: [Act]
  ) throws {
    let stage = try deleted(whileEditing: "Sweep", "--list", "Home")
    for act in acts + [.meet] { self.act(act, on: stage) }
    let sweep = acts.contains(.there) ? "Sweep on none" : "Sweep on Home"
    #expect(try shown(stage) == [["Home", "Mop on Home", sweep], ["Home", "Mop on Home", sweep]])
  }

  @Test(arguments: orders)
  func `Concurrent undo: a list with an undone delete stays when the edit is undone`(
    _ acts: [Act]
  ) throws {
    let stage = try deleted(whileEditing: "Home", "--name", "House")
    for act in acts + [.meet] { self.act(act, on: stage) }
    let name = acts.contains(.there) ? "Home" : "House"
    let shown = [name, "Mop on \(name)", "Sweep on none"]
    #expect(try self.shown(stage) == [shown, shown])
  }

  @Test func `Concurrent undo: undoing a delete settles its conflict with an edit`() throws {
    let stage = try deleted(whileEditing: "Home", "--name", "House")
    #expect(stage.answer("conflicts").contains("delete"))
    #expect(stage.answer("undo").hasPrefix("Undone: restored list "))
    stage.meet()
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
  }

  @Test func `Concurrent undo: a delete that both devices undo is undone and settled`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("delete", "Sweep")
    stage.meet()
    let log = try JSON(parsing: Array(stage.answer("-C", "phone", "log", "--json").utf8))
    let last = try #require(log.array?.first)
    let name = "\(last["device"]?.string ?? "-"):\(last["sequence"]?.integer ?? 0)"
    #expect(stage.answer("undo").hasPrefix("Undone: restored todo "))
    let there = stage.answer("-C", "phone", "undo", "--command", name)
    #expect(there.hasPrefix("Undone: restored todo "))
    stage.meet()
    #expect(try shown(stage) == [["Sweep on none"], ["Sweep on none"]])
    for book in [[], ["-C", "phone"]] {
      #expect(stage.run(book + ["conflicts"]).output == "No conflicts.\n")
    }
    // A redo on one device reverts only its own undo; the undo of the other device stays.
    let redone = stage.answer("redo")
    #expect(
      redone.hasSuffix(" unchanged, because another change also keeps the record.\n"), "\(redone)")
    stage.meet()
    #expect(try shown(stage) == [["Sweep on none"], ["Sweep on none"]])
  }

  @Test func `Concurrent undo: a merge that both devices made ends once both undo it`() throws {
    let stage = try Stage.pair()
    for _ in 1...2 { _ = stage.answer("add", "birthday", "Bob") }
    stage.meet()
    let ids = stage.answer("list", "birthdays").split(separator: "\n").map {
      $0.prefix { $0 != " " }
    }
    _ = stage.answer("merge", String(ids[0]), String(ids[1]))
    _ = stage.answer("-C", "phone", "merge", String(ids[0]), String(ids[1]))
    stage.meet()
    let undone = stage.answer("undo")
    #expect(undone.hasPrefix("Undone: removed one of the merges of birthday "))
    #expect(undone.hasSuffix(" Bob, which another merge still keeps together.\n"))
    stage.meet()
    #expect(stage.answer("-C", "phone", "undo").hasPrefix("Undone: separated birthday "))
    stage.meet()
    #expect(stage.answer("list", "birthdays").split(separator: "\n").count == 2)
  }

  @Test func `Concurrent undo: undoing a merge names a record deleted elsewhere`() throws {
    let stage = try Stage.pair()
    for name in ["Attic", "Loft"] { _ = stage.answer("add", "list", name, "--colour", "teal") }
    stage.meet()
    _ = stage.answer("merge", "Attic", "Loft", "--keep-both")
    _ = stage.answer("-C", "phone", "delete", "Attic")
    stage.meet()
    let told = stage.answer("undo")
    #expect(told.hasPrefix("Undone: separated list ") && told.hasSuffix(" Attic is deleted.\n"))
    #expect(!stage.answer("list", "lists").contains("Attic"))
  }

  @Test func `Concurrent undo: undoing a settlement reopens the conflict on both devices`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--title", "Wipe")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Dust")
    stage.meet()
    let books = [[], ["-C", "phone"]]
    let conflicts = books.map { stage.run($0 + ["conflicts"]) }
    let settled = stage.answer("resolve", "Dust", "--take", "mine")
    let id = String(
      try #require(settled.split(separator: " ").last { $0.hasSuffix(":") }).dropLast())
    #expect(settled == "Settled title of todo \(id): Wipe.\n")
    stage.meet()
    #expect(
      stage.answer("undo") == """
        Undone: edited todo \(id) Dust: title Dust.
        The title of todo \(id) is in conflict again: it could also be Wipe. 'daybook conflicts' shows \
        how to settle the conflict.

        """)
    stage.meet()
    #expect(conflicts[0].output.contains("daybook resolve \(id) title --take mine"))
    #expect(conflicts[0].output.contains("daybook resolve \(id) title --take theirs"))
    #expect(books.map { stage.run($0 + ["conflicts"]) } == conflicts)
    #expect(
      stage.answer("-C", "phone", "resolve", "Dust", "--take", "Wipe")
        == "Settled title of todo \(id): Wipe.\n")
    stage.meet()
    #expect(stage.answer("conflicts") == "No conflicts.\n")
  }

  @Test func `Concurrent undo: a restored value keeps its author in why and blame`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("edit", "Mop", "--note", "a")
    _ = stage.answer("-C", "phone", "edit", "Mop", "--note", "b")
    stage.meet()
    _ = stage.answer("-C", "phone", "resolve", "Mop", "note", "--take", "a")
    _ = stage.answer("-C", "phone", "undo")
    let why = stage.answer("-C", "phone", "why", "Mop.note")
    #expect(why.contains("  a: edited by laptop at "))
    #expect(why.contains("  b: edited by laptop 2 at "))
    let blame = stage.answer("-C", "phone", "blame", "Mop").split(separator: "\n")
    let other = try #require(blame.first { $0.hasPrefix("    or") })
    #expect(other.contains(" a ") && other.contains(" laptop:"))
  }

  @Test func `Concurrent undo: redoing a settlement settles the conflict again`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--title", "Wipe")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Dust")
    stage.meet()
    _ = stage.answer("resolve", "Dust", "--take", "theirs")
    // The value that is shown does not change.
    _ = stage.answer("undo")
    #expect(stage.answer("conflicts").contains("Wipe"))
    #expect(stage.answer("redo").hasPrefix("Redone: edited todo "))
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    stage.meet()
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
  }

  @Test func `Concurrent undo: JSON has the values of a reopened conflict`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--title", "Wipe")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Dust")
    stage.meet()
    _ = stage.answer("resolve", "Dust", "--take", "mine")
    let undone = try JSON(parsing: Array(stage.answer("undo", "--json").utf8))
    let change = try #require(undone.array?.first)
    #expect(change.members?.map(\.name) == ["verb", "record", "reopened"])
    #expect(
      change["reopened"]
        == .array([
          .object(("field", .string("title")), ("others", .array([.string("Wipe")])))
        ]))
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8))
    let last = try #require(log.array?.first)
    #expect(last["fields"] == .object(("title", .string("Dust"))))
    #expect(last["alternatives"] == .object(("title", .array([.string("Wipe")]))))
    let redone = try JSON(parsing: Array(stage.answer("redo", "--json").utf8))
    #expect(redone.array?.first?.members?.map(\.name) == ["verb", "record"])
  }

  @Test(arguments: [[], ["--json"]])
  func `Concurrent undo: undoing a settlement of a record deleted elsewhere reopens nothing`(
    _ form: [String]
  ) throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--title", "Wipe")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Dust")
    stage.meet()
    let settled = stage.answer("resolve", "Dust", "--take", "Dust")
    let id = String(
      try #require(settled.split(separator: " ").last { $0.hasSuffix(":") }).dropLast())
    _ = stage.answer("-C", "phone", "delete", "Dust")
    stage.meet()
    let undone = stage.run(["undo"] + form)
    if form.isEmpty {
      #expect(
        undone.output == """
          Undone: edited todo \(id) Dust: title Dust.
          Undone: deleted todo \(id) Dust.

          """)
    } else {
      #expect(!undone.output.contains("reopened"))
    }
    #expect(stage.answer("conflicts") == "No conflicts.\n")
  }

  @Test func `Concurrent undo: undoing a settlement between two lists reopens the conflict`() throws
  {
    let stage = try Stage.pair()
    for list in ["Work", "Home"] { _ = stage.answer("add", "list", list) }
    stage.meet()
    _ = stage.answer("move", "Sweep", "--to", "Work")
    _ = stage.answer("-C", "phone", "move", "Sweep", "--to", "Home")
    stage.meet()
    let books = [[], ["-C", "phone"]]
    let conflicts = books.map { stage.run($0 + ["conflicts"]) }
    #expect(conflicts[0].output.contains("Work"))
    #expect(stage.answer("resolve", "Sweep", "--take", "mine").hasPrefix("Settled list of todo "))
    #expect(stage.answer("undo").contains(" is in conflict again: it could also be Work."))
    stage.meet()
    #expect(books.map { stage.run($0 + ["conflicts"]) } == conflicts)
  }

  @Test(arguments: ["keep", "delete"])
  func `Concurrent undo: undoing a settlement reopens a conflict of a delete with an edit`(
    _ word: String
  ) throws {
    let stage = try deleted(whileEditing: "Home", "--name", "House")
    let before = stage.answer("conflicts")
    let settled = stage.answer("resolve", "House", "--take", word)
    let id = settled.split(separator: " ")[2]
    stage.meet()
    let undone = stage.answer("undo")
    #expect(
      undone.hasSuffix(
        "The list \(id) is in conflict again, because one device deleted it while another edited it. "
          + "'daybook conflicts' shows how to settle the conflict.\n"))
    #expect(
      undone.hasPrefix(word == "delete" ? "Undone: restored list \(id) House.\n" : "The list "))
    stage.meet()
    for book in [[], ["-C", "phone"]] {
      #expect(stage.run(book + ["conflicts"]).output.contains("--take delete"))
    }
    #expect(before.contains("--take delete"))
    _ = stage.answer("redo")
    stage.meet()
    for book in [[], ["-C", "phone"]] {
      #expect(stage.run(book + ["conflicts"]).output == "No conflicts.\n")
    }
    #expect(try shown(stage)[0].contains("House") == (word == "keep"))
  }

  @Test func `Concurrent undo: tags that change are not reported as left unchanged`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--tag", "a,b")
    stage.meet()
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--untag", "a", "--tag", "c")
    _ = stage.answer("edit", "Sweep", "--tags", "x")
    stage.meet()
    let undone = stage.answer("undo")
    #expect(undone.split(separator: "\n").count == 1)
    #expect(undone.hasSuffix(" Sweep: tags b, c.\n"))
  }

  @Test func `Why: a value that an undo brought back was written by its first author`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--title", "Wipe")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Dust")
    stage.meet()
    _ = stage.answer("resolve", "Dust", "--take", "mine")
    _ = stage.answer("undo")
    let settled = stage.answer("resolve", "Dust", "title", "--value", "Mop")
    #expect(settled.hasSuffix("Mop.\n"))
    let lines = stage.answer("why", "Mop.title").split(separator: "\n")
    #expect(lines.count { $0.contains("It replaced Wipe, written by laptop at") } == 1)
    #expect(lines.count { $0.contains("It replaced Dust, written by laptop 2 at") } == 1)
  }

  @Test func `Undo: a date that another device moved, too, is not called open again`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Bins", "--repeat", "weekly", "--due", "2026-11-27")
    stage.meet()
    _ = stage.answer("edit", "Bins", "--this", "--due", "2026-11-28")
    _ = stage.answer("-C", "phone", "edit", "Bins", "--this", "--due", "2026-11-29")
    stage.meet()
    let outcome = stage.run("undo")
    #expect(outcome.code == .done, "\(outcome.error)")
    #expect(!outcome.output.lowercased().contains("open again"), "\(outcome.output)")
    #expect(
      outcome.output.contains("this date keeps the changes by other devices"),
      "\(outcome.output)")
  }
}
