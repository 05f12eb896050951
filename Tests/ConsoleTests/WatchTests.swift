import Bytes
import Console
import Daybook
import Domain
import Foundation
import Phrasing
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
import Testing

struct WatchTests {
  /// Runs `watch` while another session makes one change, then stops.
  private static func watch(
    _ words: [String], on stage: Stage, while act: @escaping @Sendable (Book) throws -> Void
  ) -> Stage.Outcome {
    let calls = Atomic(0)
    return stage.run(["watch", "list"] + words) {
      let call = calls.add(1, ordering: .relaxed).newValue
      if call == 1 {
        do {
          let folder = Path("/home/ada/.local/share/daybook/default")
          try act(try Book(at: folder, on: stage.machine.machine, view: .memory))
        } catch {
          Issue.record(error)
        }
      }
      return call > 2
    }
  }

  /// Returns the lines of an answer without ids.
  private static func lines(_ outcome: Stage.Outcome) -> [String] {
    outcome.output.split(separator: "\n").map { line in
      let parts = line.components(separatedBy: "  ")
      let isOfRow = parts.count > 1 && !parts[0].contains("section")
      return (isOfRow ? [parts[0]] + parts.dropFirst(2) : parts).joined(separator: "  ")
    }
  }

  private static func add(_ title: String, to list: Request.ListChoice, _ book: Book) throws {
    _ = try book.commands.perform(.addTodo(title: title, list: list, priority: nil, due: nil))
  }

  @Test func `Watch: the initial list and each change are printed step by step`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "milk", "--list", "Home")
    _ = stage.answer("add", "todo", "bread", "--list", "Home")
    let outcome = Self.watch(["todos", "--sections", "list", "--sort", "title"], on: stage) {
      let milk = try $0.finder.find("milk")
      try Self.add("tidy up", to: .new(name: "Attic"), $0)
      _ = try $0.commands.perform(
        .edit(milk.id, [.init(Field.Todo.title, .value(.text("all milk")))]))
      _ = try $0.commands.perform(.delete([try $0.finder.find("bread").id]))
    }
    #expect(outcome.code == .done, "\(outcome.error)")
    #expect(
      Self.lines(outcome) == [
        "begin: 0 rows in 0 sections", "insert section 0  Home",
        "insert 0.0  [ ]  bread  Home", "insert 0.1  [ ]  milk  Home",
        "end: 2 rows in 1 section",
        "begin: 2 rows in 1 section", "delete 0.0", "insert section 0  Attic",
        "insert 0.0  [ ]  tidy up  Attic", "update 0.1 to 1.0  [ ]  all milk  Home",
        "end: 2 rows in 2 sections",
      ])
  }

  @Test func `Watch: with --json, each step is an object on its own line`() throws {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home", "--colour", "#ff0000")
    let outcome = Self.watch(["lists", "--json"], on: stage) {
      try Self.add("milk", to: .existing(try $0.finder.find("Home").id), $0)
    }
    let steps = try outcome.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    let names = steps.map { $0["step"]?.string ?? "" }
    #expect(names == ["begin", "insert", "end", "begin", "update", "end"])
    let place: JSON = .object(("section", 0), ("row", 0))
    let id = try #require(steps[1]["record"]?["id"])
    let updated: JSON = .object(
      ("step", "update"), ("from", place), ("to", place),
      (
        "record",
        .object(
          ("id", id), ("name", "Home"), ("colour", "#ff0000"), ("todos", 1), ("openTodos", 1),
          ("note", .null), ("tags", .array([])))
      ))
    #expect(steps[4] == updated)
    #expect(steps[5] == .object(("step", "end"), ("sections", 1), ("rows", 1)))
  }

  @Test func `Watch: with --json, a to-do has the values that it has in a list`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Trip", "--list", "Travel", "--start", "2026-12-01")
    _ = stage.answer(
      "add", "todo", "Photo", "--under", "trip", "--due", "fri 17:00", "--due-zone",
      "Asia/Kolkata", "--remind", "1d")
    _ = stage.answer("add", "todo", "Bins", "--repeat", "weekly", "--tag", "out")
    _ = stage.answer("add", "todo", "Old", "--start", "2026-12-01", "--tag", "a")
    _ = stage.answer("done", "old")
    let outcome = Self.watch(["todos", "--sort", "title", "--json"], on: stage) { _ in }
    let watched = try outcome.output.split(separator: "\n")
      .compactMap { try JSON(parsing: Array($0.utf8))["record"] }
    let listed = try #require(
      try JSON(
        parsing: Array(stage.answer("list", "todos", "--all", "--sort", "title", "--json").utf8)
      ).array)
    #expect(watched.map { $0["title"] } == ["Bins", "Old", "Photo", "Trip"])
    #expect(watched.map { $0["hidden"] } == [false, false, false, true])
    #expect(watched.map { $0["dueAt"] } == [.null, .null, "2026-11-27T11:30:00Z", .null])
    // A row has no imported values and no conflicts.
    let absent = ["uid", "extra", "conflicts"]
    let names = try #require(listed[0].members).map(\.name).filter { !absent.contains($0) }
    for name in names where name != "tags" {
      #expect(watched.map { $0[name] } == listed.map { $0[name] }, "\(name)")
    }
  }

  @Test func `Watch: every kind can be watched`() throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Noodles:3")
    _ = stage.answer("add", "birthday", "Ada Lovelace", "1815-12-10")
    let outcomes = [
      ["birthdays", "--sections", "month", "--sort", "date"], ["questions"], ["choices", "lunch"],
      ["picks", "lunch"],
    ].map { words in
      Self.lines(
        Self.watch(words, on: stage) {
          if words[0] == "picks" {
            _ = try $0.commands.perform(.pick(try $0.finder.find("lunch").id))
          }
        })
    }
    #expect(outcomes[0][1] == "insert section 0  12")
    #expect(outcomes[0][2].hasPrefix("insert 0.0  Ada Lovelace  1815-12-10"))
    #expect(outcomes[1][1] == "insert 0  Lunch?  1 choice")
    #expect(outcomes[2][1] == "insert 0  Noodles  weight 3")
    #expect(outcomes[3].count == 5)
    #expect(outcomes[3][3].hasPrefix("insert 0  Noodles  "))
  }

  @Test func `Watch: filters and sorting work as in list`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "late", "--due", "2026-11-01", "--priority", "high")
    _ = stage.answer("add", "todo", "later", "--due", "2026-12-01")
    let options = ["--due", "any", "--open", "--sort", "due"]
    let outcome = Self.watch(["todos"] + options, on: stage) {
      try Self.add("never", to: .none, $0)
      _ = try $0.commands.perform(.setDone([try $0.finder.find("late").id], true))
    }
    #expect(outcome.code == .done, "\(outcome.error)")
    #expect(
      Self.lines(outcome).filter { !$0.hasPrefix("begin") && !$0.hasPrefix("end") } == [
        "insert 0  [ ]  !!!  late  due Sun 2026-11-01 (19 days ago)",
        "insert 1  [ ]  later  due Tue 2026-12-01 (in 11 days)", "delete 0",
      ])
  }

  @Test func `Watch: invalid arguments are refused`() {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    let wrong: [([String], ExitCode)] = [
      (["things"], .refused), (["lists", "--open"], .usage), (["lists", "--tag", "x"], .usage),
      (["choices"], .usage),
      (["birthdays", "--sort", "priority"], .refused), (["todos", "Home"], .usage),
      (["todos", "--sections", "colour"], .refused), (["lists", "--list", "Home"], .usage),
    ]
    for (words, code) in wrong {
      let outcome = stage.run(["watch", "list"] + words) { true }
      #expect(outcome.code == code, "\(words): \(outcome.output) \(outcome.error)")
      #expect(outcome.output == "", "\(words)")
    }
  }
}
