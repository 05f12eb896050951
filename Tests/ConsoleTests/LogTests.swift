import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// The events that the log shows, and their number.
struct LogTests {
  private static let count = 105

  private func stage() -> Stage {
    let lines = (1...Self.count).map { number in
      #"{"op": "add", "kind": "birthday", "id": "B\#(number)", "firstName": "Ada \#(number)"}"#
    }
    let stage = Stage(input: lines.joined(separator: "\n") + "\n")
    _ = stage.answer("import", "-")
    return stage
  }

  private func lines(_ outcome: Stage.Outcome) -> [Substring] {
    outcome.output.split(separator: "\n")
  }

  @Test func `Log: the latest hundred events are shown and the rest are counted`() {
    let stage = stage()
    let log = stage.run("log")
    #expect(lines(log).count == 100)
    #expect(lines(log).first?.hasSuffix("birthday Ada 105: first-name Ada 105") ?? false)
    #expect(log.error == "daybook: 5 earlier events are not shown; --all shows them.\n")
  }

  @Test func `Log: --all, --limit and --json control the number of events`() throws {
    let stage = stage()
    let all = stage.run("log", "--all")
    #expect(lines(all).count == Self.count + 1)
    #expect(all.error.isEmpty)
    #expect(lines(all).dropLast().last?.hasSuffix("birthday Ada 1: first-name Ada 1") ?? false)
    // The first event is the beginning of the device's log.
    #expect(lines(all).last?.contains("laptop:1") ?? false)
    let some = stage.run("log", "--limit", "3")
    // The columns are only as wide as the shown rows require.
    let words = { (line: Substring) in line.split(separator: " ") }
    #expect(lines(some).map(words) == lines(all).prefix(3).map(words))
    #expect(some.error.isEmpty)
    let json = try JSON(parsing: Array(stage.answer("log", "--json").utf8))
    #expect(json.array?.count == Self.count)
  }

  @Test func `Log: JSON has the value that an edit replaced, including a default`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("done", "Mop")
    _ = stage.answer("edit", "Mop", "--priority", "high", "--due", "2026-12-24", "--title", "Dust")
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8)).array ?? []
    let nobody = { (value: JSON) in
      JSON.array([.object(("value", value), ("device", .null), ("time", .null))])
    }
    let old = JSON.object(
      ("value", "Mop"), ("device", "laptop"), ("time", "2026-11-20T09:01:00Z"))
    #expect(log.count == 3)
    #expect(log[0]["replaced"]?["priority"] == nobody("normal"))
    #expect(log[0]["replaced"]?["due"] == nobody(.null))
    #expect(log[0]["replaced"]?["title"] == .array([old]))
    #expect(log[1]["replaced"]?["done"] == nobody(false))
    #expect(log[2]["replaced"] == .object([]))
    let why = try JSON(parsing: Array(stage.answer("why", "Dust.due", "--json").utf8))
    #expect(why["writes"]?.array?.map { $0["replaced"] } == [nobody(.null)])
  }

  @Test func `Log and why: a time replaces the one that adding or doing the to-do implied`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("done", "Mop")
    _ = stage.answer(
      "edit", "Mop", "--completed-at", "2026-11-19 10:00", "--created-at", "2026-11-18 08:00")
    let log = stage.answer("log", "--limit", "1")
    #expect(log.contains("completed-at 2026-11-20 09:02 → 2026-11-19 10:00"), "\(log)")
    #expect(log.contains("created-at 2026-11-20 09:01 → 2026-11-18 08:00"), "\(log)")
    let why = stage.answer("why", "Mop.completed-at")
    #expect(why.contains("It replaced 2026-11-20 09:02, written by laptop"), "\(why)")
    #expect(!why.contains("had not been set before"))
  }

  /// Returns the lines without times, random ids and key words.
  private func plain(_ log: String) -> [String] {
    log.split(separator: "\n").map { line in
      String(line.dropFirst(18)).replacing(#/\([a-z-]{35}\)/#, with: "(WORDS)")
        .replacing(#/ +/#, with: " ")
    }
  }

  @Test func `Log: --all also shows the events that begin logs and erase records`() throws {
    let stage = try Stage.pair()
    let id = String(stage.answer("list", "todos").prefix { $0 != " " })
    _ = stage.answer("-C", "phone", "erase", id, "--yes")
    stage.meet()
    #expect(
      plain(stage.answer("log", "--all")) == [
        "laptop 2:2 erased the record that laptop:2 added",
        "laptop:3 admitted device laptop 2 (WORDS) from the folder stick",
        "laptop 2:1 began the log of device laptop 2 (WORDS)", "laptop:2 erased",
        "laptop:1 began the log of device laptop (WORDS)",
      ])
    #expect(!stage.answer("log").contains("began"))
    #expect(stage.answer("log").contains("erased    the record that laptop:2 added"))
    #expect(
      plain(stage.answer("log", "--all", "--by", "laptop 2")) == [
        "laptop 2:2 erased the record that laptop:2 added",
        "laptop 2:1 began the log of device laptop 2 (WORDS)",
      ])
    let json = try JSON(parsing: Array(stage.answer("log", "--all", "--json").utf8)).array ?? []
    #expect(
      json.map { $0["verb"] } == ["erase", "admit", "open", "erased", "open"])
    let members = json.map { $0.members?.map(\.name) }
    #expect(Set(members).count == 1)
    #expect(json.first?["fields"] == .object(("added", "laptop:2")))
    #expect(json.first?["kind"] == .null)
  }

  @Test func `Log: events under an old key have the name that devices shows`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "list", "Work")
    _ = stage.answer("device", "rekey", "--yes")
    _ = stage.answer("device", "rename", "desk")
    // `undo --command` accepts the name that the log shows.
    let named = stage.answer("log").split(separator: "\n").first { $0.contains("list Work") }
    let command = try #require(named?.split(separator: "  ").dropFirst().first)
    #expect(stage.answer("undo", "--command", String(command)).hasPrefix("Undone: deleted list "))
    for list in ["Home", "Work"] { _ = stage.answer("erase", list, "--yes") }
    #expect(
      plain(stage.answer("log", "--all")).sorted() == [
        "desk:1 began the log of device laptop (WORDS)",
        "desk:2 left a log of device laptop (old key) (WORDS)",
        "desk:3 named device desk (WORDS)", "desk:4 undo: erased",
        "desk:5 erased the record that laptop (old key):2 added",
        "desk:6 erased the record that laptop (old key):3 added",
        "laptop (old key):1 began the log of device laptop (WORDS)", "laptop (old key):2 erased",
        "laptop (old key):3 erased",
        "laptop (old key):4 admitted device laptop (WORDS) as its new key",
      ])
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8)).array ?? []
    let left = log.first { $0["verb"] == "retire" }?["fields"]?["fingerprint"]
    #expect(try left == stage.devices().first { $0["isOldKey"] == true }?["fingerprint"])
  }

  @Test func `Log: a referenced record is named even beyond the limit`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep", "--list", "Home")
    _ = stage.answer("add", "todo", "Mop", "--list", "Home")
    _ = stage.answer("delete", "Mop")
    let deleted = stage.answer("log", "--limit", "1")
    #expect(deleted.hasSuffix("deleted  todo Mop\n"))
    #expect(stage.answer("log", "--limit", "2").contains("list Home"))
  }

  @Test func `Log: both of two separated lists are named, even in the log of one of them`() throws {
    let stage = Stage()
    for name in ["Home", "House"] { _ = stage.answer("add", "list", name) }
    _ = stage.answer("merge", "Home", "House", "--keep-both")
    _ = stage.answer("undo")
    let columns = { (line: Substring) in
      line.split(separator: " ").dropFirst(4).joined(separator: " ")
    }
    let whole = stage.run("log")
    #expect(columns(lines(whole)[0]) == "undo: separated list Home and list House")
    #expect(lines(stage.run("log", "House"))[0].hasSuffix(" list Home and list House"))
    _ = stage.answer("redo")
    let again = lines(stage.run("log")).prefix(2).joined()
    #expect(again.contains("redo: joined     list "))
    #expect(!again.contains("unknown record"))
  }

  @Test func `Log: a reversed time span is refused, and so is a future one`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    let reversed = stage.run("log", "--since", "2026-11-20", "--until", "2026-11-01")
    #expect(reversed.code == .refused && reversed.error.contains("--since"), "\(reversed)")
    let late = stage.run("log", "--since", "3d")
    #expect(late.code == .refused)
    #expect(late.error.contains("the time now is 2026-11-20 09:0"), "\(late)")
    #expect(stage.run("log", "--since", "2026-11-20").error.isEmpty)
  }

  @Test func `Log: a time from a wrong clock is marked in every command`() throws {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    stage.machine.timekeeper.advance(milliseconds: 40 * 365 * 86_400_000)
    _ = stage.answer("edit", "Sweep", "--title", "Mop")
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_165_200_000))
    let log = lines(stage.run("log"))
    #expect(log.map { $0.contains(" (ahead of this clock)  ") } == [true, false])
    #expect(stage.answer("why", "Mop.title").contains(" (ahead of this clock) in command "))
    #expect(stage.answer("blame", "Mop").contains(" (ahead of this clock)  edited"))
    _ = stage.answer("edit", "Mop", "--title", "Sweep")
    let why = stage.answer("why", "Sweep.title")
    #expect(why.contains("It replaced Mop, written by laptop at 2066-"), "\(why)")
    #expect(why.hasSuffix(" (ahead of this clock).\n"), "\(why)")
    let json = try JSON(parsing: Array(stage.answer("log", "--json").utf8))
    #expect(json.array?.map { $0["isClockSuspect"] } == [true, false, false])
  }

  @Test func `Log: show marks a time from a wrong clock`() {
    let stage = Stage()
    stage.machine.timekeeper.advance(milliseconds: 40 * 365 * 86_400_000)
    _ = stage.answer("add", "todo", "Sweep")
    stage.machine.timekeeper.set(Moment(milliseconds: 1_795_165_200_000))
    let shown = stage.answer("show", "Sweep")
    #expect(shown.contains("(ahead of this clock)\n"), "\(shown)")
  }
}
