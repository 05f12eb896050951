import Bytes
import Phrasing
import Platform
import Testing

@testable import Console

/// The columns that a list omits on a narrow terminal, and the columns that it keeps.
struct NarrowTableTests {
  private func run(_ stage: Stage, _ words: [String], columns: Int) -> [String] {
    let outcome = stage.run(
      words, environment: ["NO_COLOR": "1"],
      adjust: { environment in
        environment.streams.isOutputTerminal = true
        environment.streams.size = (columns, 200)
      })
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Returns the lines without their random ids.
  private func withoutIDs(_ lines: [String]) -> [String] {
    lines.map { $0.hasPrefix(" ") ? $0 : "ID" + $0.drop { $0 != " " } }
  }

  private let title = "A rather long title that goes on and on"

  private func stage() -> Stage {
    let stage = Stage()
    _ = stage.answer("add", "list", "Long list name here")
    _ = stage.answer(
      "add", "todo", title, "--due", "2030-12-01", "--list", "Long list name here", "--tag", "home")
    _ = stage.answer("add", "todo", "Rest", "--tag", "a", "--tag", "bb")
    return stage
  }

  @Test func `Narrow lists: distance, weekday, tags and list are cut before the title`() {
    let stage = stage()
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 120)) == [
        "ID  [ ]  \(title)  Long list name here  #home   due Sun 2030-12-01 (in 4 years)",
        "ID  [ ]  Rest                                                          #a #bb",
      ])
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 100)) == [
        "ID  [ ]  \(title)  Long list name here  #home   due Sun 2030-12-01",
        "ID  [ ]  Rest                                                          #a #bb",
      ])
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 90))[0]
        == "ID  [ ]  \(title)  Long list name here  #home   2030-12-01")
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 60)) == [
        "ID  [ ]  \(title)  2030-12-01",
        "ID  [ ]  Rest",
      ])
  }

  @Test func `Narrow lists: a row with many fields does not cut other titles`() {
    let stage = Stage()
    _ = stage.answer("add", "list", "Household")
    for number in 1...60 {
      _ = stage.answer("add", "todo", "Task number \(number) with a longer description")
    }
    _ = stage.answer(
      "edit", "Task number 7 with a longer description", "--due", "2030-12-01", "--list",
      "Household", "--tag", "a-rather-long-tag")
    let lines = run(stage, ["list", "todos"], columns: 80)
    #expect(lines.count == 60)
    #expect(lines.count { $0.hasSuffix("with a longer description") } == 59)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [
    ["list", "todos"], ["list", "todos", "--list", "Long list name here"], [], ["search", ""],
    ["list", "lists"], ["list", "birthdays"], ["upcoming", "--days", "365"],
    ["show", "Long list name here"], ["log"],
  ])
  func `Narrow lists: rows fit the terminal and dates stay complete`(words: [String]) {
    let stage = stage()
    _ = stage.answer("add", "birthday", "Augusta Ada King, Countess of Lovelace", "1815-12-10")
    _ = stage.answer("add", "todo", "山田さんへ長い長い手紙を書くこと、明日までに必ず出すこと", "--due", "2026-11-20")
    _ = stage.answer("add", "todo", String(repeating: "word", count: 30), "--due", "2026-11-19")
    for columns in [40, 59, 60, 80, 100] {
      let lines = run(stage, words, columns: columns)
      let isShow = words.first == "show"
      // Only the list in the output of `show` must fit; the fields of the record are not cut.
      let shown = isShow ? lines.filter { $0.contains("[ ]") } : lines
      for line in shown { #expect(TextWidth.columns(of: line) <= columns, "\(line)") }
      if words.starts(with: ["list", "todos"]) || isShow {
        #expect(lines.contains { $0.contains("2030-12-01") })
      }
      if words == ["list", "birthdays"] { #expect(lines.contains { $0.contains("1815-12-10") }) }
    }
  }

  @Test func `Narrow lists: below 60 columns, a to-do takes several lines`() {
    let stage = stage()
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 40)) == [
        "ID  [ ]  A rather long title that goes", "         on and on",
        "    2030-12-01 · Long list name here", "ID  [ ]  Rest", "    #a #bb",
      ])
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 45))[2]
        == "    2030-12-01 · Long list name here · #home")
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 30))[1...2] == [
        "         that goes on and on", "    2030-12-01 · Long list na…",
      ])
  }

  @Test func `Narrow lists: below 60 columns, sub-tasks are indented with their dates`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Trip")
    _ = stage.answer(
      "add", "todo", "Photo for the passport office in town", "--under", "trip", "--due",
      "2030-12-01")
    #expect(
      withoutIDs(run(stage, ["list", "todos"], columns: 40)) == [
        "ID  [ ]  Trip", "ID  [ ]    Photo for the passport office", "           in town",
        "      due Sun 2030-12-01 (in 4 years)",
      ])
  }

  @Test func `Narrow lists: the number of missed dates is left out before the title is cut`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", title, "--due", "2026-11-01", "--repeat", "each day")
    for (columns, row) in [
      (100, "\(title)  due Sun 2026-11-01 (19 days ago)  ↻ 18 more missed"),
      (80, "\(title)  due Sun 2026-11-01  ↻"),
      (60, "A rather long title that goes on an…  2026-11-01  ↻"),
    ] {
      #expect(
        withoutIDs(run(stage, ["list", "todos"], columns: columns)) == ["ID  [ ]  \(row)"])
    }
  }

  @Test(arguments: [200, 80, 60, 40])
  func `Narrow lists: a start never looks like a due date`(columns: Int) {
    let stage = Stage()
    _ = stage.answer("add", "todo", title, "--start", "2026-11-25")
    _ = stage.answer("add", "todo", "Send it", "--due", "2026-11-26")
    _ = stage.answer("add", "todo", "Both", "--due", "2026-12-26", "--start", "2026-12-25")
    let shown = run(stage, ["list", "todos", "--all"], columns: columns).joined(separator: "\n")
    #expect(shown.contains("from 2026-11-25") && shown.contains("from 2026-12-25"))
    #expect(shown.ranges(of: "from ").count == 2)
  }

  @Test func `Narrow lists: upcoming birthdays have whole names`() {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ada Lovelace", "2000-02-29")
    #expect(
      withoutIDs(run(stage, ["upcoming", "--days", "120"], columns: 40)) == [
        "ID  Sun 2027-02-28  Ada Lovelace", "    turns 27 in 3 months",
        "    born on 29 February",
      ])
  }

  @Test func `Narrow lists: an entry of the log has its words below its time`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Buy milk and bread and butter", "--due", "2026-12-01")
    let lines = run(stage, ["log", "--all"], columns: 40)
    let place = lines.firstIndex { $0.hasSuffix("added") } ?? 0
    #expect(
      Array(lines[(place + 1)...].prefix(2)) == [
        "    todo Buy milk and bread and butter:", "    title Buy milk and bread and butter,",
      ])
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 40 })
    let cut = StackedRow(
      front: [
        (Cell("2026-11-20 10:00", giving: .never), 16), (Cell("the-laptop-of-ada:12345"), 23),
        (Cell("added"), 5),
      ], title: Cell("todo Mop", giving: .title), rest: []
    ).lines(fitting: 40, Paint(false))
    #expect(cut == ["2026-11-20 10:00  the-laptop-of-…  added", "    todo Mop"])
  }

  @Test func `Narrow lists: a date is shortened to fit the other fields`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Mop", "--due", "2026-11-21", "--tag", "home")
    for (columns, rest) in [
      (59, "due Sat 2026-11-21 (tomorrow) · #home"), (40, "due Sat 2026-11-21 · #home"),
      (24, "2026-11-21 · #home"),
    ] {
      #expect(run(stage, ["list", "todos"], columns: columns).last == "    " + rest)
    }
  }

  @Test(arguments: [
    (["--priority", "high"], "ID  [ ]  Mop  Home  #a  due Fri 2026-11-27 (in 7 days)"),
    (["--due", "2026-11-27"], "ID  [ ]  !!!  Mop  Home  #a"),
    (["--list", "Home"], "ID  [ ]  !!!  Mop  #a  due Fri 2026-11-27 (in 7 days)"),
    (["--due", "2026-11"], "ID  [ ]  !!!  Mop  Home  #a  due Fri 2026-11-27 (in 7 days)"),
  ])
  func `Narrow lists: a column that the filter determines is left out`(
    filter: [String], row: String
  ) {
    let stage = Stage()
    _ = stage.answer(
      "add", "todo", "Mop", "--list", "Home", "--tag", "a", "--due", "2026-11-27", "--priority",
      "high")
    #expect(withoutIDs(run(stage, ["list", "todos"] + filter, columns: 200)) == [row])
    let plain = run(stage, ["list", "todos", "--plain"] + filter, columns: 200)
    #expect(
      plain[0].split(separator: "\t").dropFirst() == [
        "[ ]", "!!!", "Mop", "Home", "#a", "due Fri 2026-11-27 (in 7 days)",
      ])
  }

  @Test func `Narrow lists: the name of the requested list is not repeated in each row`() {
    let stage = stage()
    let words = ["list", "todos", "--list", "Long list name here"]
    #expect(!stage.answer("list", "todos", "--list", "Long list name here").contains("Long"))
    #expect(run(stage, words + ["--plain"], columns: 80)[0].contains("\tLong list name here\t"))
  }
}
