import Bytes
import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Records that are merged on two devices and then separated.
struct JoinedRecordTests {
  @Test func `Merged records: a sync reports the conflicts of a merge`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Mop", "--note", "one")
    _ = stage.answer("add", "todo", "Dust", "--note", "two")
    stage.meet()
    _ = stage.answer("merge", "Mop", "Dust", "--keep-both")
    _ = stage.answer("sync", "stick")
    let told = stage.answer("-C", "phone", "sync", "stick")
    #expect(told.contains("2 new conflicts to settle:"), "\(told)")
    #expect(stage.answer("-C", "phone", "status").contains("conflicts  2"))
  }

  @Test func `Merged records: after separating, values written meanwhile are reported for both`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "birthday", "Ann Lee", "1990-01-01")
    _ = stage.answer("add", "birthday", "Zoe Lee", "1991-02-02")
    _ = stage.answer("merge", "Ann", "Zoe", "--keep-both")
    _ = stage.answer("resolve", "Lee", "first-name", "--value", "Ann")
    let outcome = stage.run("undo", "--command", "4")
    #expect(outcome.code == .done)
    #expect(
      outcome.error.contains(
        "both records keep the values that were written while they were merged: first-name. 'daybook log "
      ),
      "\(outcome.error)")
    // If nothing was written while the records were merged, each has its own values again.
    let other = Stage()
    _ = other.answer("add", "birthday", "Ann Lee", "1990-01-01")
    _ = other.answer("add", "birthday", "Zoe Lee", "1991-02-02")
    _ = other.answer("merge", "Ann", "Zoe")
    #expect(other.run("undo").error == "")
  }

  @Test func `Merged records: after separating, only the record that keeps a value is reported`() {
    let stage = Stage()
    for title in ["Paint", "Quilt"] { _ = stage.answer("add", "todo", title) }
    _ = stage.answer("merge", "Paint", "Quilt")
    _ = stage.answer("done", "Paint")
    let outcome = stage.run("undo", "--command", "4")
    let id = stage.answer("list", "todos", "--done").prefix { $0 != " " }
    #expect(
      outcome.error == """
        daybook: todo \(id) Paint keeps the values that were written while it was merged: done, completed-at. \
        'daybook log \(id)' shows the earlier values.

        """)
  }

  @Test func `Merged records: values that a second merge took over are not reported as kept`() {
    let stage = Stage()
    for name in ["Ann", "Bob", "Cyd"] { _ = stage.answer("add", "birthday", name, "1990-01-01") }
    _ = stage.answer("merge", "Ann", "Bob")
    _ = stage.answer("merge", "Ann", "Cyd")
    #expect(stage.run("undo", "--command", "5").error == "")
  }

  @Test func `Merged records: an undone edit of merged records is not reported as kept`() {
    let stage = Stage()
    for title in ["Paint", "Quilt"] { _ = stage.answer("add", "todo", title, "--note", title) }
    _ = stage.answer("merge", "Paint", "Quilt")
    _ = stage.answer("edit", "Paint", "--note", "both")
    #expect(stage.run("undo", "2").error == "")
  }

  @Test func `Merged records: an undone merge leaves what another device merged with them`() throws
  {
    let stage = try Stage.pair()
    for (name, day) in [("Ann", 1), ("Bob", 2), ("Cyd", 3)] {
      _ = stage.answer("add", "birthday", name, "1990-01-0\(day)")
    }
    stage.meet()
    let added = stage.answer("list", "birthdays")
    _ = stage.answer("merge", "Ann", "Bob")
    _ = stage.answer("-C", "phone", "merge", "Bob", "Cyd")
    stage.meet()
    #expect(stage.run("undo").code == .done)
    stage.meet()
    let undone = stage.run("-C", "phone", "undo")
    #expect(undone.error == "" && undone.output.contains("eparated birthday"), "\(undone)")
    stage.meet()
    #expect(stage.answer("list", "birthdays") == added)
    #expect(stage.answer("conflicts") == "No conflicts.\n")
  }

  /// Two synced devices with the lists Attic and Loft, which the first device merges, and the short id of Attic.
  private func mergedLists() throws -> (stage: Stage, attic: String) {
    let stage = try Stage.pair()
    for name in ["Attic", "Loft"] { _ = stage.answer("add", "list", name) }
    stage.meet()
    let attic = stage.answer("list", "lists").shortID(of: "Attic")
    _ = stage.answer("merge", "Attic", "Loft")
    return (stage, attic)
  }

  @Test func `Merged records: a deletion that had not seen the merge is reported on both devices`()
    throws
  {
    let (stage, attic) = try mergedLists()
    _ = stage.answer("-C", "phone", "delete", "Attic")
    let syncs = [["sync", "stick"], ["-C", "phone", "sync", "stick"], ["sync", "stick"]]
    let told = { (words: [String]) in
      stage.run(words).output.split(separator: "\n").filter { $0.contains(" the merge") }
    }
    let sentence: Substring = """
      laptop 2 deleted one of the records merged into list \(attic) Attic without knowing of the merge, so the merged record remains. \
      To delete it as well, run: daybook delete \(attic)
      """
    #expect(syncs.map(told) == [[], [sentence], [sentence]])
    #expect(syncs.map(told) == [[], [], []])
  }

  @Test func `Merged records: JSON names the device that deleted a part of a record`() throws {
    let (stage, _) = try mergedLists()
    _ = stage.answer("-C", "phone", "delete", "Attic")
    _ = stage.answer("sync", "stick")
    let answer = stage.answer("-C", "phone", "sync", "stick", "--json")
    let survivors = try JSON(parsing: Array(answer.utf8))["survivors"]?.array
    let members = survivors?.map { [$0["kind"], $0["title"], $0["deletedBy"]] }
    #expect(members == [["list", "Attic", "laptop 2"]])
  }

  @Test func `Merged records: a deletion that had seen the merge is not reported`() throws {
    let (stage, attic) = try mergedLists()
    stage.meet()
    _ = stage.answer("-C", "phone", "delete", attic)
    _ = stage.answer("-C", "phone", "sync", "stick")
    #expect(!stage.answer("sync", "stick").contains(" the merge"))
    #expect(!stage.answer("list", "lists").contains("Attic"))
  }

  @Test func `Merged records: undoing their adds and their merge leaves each with its own values`()
  {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Sweep")
    _ = stage.answer("add", "todo", "Paint")
    let paint = stage.answer("list", "todos").shortID(of: "Paint")
    _ = stage.answer("add", "todo", "Quilt", "--note", "blue")
    let quilt = stage.answer("list", "todos").shortID(of: "Quilt")
    _ = stage.answer("merge", "Paint", "Quilt")
    #expect(
      stage.answer("undo", "--since", "2026-11-20T09:01:30Z", "--yes") == """
        Undone: deleted todo \(paint) Paint.
        Undone: deleted todo \(quilt) Quilt.

        """)
    _ = stage.answer("restore", quilt)
    #expect(stage.answer("show", quilt, "--json").contains(#""title": "Quilt""#))
    _ = stage.answer("restore", paint)
    #expect(stage.answer("show", paint, "--json").contains(#""title": "Paint""#))
  }

  @Test func `Log: a merge names the values that it took from the second record`() throws {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "todo", "Paint")
    _ = stage.answer(
      "add", "todo", "Quilt", "+late", "--list", "Home", "--due", "2026-11-25", "--note", "blue")
    _ = stage.answer("merge", "Paint", "Quilt")
    // Later changes do not affect what the log says.
    _ = stage.answer("edit", "Paint", "--due", "2026-11-27", "--note", "red")
    _ = stage.answer("delete", "Home")
    let lines = stage.answer("log").split(separator: "\n").filter { $0.contains("  joined ") }
    #expect(lines.count == 1)
    #expect(
      try #require(lines.first).hasSuffix(
        "  todo Paint: list none → Home, due none → 2026-11-25, note none → blue, tagged late"))
  }

  @Test func `Log: in JSON, the values that a merge took have the shape of those of an edit`()
    throws
  {
    let stage = Stage()
    _ = stage.answer("add", "list", "Home")
    let home = try JSON(parsing: Array(stage.answer("show", "Home", "--json").utf8))["id"]
    _ = stage.answer("add", "todo", "Paint", "+soon")
    _ = stage.answer("add", "todo", "Quilt", "+late", "--list", "Home", "--priority", "high")
    _ = stage.answer("merge", "Paint", "Quilt")
    _ = stage.answer("add", "todo", "Sand", "+soon")
    _ = stage.answer("edit", "Sand", "+late", "--list", "Home", "--priority", "high")
    let log = try JSON(parsing: Array(stage.answer("log", "--json").utf8)).array ?? []
    let replaced = { (value: JSON) in
      JSON.array([.object(("value", value), ("device", .null), ("time", .null))])
    }
    let merge = try #require(log.first { $0["verb"] == "join" })
    let tagged = JSON.object(("added", .array(["late"])), ("removed", .array([])))
    #expect(
      merge["fields"]
        == .object(("list", try #require(home)), ("priority", "high"), ("tagged", tagged)))
    #expect(
      merge["replaced"] == .object(("list", replaced(.null)), ("priority", replaced("normal"))))
    #expect(log[0]["verb"] == "edit")
    for member in ["fields", "replaced"] { #expect(merge[member] == log[0][member]) }
  }

  @Test func `Merge: a field of the first record that only looks different is not named`() {
    let stage = Stage()
    for (title, verb) in [("Paint", "cancel"), ("Quilt", "done")] {
      _ = stage.answer("add", "todo", title)
      _ = stage.answer(verb, title)
    }
    #expect(
      stage.answer("merge", "Paint", "Quilt").hasSuffix(
        " Paint.\nWhere the two records differed, the merged record has the values of the first: title.\n"
          + "The merged record takes values from the second in these fields: done, created-at.\n"))
  }

  @Test func `Merge: a repeating to-do is named as lists show it`() {
    let stage = Stage()
    _ = stage.answer("add", "todo", "Paint")
    _ = stage.answer("add", "todo", "Bins", "--due", "2026-11-23", "--repeat", "weekly")
    _ = stage.answer("edit", "Bins", "--title", "Paper", "--this")
    let id = stage.answer("list", "todos").shortID(of: "Paint")
    #expect(
      stage.answer("merge", "Paint", "Paper") == """
        Joined two into one: todo \(id) Paper.
        Where the two records differed, the merged record has the values of the first: title.
        The merged record takes values from the second in these fields: due, repeat, created-at.

        """)
    #expect(stage.answer("list", "todos").hasPrefix("\(id)  [ ]  Paper"))
  }

  @Test func `Merge: the date on which a repeating to-do is now due is named`() {
    let stage = Stage()
    for (title, rule) in [("Paint", "daily"), ("Quilt", "weekly")] {
      _ = stage.answer("add", title, "--due", "2026-11-23", "--repeat", rule)
    }
    _ = stage.answer("skip", "Quilt")
    let told = stage.answer("merge", "Paint", "Quilt")
    #expect(told.hasSuffix("The merged record is now due Tue 2026-11-24 (in 4 days).\n"), "\(told)")
  }

  @Test func `Diff: a time of creation that looks the same is not a change`() {
    let stage = Stage()
    let start: Int64 = 1_795_165_200_000
    for (title, second) in [("Paint", 30), ("Quilt", 45)] as [(String, Int64)] {
      stage.machine.timekeeper.set(Moment(milliseconds: start + second * 1000))
      _ = stage.answer("add", title)
    }
    stage.machine.timekeeper.set(Moment(milliseconds: start + 3_600_000))
    let merged = stage.answer("merge", "Paint", "Quilt")
    #expect(!merged.contains("created-at"), "\(merged)")
    let diff = stage.answer("diff", "2026-11-20T09:30:00Z")
    #expect(diff.contains("Removed: todo ") && !diff.contains("Changed"), "\(diff)")
  }

  @Test(arguments: [
    (["done"], ["--due", "2026-11-25"], "done, due, "), (["cancel"], [], "cancelled, "),
    ([], ["--start", "2027-01-01"], "start, "), ([], ["+late"], "tags, "), ([], [], ""),
  ])
  func `Merge: values that the first record takes from the second are named`(
    closing: [String], given: [String], fields: String
  ) throws {
    for asJSON in [false, true] {
      let stage = Stage()
      _ = stage.answer("add", "todo", "Open", "--note", "mine")
      #expect(stage.run(["add", "todo", "Other", "--note", "its"] + given).code == .done)
      if !closing.isEmpty { #expect(stage.run(closing + ["Other"]).code == .done) }
      let rows = stage.answer("list", "todos").split(separator: "\n")
      let id = try #require(rows.first { $0.contains("Open") }?.prefix { $0 != " " })
      let outcome = stage.run(["merge", "Open", "Other"] + (asJSON ? ["--json"] : []))
      let sentence =
        "he merged record takes values from the second in these fields: \(fields)created-at.\n"
      guard !asJSON else {
        #expect(outcome.error == "daybook: t" + sentence)
        continue
      }
      #expect(
        outcome.output == "Joined two into one: todo \(id) Open.\n"
          + "Where the two records differed, the merged record has the values of the first: title, note.\n"
          + "T" + sentence)
    }
  }
}

extension String {
  /// The first word of the line that contains a title.
  fileprivate func shortID(of title: String) -> String {
    let line = split(separator: "\n").first { $0.contains(title) } ?? ""
    return String(line.prefix { $0 != " " })
  }

  @Test func `Joined: a conflict after an undo or redo of a merge is named by its record`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Mop", "--note", "x")
    stage.meet()
    for (device, note) in [("phone", "a"), ("", "b")] {
      let at = device.isEmpty ? [] : ["-C", device]
      for title in ["Sweep", "Mop"] {
        #expect(stage.run(at + ["edit", title, "--note", "\(note) \(title)"]).code == .done)
      }
    }
    stage.meet()
    let named = { (command: String) in
      stage.answer(command).split(separator: "\n").first { $0.hasPrefix("The note of todo ") }
        .map { $0.split(separator: " ")[4] }
    }
    _ = stage.answer("merge", "Sweep", "Mop")
    for command in ["undo", "redo"] {
      let id = try #require(named(command))
      let conflicts = stage.answer("conflicts").split(separator: "\n")
      #expect(conflicts.contains { $0.hasPrefix("todo \(id) ") }, "\(command): \(conflicts)")
      if command == "undo" { #expect(stage.answer("show", String(id)).contains("Mop")) }
    }
  }
}
