import Bytes
import Phrasing
import Platform
import Testing

@testable import Console

/// The history of a small book with two devices.
struct PastTests {
  /// Creates a to-do with different due dates from two synced devices.
  private func pair() throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(Path("/home/ada/stick"))
    _ = stage.answer("add", "todo", "Eggos", "--list", "Home", "--because", "guests")
    _ = stage.answer("edit", "eggos", "--due", "2026-12-20")
    _ = stage.answer("sync", "stick")
    _ = stage.answer("-C", "phone", "join", "stick")
    _ = stage.answer("sync", "stick", "--admit")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("-C", "phone", "edit", "eggos", "--due", "2026-12-24", "--priority", "high")
    _ = stage.answer("edit", "eggos", "--due", "2026-12-22", "--because", "they come\nearlier")
    _ = stage.answer("-C", "phone", "sync", "stick")
    _ = stage.answer("sync", "stick")
    return stage
  }

  /// Returns the text with ID for each short id, and WORDS for key words.
  private func plain(_ text: String) -> String {
    text.replacing(/\([a-z]{5}(-[a-z]{5}){5}\)/, with: "(WORDS)").replacing(
      /\b(todo|list) (?!is )[a-z2-9]{2,4}\b/
    ) { "\($0.output.1) ID" }
    .replacing(
      /^(\d{4}-\d\d-\d\d \d\d:\d\d)  (laptop 2:\d+|laptop:\d+)( +)[a-z2-9]{2,4}( +)/
        .anchorsMatchLineEndings()
    ) {
      "\($0.output.1)  \($0.output.2)\($0.output.3)ID\($0.output.4)"
    }
  }

  /// Returns the lines in an order that does not depend on ids.
  private func lines(_ text: String) -> [String] {
    plain(text).split(separator: "\n").map(String.init).sorted()
  }

  private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test func `Log: an edit shows the value that it replaced, as its author saw it`() throws {
    let stage = try pair()
    _ = stage.answer("edit", "eggos", "--due", "2026-12-23")
    _ = stage.answer("undo")
    #expect(
      plain(stage.answer("log")) == """
        2026-11-20 09:12  laptop:8    ID  undo: edited  todo Eggos: due 2026-12-23 → 2026-12-22 or 2026-12-24
        2026-11-20 09:11  laptop:7    ID  edited        todo Eggos: due 2026-12-22 or 2026-12-24 → 2026-12-23
        2026-11-20 09:08  laptop:6    ID  edited        todo Eggos: due 2026-12-20 → 2026-12-22, because they come ⏎ earlier
        2026-11-20 09:07  laptop 2:2  ID  edited        todo Eggos: priority normal → high, due 2026-12-20 → 2026-12-24
        2026-11-20 09:05  laptop:5        admitted      device laptop 2 (WORDS) from the folder stick
        2026-11-20 09:02  laptop:4    ID  edited        todo Eggos: due none → 2026-12-20
        2026-11-20 09:01  laptop:2    ID  added         todo Eggos: title Eggos, list Home, because guests
        2026-11-20 09:01  laptop:2    ID  added         list Home: name Home, colour #2f6f6a

        """)
  }

  @Test func `Log: events are filtered by field, device and time, optionally reversed`() throws {
    let stage = try pair()
    #expect(
      plain(stage.answer("log", "eggos", "--field", "due", "--reverse")) == """
        2026-11-20 09:02  laptop:4    ID  edited  todo Eggos: due none → 2026-12-20
        2026-11-20 09:07  laptop 2:2  ID  edited  todo Eggos: priority normal → high, due 2026-12-20 → 2026-12-24
        2026-11-20 09:08  laptop:6    ID  edited  todo Eggos: due 2026-12-20 → 2026-12-22, because they come ⏎ earlier

        """)
    #expect(
      plain(stage.answer("log", "--by", "laptop 2")) == """
        2026-11-20 09:07  laptop 2:2  ID  edited  todo Eggos: priority normal → high, due 2026-12-20 → 2026-12-24

        """)
    let since = stage.answer("log", "--by", "laptop", "--since", "2026-11-20T09:05:30Z")
    #expect(!since.isEmpty && since == stage.answer("log", "--since", "2026-11-20T09:08:00Z"))
    #expect(stage.answer("log", "--until", "2026-11-20T09:00:59Z") == "")
    #expect(stage.answer("log", "--field", "firstName") == "")
    let unknown = stage.run("log", "--by", "tablet")
    #expect(unknown.code == .refused)
    let misspelt = stage.run("log", "eggos", "--field", "dui")
    #expect(misspelt.error == "daybook: the field cannot be 'dui'. Did you mean 'due'?\n")
    #expect(stage.run("log", "eggos", "--field", "weight").code == .refused)
  }

  @Test func `Why: the author of each current value is shown`() throws {
    let stage = try pair()
    #expect(
      plain(stage.answer("why", "eggos.due")) == """
        todo ID Eggos: due is 2026-12-22.
        It is in conflict with 2026-12-24, because the writers had not seen each other's changes.
          2026-12-22: edited by laptop at 2026-11-20 09:08 in command laptop:6.
            because they come ⏎ earlier
            It replaced 2026-12-20, written by laptop at 2026-11-20 09:02.
          2026-12-24: edited by laptop 2 at 2026-11-20 09:07 in command laptop 2:2.
            It replaced 2026-12-20, written by laptop at 2026-11-20 09:02.

        """)
    #expect(
      plain(stage.answer("why", "eggos.list")) == """
        todo ID Eggos: list is Home.
          Home: added by laptop at 2026-11-20 09:01 in command laptop:2.
            because guests
            together with: added list ID Home

        """)
    #expect(
      plain(stage.answer("why", "eggos.createdAt")) == """
        todo ID Eggos: created-at is 2026-11-20 09:01.
          2026-11-20 09:01: added by laptop at 2026-11-20 09:01 in command laptop:2, which implies it.
            because guests
            together with: added list ID Home

        """)
    #expect(
      plain(stage.answer("why", "eggos.done"))
        == "todo ID Eggos: done was never set, which means no.\n")
    for wrong in ["eggos", "eggos.weight", "waffles.due"] {
      #expect(stage.run("why", wrong).code == .refused)
    }
  }

  @Test func `Why: JSON names every write and what it replaced`() throws {
    let stage = try pair()
    let why = try json(stage.answer("why", "eggos.due", "--json"))
    #expect(
      why.members?.map(\.name) == ["kind", "id", "title", "field", "value", "isConflict", "writes"])
    #expect(why["value"] == "2026-12-22" && why["isConflict"] == true)
    let writes = try #require(why["writes"]?.array)
    #expect(writes.map { $0["value"] } == ["2026-12-22", "2026-12-24"])
    #expect(writes.map { $0["device"] } == ["laptop", "laptop 2"])
    #expect(writes.map { $0["because"] } == ["they come\nearlier", .null])
    let old: JSON = .object(
      ("value", "2026-12-20"), ("device", "laptop"), ("time", "2026-11-20T09:02:00Z"))
    #expect(writes.map { $0["replaced"] } == [.array([old]), .array([old])])
    let never = try json(stage.answer("why", "eggos.note", "--json"))
    #expect(never["value"] == .null && never["writes"] == .array([]))
  }

  @Test func `Blame: every field shows its author`() throws {
    let stage = try pair()
    #expect(
      plain(stage.answer("blame", "eggos")) == """
        todo ID Eggos
          title       Eggos             laptop:2    2026-11-20 09:01  added, because guests
          list        Home              laptop:2    2026-11-20 09:01  added, because guests
          priority    high              laptop 2:2  2026-11-20 09:07  edited
          created-at  2026-11-20 09:01  laptop:2    2026-11-20 09:01  added, because guests
          due         2026-12-22        laptop:6    2026-11-20 09:08  edited, because they come ⏎ earlier
            or        2026-12-24        laptop 2:2  2026-11-20 09:07  edited

        """)
    let blame = try json(stage.answer("blame", "eggos", "--json"))
    #expect(
      blame.array?.map { $0["field"] } == ["title", "list", "priority", "createdAt", "due"])
    _ = stage.answer("delete", "eggos")
    #expect(plain(stage.answer("blame", "eggos")).hasPrefix("todo ID Eggos (deleted)\n"))
  }

  @Test func `Diff: added, deleted and changed records are shown`() throws {
    let stage = try pair()
    _ = stage.answer("add", "todo", "Waffles", "--list", "Home")
    _ = stage.answer("delete", "waffles")
    _ = stage.answer("delete", "home")
    #expect(
      lines(stage.answer("diff", "2026-11-20", "2026-11-20T09:02:30Z")) == [
        "Added: list ID Home.", "Added: todo ID Eggos.",
      ])
    #expect(
      lines(stage.answer("diff", "2026-11-20T09:02:30Z", "2026-11-20T09:11:30Z")) == [
        "Added: todo ID Waffles.",
        "Changed: todo ID Eggos: priority normal → high, due 2026-12-20 → 2026-12-22 or 2026-12-24.",
      ])
    #expect(
      lines(stage.answer("diff", "2026-11-20T09:11:30Z")) == [
        "Removed: list ID Home, deleted.",
        "Removed: todo ID Eggos, hidden with its list.",
        "Removed: todo ID Waffles, deleted.",
      ])
    #expect(
      lines(stage.answer("diff", "2026-11-20T09:11:30Z", "2026-11-20 00:00")) == [
        "Removed: list ID Home, which did not exist yet.",
        "Removed: todo ID Eggos, which did not exist yet.",
        "Removed: todo ID Waffles, which did not exist yet.",
      ])
    #expect(stage.answer("diff", "2026-11-21", "2026-11-22") == "No differences.\n")
    let difference = try json(
      stage.answer("diff", "2026-11-20T09:02:30Z", "2026-11-20T09:08:30Z", "--json"))
    let fields: JSON = .object(
      ("priority", .object(("from", .array(["normal"])), ("to", .array(["high"])))),
      (
        "due",
        .object(("from", .array(["2026-12-20"])), ("to", .array(["2026-12-22", "2026-12-24"])))
      ))
    #expect(difference["changed"]?.array?.first?["fields"] == fields)
    #expect(difference["came"] == .array([]) && difference["went"] == .array([]))
    let gone = try json(stage.answer("diff", "2026-11-20T09:11:30Z", "--json"))
    let went = try #require(gone["went"]?.array)
    #expect(Set(went.map { $0["reason"]?.string }) == ["deleted", "hidden"])
  }

  @Test func `Past: every reading command shows the state at that time`() throws {
    let stage = try pair()
    let then = "2026-11-20T09:02:30Z"
    #expect(stage.answer("at", then, "log") == stage.answer("log", "--until", then))
    #expect(stage.answer("show", "eggos", "--at", then).contains("due         2026-12-20"))
    #expect(
      stage.answer("show", "eggos", "--at", then) == stage.answer("at", then, "show", "eggos"))
    #expect(stage.answer("at", then, "why", "eggos.due").contains("due is 2026-12-20."))
    #expect(!stage.answer("at", then, "blame", "eggos").contains("priority"))
    #expect(stage.answer("at", then, "status").contains("events  3 about records\n"))
    #expect(stage.run("at", "2026-11-19", "blame", "eggos").code == .refused)
    #expect(stage.run("at", then, "show", "eggos", "--at", then).code == .usage)
    let present = stage.run("at", then, "where")
    #expect(
      present.code == .usage && present.error.contains("shows the present. 'daybook help at'"))
    let listed = try #require(Help(CommandCatalog.table).lines(about: ["at"]).last)
    for verb in CommandCatalog.all where verb.reading == .past {
      #expect(listed.contains(verb.path))
    }
  }

  @Test func `Status: past and present count the same events about records`() throws {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "list", "Work")
    let words = try #require(try json(stage.answer("status", "--json"))["words"]?.string)
    let book = "/home/ada/.local/share/daybook/default"
    #expect(
      stage.answer("status") == """
        book     \(book)
        events   3, 2 of them about records
        digest   \(words)
        devices  1
        lists    2

        """)
    #expect(
      stage.answer("at", "2100-01-01", "status") == """
        book    \(book)
        events  2 about records
        digest  \(words)
        lists   2

        """)
  }

  @Test func `Reason: erasing a record erases the reasons of its commands`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Eggos", "--list", "Home", "--because", "secret guests")
    _ = stage.answer("done", "eggos", "--because", "secret feast")
    #expect(stage.answer("log").contains("because secret feast"))
    _ = stage.answer("erase", "eggos", "--yes")
    #expect(!stage.answer("log").contains("secret"))
    #expect(!stage.answer("log", "--json").contains("secret"))
    #expect(stage.answer("log").contains("list Home"))
  }

  @Test func `Reason: every command that writes a record accepts one`() throws {
    let stage = Stage()
    _ = stage.answer("add", "question", "Lunch?", "Soup:1", "--because", "hungry")
    _ = stage.answer("edit", "lunch", "--note", "soon", "--because", "late")
    _ = stage.answer("pick", "lunch", "--because", "undecided")
    _ = stage.answer("delete", "lunch", "--because", "eaten")
    _ = stage.answer("restore", "lunch", "--because", "again")
    _ = stage.answer("add", "todo", "Sweep")
    #expect(stage.answer("done", "sweep", "--because", "rain").hasPrefix("Done: todo "))
    let undone = stage.answer("undo", "--because", "sun")
    #expect(undone.hasPrefix("Undone: open again: todo ") && !undone.contains("Left"))
    _ = stage.answer("redo", "--because", "wind")
    let log = try json(stage.answer("log", "--json"))
    let reasons = try #require(log.array).map { $0["because"] }
    #expect(
      reasons == [
        "wind", "sun", "rain", .null, "again", "eaten", "undecided", "late", "hungry", "hungry",
      ])
  }
}
