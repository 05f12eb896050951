import Bytes
import Phrasing
import Testing

/// Sub-tasks: adding, listing, and changing them with their parents.
struct SubtaskTests {
  /// Creates a machine with the to-dos Trip, Passport below it, Photo below that, and Bins.
  private func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Trip", "--list", "Travel")
    _ = stage.answer("add", "todo", "Passport", "--under", "trip")
    _ = stage.answer("add", "todo", "Bins")
    _ = stage.answer("add", "todo", "Photo", "--under", "passport")
    return stage
  }

  private func json(_ stage: Stage, _ words: String) throws -> JSON {
    try JSON(parsing: Array(stage.answer("show", words, "--json").utf8))
  }

  private func states(_ stage: Stage) throws -> [String] {
    let answer = stage.answer("list", "todos", "--all", "--sort", "creation", "--json")
    return try #require(try JSON(parsing: Array(answer.utf8)).array).map { todo in
      let mark = todo["done"] == true ? "x" : todo["cancelled"] == true ? "-" : " "
      return "\(mark) \(todo["title"]?.string ?? "")"
    }
  }

  @Test func `Under: a sub-task is on the list of its parent unless a list is named`() throws {
    let stage = stage()
    _ = stage.answer("add", "todo", "Visa", "--under", "trip", "--list", "Office")
    #expect(try json(stage, "photo")["parent"] == json(stage, "passport")["id"])
    #expect(try json(stage, "photo")["list"] == json(stage, "trip")["list"])
    #expect(try json(stage, "visa")["list"] == json(stage, "Office")["id"])
  }

  @Test func `Under: edit moves a to-do below another one, and none to the top`() throws {
    let stage = stage()
    #expect(stage.answer("edit", "bins", "--under", "trip").hasSuffix(" Bins: under Trip.\n"))
    #expect(try json(stage, "bins")["parent"] == json(stage, "trip")["id"])
    for clearing in ["none", ""] {
      _ = stage.answer("edit", "bins", "--under", "trip")
      #expect(
        stage.answer("edit", "bins", "--under", clearing).hasSuffix(" Bins: under none.\n"))
      #expect(try json(stage, "bins")["parent"] == .null)
    }
  }

  @Test func `Under: a cycle is refused`() {
    let stage = stage()
    let own = stage.run("edit", "trip", "--under", "trip")
    #expect(own.code == .refused)
    #expect(own.error.contains("a to-do cannot be a sub-task of itself."))
    let below = stage.run("edit", "trip", "--under", "photo")
    #expect(below.code == .refused)
    #expect(below.error.contains("a to-do cannot be a sub-task of its own sub-task."))
  }

  @Test func `List: sub-tasks follow their parents, indented by two columns for each level`() {
    let stage = stage()
    let lines = stage.answer("list", "todos", "--list", "Travel").split(separator: "\n")
    let columns = lines.map { line in
      line.firstRange(of: /Trip|Passport|Photo/).map {
        line.distance(from: line.startIndex, to: $0.lowerBound)
      } ?? -1
    }
    #expect(lines.count == 3)
    #expect(columns.map { $0 - columns[0] } == [0, 2, 4])
  }

  @Test func `Show: a to-do lists its sub-tasks and names its parent`() {
    let stage = stage()
    let shown = stage.answer("show", "passport")
    #expect(shown.contains(/under +Trip\n/))
    #expect(shown.contains("  sub-tasks\n"))
    #expect(shown.contains("Photo"))
    #expect(!stage.answer("show", "photo").contains("sub-tasks"))
  }

  @Test func `Done: the open sub-tasks are done with their parent, as one step`() throws {
    let stage = stage()
    #expect(stage.answer("done", "trip").hasSuffix(" Trip and 2 sub-tasks.\n"))
    #expect(try states(stage) == ["x Trip", "x Passport", "  Bins", "x Photo"])
    _ = stage.answer("undo")
    #expect(try states(stage) == ["  Trip", "  Passport", "  Bins", "  Photo"])
    _ = stage.answer("cancel", "photo")
    #expect(stage.answer("done", "trip").hasSuffix(" Trip and 1 sub-task.\n"))
    #expect(try states(stage) == ["x Trip", "x Passport", "  Bins", "- Photo"])
  }

  @Test func `Done: when all sub-tasks are done, the parent stays open`() throws {
    let stage = stage()
    #expect(stage.answer("done", "passport").hasSuffix(" Passport and 1 sub-task.\n"))
    #expect(try states(stage) == ["  Trip", "x Passport", "  Bins", "x Photo"])
  }

  @Test func `Only: sub-tasks stay as they are`() throws {
    let stage = stage()
    #expect(stage.answer("done", "trip", "--only").hasSuffix(" Trip.\n"))
    #expect(try states(stage) == ["x Trip", "  Passport", "  Bins", "  Photo"])
    #expect(stage.answer("cancel", "passport", "--only").hasSuffix(" Passport.\n"))
    #expect(try states(stage) == ["x Trip", "- Passport", "  Bins", "  Photo"])
    #expect(stage.answer("delete", "passport", "--only").hasSuffix(" Passport.\n"))
    #expect(try states(stage) == ["x Trip", "  Bins", "  Photo"])
  }

  @Test func `Cancel and delete: sub-tasks go with their parent`() throws {
    let stage = stage()
    #expect(stage.answer("cancel", "trip").hasSuffix(" Trip and 2 sub-tasks.\n"))
    #expect(try states(stage) == ["- Trip", "- Passport", "  Bins", "- Photo"])
    #expect(stage.answer("delete", "trip").hasSuffix(" Trip and 2 sub-tasks.\n"))
    #expect(try states(stage) == ["  Bins"])
    _ = stage.answer("undo")
    #expect(try states(stage) == ["- Trip", "- Passport", "  Bins", "- Photo"])
  }

  @Test func `Move: sub-tasks move with their parent unless --only is given`() throws {
    let stage = stage()
    _ = stage.answer("add", "list", "Office")
    let moved = stage.answer("move", "trip", "--to", "Office")
    #expect(moved.hasSuffix("Moved 2 sub-tasks to list Office.\n"))
    let office = try json(stage, "Office")["id"]
    for title in ["trip", "passport", "photo"] {
      #expect(try json(stage, title)["list"] == office)
    }
    _ = stage.answer("move", "trip", "--to", "Travel", "--only")
    #expect(try json(stage, "trip")["list"] == json(stage, "Travel")["id"])
    #expect(try json(stage, "photo")["list"] == office)
  }

  @Test func `Filter: the question and the report count the sub-tasks`() throws {
    let stage = stage()
    _ = stage.answer("edit", "trip", "--priority", "high")
    let asked = stage.run("done", "--priority", "high")
    #expect(asked.code == .refused)
    #expect(asked.error.contains("Mark 1 to-do and 2 sub-tasks as done?"))
    let done = stage.answer("done", "--priority", "high", "--yes")
    #expect(done.hasSuffix("Marked 1 to-do and 2 sub-tasks as done.\n"))
    #expect(try states(stage) == ["x Trip", "x Passport", "  Bins", "x Photo"])
  }

  @Test func `Closed parent: its open sub-tasks are at the top level`() {
    let stage = stage()
    _ = stage.answer("done", "trip", "--only")
    let list = stage.answer("list", "todos", "--list", "Travel")
    #expect(list.contains("Passport"))
    #expect(list.contains("Photo"))
    #expect(!list.contains("Trip"))
  }

  @Test(arguments: [["delete", "trip", "--only"], ["edit", "trip", "--start", "2026-12-24"]])
  func `Parent that is not shown: its sub-tasks are at the top level, and keep theirs`(
    words: [String]
  ) {
    let stage = stage()
    #expect(stage.run(words).code == .done)
    let lines = stage.answer("list", "todos", "--list", "Travel").split(separator: "\n")
    let rows = lines.map { $0.replacing(/^[a-z2-9]+ +/) { _ in "" } }
    #expect(rows == ["[ ]  Passport", "[ ]    Photo"])
  }

  @Test func `Series: its sub-tasks at any depth are done for one date, each separately`() throws {
    let stage = Stage.onThursday()
    stage.addBins()
    _ = stage.answer("add", "todo", "Rinse", "--under", "bins")
    _ = stage.answer("add", "todo", "Dry", "--under", "rinse")
    _ = stage.answer("done", "dry")
    #expect(try stage.todos("--done").map { $0["title"] } == ["Dry"])
    _ = stage.answer("undone", "dry")
    #expect(stage.told("done", "rinse") == "Done: todo ID Rinse and 1 sub-task.\n")
    _ = stage.answer("done", "bins")
    #expect(try stage.todos().map { $0["title"] } == ["Bins", "Rinse", "Dry"])
    let past = try stage.todos("--done")
    #expect(past.compactMap { $0["title"]?.string }.sorted() == ["Bins", "Dry", "Rinse"])
    #expect(past.map { $0["slot"] } == ["2026-11-23", "2026-11-23", "2026-11-23"])
  }

  @Test func `Undo: the add of a to-do stays while another device's sub-task depends on it`() throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Trip")
    stage.meet()
    _ = stage.answer("-C", "phone", "add", "todo", "Photo", "--under", "trip")
    stage.meet()
    let undone = stage.run("undo")
    #expect((undone.output + undone.error).contains("Trip"))
    #expect(try states(stage) == ["  Sweep", "  Trip", "  Photo"])
  }

  @Test func `Cycle: devices that form one show the same list`() throws {
    let stage = try Stage.pairOfTodos()
    _ = stage.answer("edit", "sweep", "--under", "mop")
    _ = stage.answer("-C", "phone", "edit", "mop", "--under", "sweep")
    stage.meet()
    let list = stage.answer("list", "todos")
    #expect(list == stage.answer("-C", "phone", "list", "todos"))
    #expect(list.contains("Sweep"))
    #expect(list.contains("Mop"))
  }
}
