import Bytes
import Daybook
import Domain
import Phrasing
import SimulatedPlatform
import Testing

@testable import Web

/// Repeating to-dos on the page, on Friday, 20 November 2026.
struct RepeatTests {
  private func add(_ desk: Desk, _ text: String) throws -> String {
    let added = try desk.wish("add", ("kind", "todo"), ("text", .string(text)))
    return try #require(added["id"]?.string)
  }

  /// Returns the receipt that the page shows for an action.
  private func said(
    _ desk: Desk, _ command: String, _ id: String, _ more: (String, JSON)...
  ) throws -> String {
    let members = [JSON.Member("id", .string(id))] + more.map { JSON.Member($0.0, $0.1) }
    let answer = try desk.send(command, members)
    return answer.json["said"]?.string ?? answer.json["error"]?["message"]?.string ?? ""
  }

  private func edit(
    _ desk: Desk, _ id: String, _ field: String, _ words: String, scope: String? = nil
  ) throws -> String {
    try said(
      desk, "edit", id, ("fields", .object([JSON.Member(field, .string(words))])),
      ("scope", .words(scope)))
  }

  /// Returns the rows of the to-dos on no list: the title and the margin.
  private func rows(_ desk: Desk, _ query: String = "") throws -> [String] {
    try desk.get("view/list/none\(query)").rows.map { row in
      "\(row["title"]?.string ?? "") | \(row["when"]?["text"]?.string ?? "")"
    }
  }

  private func field(_ desk: Desk, _ id: String, _ name: String) throws -> JSON? {
    try desk.get("item/\(id)")["fields"]?.array?.first { $0["name"]?.string == name }
  }

  // MARK: Rows

  @Test func `Page: the row of a to-do that repeats has its rule and its missed dates`() throws {
    let desk = try Desk()
    _ = try add(desk, "Bins repeat:mon")
    _ = try add(desk, "Rent due:2026-09-01 each 1st")
    _ = try add(desk, "Mop")
    let rows = try desk.get("view/list/none").rows
    #expect(rows.map { $0["title"] } == ["Rent", "Bins", "Mop"])
    #expect(
      rows.map { $0["repeats"]?.string } == [
        "repeats each month on the 1st", "repeats every Mon", nil,
      ])
    #expect(rows.map { $0["missed"]?.string } == ["2 more missed", nil, nil])
    let document = String(decoding: try desk.answer("GET", "/lists/none").body, as: UTF8.self)
    #expect(
      document.contains(
        "<span class=\"sr\">repeats each month on the 1st</span>2 more missed</span>"))
    #expect(document.contains("title=\"repeats every Mon\""))
  }

  @Test func `Page: the receipt of a new to-do that repeats has its rule and its first date`()
    throws
  {
    let desk = try Desk()
    let added = try ["Bins repeat:mon", "Tax each 24 dec start:-2w"].map { text in
      try desk.wish("add", ("kind", "todo"), ("text", .string(text)))
    }
    #expect(
      added.map { $0["said"] } == [
        "Added “Bins”, every Mon, first Mon 23 Nov.",
        "Added “Tax”, each year on 24 December, first Thu 24 Dec.",
      ])
    let tax = try #require(added[1]["id"]?.string)
    #expect(try field(desk, tax, "start")?["value"] == "2026-12-10")
  }

  @Test func `Page: done closes the current date, and the row shows the next one`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    #expect(try rows(desk) == ["Bins | Mon 23"])
    #expect(
      try said(desk, "done", id, ("done", true)) == "Completed “Bins”, next Mon 30 Nov.")
    #expect(try rows(desk) == ["Bins | 30 Nov"])
    #expect(
      try rows(desk, "?show=all") == ["Bins | 30 Nov", "Bins of Mon 2026-11-23 | done"])
    #expect(try said(desk, "skip", id) == "Skipped “Bins”, next Mon 7 Dec.")
    #expect(try rows(desk) == ["Bins | 7 Dec"])
    #expect(try rows(desk, "?show=all").contains("Bins of Mon 2026-11-30 | skipped"))
    #expect(
      try said(desk, "skip", add(desk, "Mop")) == "This to-do does not repeat.")
  }

  @Test func `Page: a receipt counts the dates that were passed over`() throws {
    let desk = try Desk()
    let id = try add(desk, "Water due:2026-11-01 daily")
    #expect(
      try said(desk, "done", id, ("done", true))
        == "Completed “Water”, next Fri 20 Nov, passed over 18 missed dates.")
    let rent = try add(desk, "Rent due:2026-09-01 each 1st")
    #expect(
      try said(desk, "done", rent, ("done", true))
        == "Completed “Rent”, next Thu 1 Oct, 1 more missed.")
    let last = try add(desk, "Call once due:2026-11-23 repeat:FREQ=DAILY;COUNT=1")
    #expect(
      try said(desk, "done", last, ("done", true)) == "Completed “Call once”, the last date.")
  }

  @Test func `Page: a past date is opened again, and cannot be deleted separately`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    try desk.wish("done", ("id", .string(id)), ("done", true))
    let past = try #require(try desk.get("view/todo/\(id)").rows.last)
    let date = try #require(past["id"]?.string)
    #expect(past["title"] == "Bins of Mon 2026-11-23" && past["done"] == true)
    #expect(
      try said(desk, "delete", date)
        == "This is one date of a repeating to-do. Open it again, or delete the to-do with its repeats."
    )
    #expect(try edit(desk, date, "note", "Late") == "Changed “Bins of Mon 2026-11-23”.")
    #expect(
      try said(desk, "done", date, ("done", false)) == "Opened “Bins of Mon 2026-11-23” again.")
    #expect(try rows(desk, "?show=all") == ["Bins | Mon 23"])
  }

  @Test func `Page: a to-do is cancelled and deleted with its repeats`() throws {
    let desk = try Desk()
    let ids = try ["Bins repeat:mon", "Plants repeat:daily"].map { try add(desk, $0) }
    #expect(try said(desk, "cancel", ids[0]) == "Cancelled “Bins” and its repeats.")
    #expect(try said(desk, "delete", ids[1]) == "Deleted “Plants” and its repeats.")
    #expect(try rows(desk) == [])
  }

  // MARK: Edits

  @Test func `Page: a due date changes one date, and all of them on request`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    #expect(try edit(desk, id, "due", "2026-11-24") == "Changed “Bins”, this date only.")
    #expect(try rows(desk) == ["Bins | Tue 24"])
    #expect(try desk.get("view/todo/\(id)").rows.first?["when"]?["date"] == "2026-11-30")
    let other = try add(desk, "Plants repeat:mon")
    #expect(
      try edit(desk, other, "due", "2026-11-24", scope: "all")
        == "Changed “Plants”. The rule “every Mon” has no date on Tue 24 Nov, so only the first date moves."
    )
    #expect(
      try edit(desk, other, "due", "2026-11-30", scope: "all") == "Changed “Plants”.")
    #expect(try field(desk, other, "due")?["value"] == "2026-11-30")
  }

  @Test func `Page: a title changes all dates, and one of them on request`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    #expect(try edit(desk, id, "title", "Rubbish") == "Changed “Rubbish”.")
    #expect(
      try edit(desk, id, "title", "Paper", scope: "this") == "Changed “Rubbish”, this date only.")
    #expect(try rows(desk) == ["Paper | Mon 23"])
    #expect(try field(desk, id, "title")?["value"] == "Paper")
    #expect(try desk.get("item/\(id)")["title"] == "Paper")
    try desk.wish("done", ("id", .string(id)), ("done", true))
    #expect(
      try rows(desk, "?show=all") == ["Rubbish | 30 Nov", "Paper of Mon 2026-11-23 | done"])
  }

  @Test func `Page: an edit that does not fit the dates is refused in the page's terms`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    let ofAll =
      " is the same for all dates of a repeating to-do. Choose “All dates” to change it."
    #expect(try edit(desk, id, "priority", "high", scope: "this") == "The priority" + ofAll)
    #expect(try edit(desk, id, "repeat", "daily", scope: "this") == "The repeat" + ofAll)
    #expect(
      try edit(desk, id, "due", "")
        == "A repeating to-do needs a due date. Clear the repeat field to end the series after the current date."
    )
    #expect(
      try edit(desk, try add(desk, "Mop"), "title", "Sweep", scope: "all")
        == "This to-do does not repeat.")
    #expect(
      try edit(desk, id, "title", "x", scope: "some")
        == "'scope' is missing or invalid in this request.")
  }

  @Test func `Page: the rule of a to-do is read as on the command line, and worded back`() throws {
    let desk = try Desk()
    let id = try add(desk, "Mop")
    #expect(try edit(desk, id, "repeat", "Mondays") == "Changed “Mop”, every Mon, next Mon 23 Nov.")
    #expect(try field(desk, id, "repeat")?["value"] == "every Mon")
    #expect(
      try edit(desk, id, "repeat", "every blursday").hasPrefix(
        "Cannot read 'every blursday' as a repeat rule."))
    #expect(
      try edit(desk, id, "repeat", "") == "Changed “Mop”; its last date is due Mon 23 Nov.")
    #expect(try field(desk, id, "repeat")?["value"] == "every Mon until 2026-11-23")
    #expect(try field(desk, id, "repeat")?["hint"] == "This date is the last.")
  }

  @Test func `Page: an earlier rule is restored with its first date`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    _ = try edit(desk, id, "repeat", "daily")
    let events = try desk.get("item/\(id)")["history"]?.array ?? []
    #expect(
      events.compactMap { $0["words"]?.string } == [
        "Changed repeat every Mon → every day",
        "Added due date 23 Nov; repeat every Mon",
      ])
    let restore = try #require(events.last?["restore"])
    #expect(restore["repeat"] == "every Mon" && restore["due"] == "2026-11-23")
    try desk.wish("edit", ("id", .string(id)), ("fields", restore), ("scope", "all"))
    #expect(try field(desk, id, "repeat")?["value"] == "every Mon")
  }

  // MARK: The leaf and the details

  @Test func `Page: the leaf of a to-do that repeats has its rule, the next and the past dates`()
    throws
  {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    try desk.wish("done", ("id", .string(id)), ("done", true))
    let view = try desk.get("view/todo/\(id)")
    #expect(view["head"]?["line"] == "due 30 Nov 2026 · every Mon")
    let sections = view["sections"]?.array ?? []
    #expect(sections.map { $0["title"]?.string } == ["Next dates", "Past dates"])
    let next = sections[0]["rows"]?.array ?? []
    #expect(next.map { $0["when"]?["text"] } == ["7 Dec", "14 Dec", "21 Dec", "28 Dec", "4 Jan"])
    #expect(next.first?["title"] == "in 17 days" && next.first?["id"] == .null)
    #expect(view["empty"] == .null)
    let date = try #require(sections[1]["rows"]?.array?.first?["id"]?.string)
    let past = try desk.get("view/todo/\(date)")
    #expect(past["head"]?["title"] == "Bins of Mon 2026-11-23" && past["add"] == .null)
    #expect(past["head"]?["back"] == .string("todos/\(id)"))
    #expect(
      past["parent"] == .object(("id", .string(id)), ("words", "One date of Bins")))
    let done = try add(desk, "Plants every! 3 days")
    #expect(
      try desk.get("view/todo/\(done)").rows.map { $0["title"] } == [
        "in 3 days, if it is done today"
      ])
  }

  @Test func `Page: the details offer the scope of a change, and the actions on one date`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    let item = try desk.get("item/\(id)")
    #expect(item["scope"]?["options"]?.array?.map { $0["value"] } == ["", "this", "all"])
    #expect(item["subtasks"]?["words"] == "Dates, sub-tasks")
    #expect(try desk.actions(id) == ["Done", "Skip this date", "Cancel to-do", "Delete"])
    #expect(
      try field(desk, id, "repeat")?["hint"]
        == "Then Mon 30 Nov, Mon 7 Dec, Mon 14 Dec, Mon 21 Dec, Mon 28 Dec. Clear this field to end the series with this date."
    )
    try desk.wish("done", ("id", .string(id)), ("done", true))
    let date = try #require(try desk.get("view/todo/\(id)").rows.last?["id"]?.string)
    let past = try desk.get("item/\(date)")
    #expect(
      past["fields"]?.array?.map { $0["name"] } == ["title", "due", "dueTime", "start", "note"])
    #expect(past["scope"] == .null && past["subtasks"] == .null)
    #expect(past["title"] == "Bins of Mon 2026-11-23")
    #expect(
      past["actions"]
        == .array([
          .object(
            ("command", "done"), ("words", "Open again"), ("done", false), ("leaves", true))
        ]))
    #expect(try desk.get("item/\(add(desk, "Mop"))")["scope"] == .null)
  }

  @Test func `Page: a sub-task of a to-do that repeats is closed for one date`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    let added = try desk.wish(
      "add", ("kind", "todo"), ("text", "Paper"), ("under", .string(id)))
    let child = try #require(added["id"]?.string)
    #expect(
      try desk.actions(child) == ["Done", "Skip this date", "Cancel to-do", "Delete"])
    #expect(try said(desk, "done", child, ("done", true)) == "Completed “Paper”.")
    #expect(try desk.actions(child) == ["Open again", "Delete"])
    try desk.wish("done", ("id", .string(id)), ("done", true))
    #expect(try desk.actions(child).contains("Done"))
  }

  @Test func `Page: the history names the date of a to-do that repeats`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    _ = try edit(desk, id, "due", "2026-11-24")
    try desk.wish("done", ("id", .string(id)), ("done", true))
    try desk.wish("skip", ("id", .string(id)))
    #expect(try desk.wish("undo")["said"] == "Undid: “Bins of Mon 2026-11-30”.")
    let told = try desk.get("history").rows.map { row in
      [row["verb"], row["title"], row["rest"]].compactMap { $0?.string }.joined(separator: " | ")
    }
    #expect(
      told == [
        "Undo: opened again | Bins of Mon 2026-11-30 | laptop",
        "Skipped | Bins of Mon 2026-11-30 | laptop",
        "Completed | Bins of Mon 2026-11-23 | laptop",
        "Changed | Bins of Mon 2026-11-23 | due date 24 Nov · laptop",
        "Added | Bins | due date 23 Nov; repeat every Mon · laptop",
      ])
  }

  @Test func `Page: undoing the title of a date removes it`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    _ = try edit(desk, id, "due", "2026-11-24")
    _ = try edit(desk, id, "title", "Paper", scope: "this")
    try desk.wish("undo")
    let told = try desk.get("history").rows.first?["rest"]?.string
    #expect(told == "title “Paper” removed · laptop")
  }

  // MARK: Without a script

  @Test func `Documents: a to-do that repeats is skipped and changed with forms`() throws {
    let desk = try Desk()
    let id = try add(desk, "Bins repeat:mon")
    func document() throws -> String {
      String(decoding: try desk.answer("GET", "/todos/\(id)").body, as: UTF8.self)
    }
    func submit(_ form: String) throws {
      desk.machine.timekeeper.advance(milliseconds: 60_000)
      let answer = try desk.answer(
        "POST", "/do", ["content-type": "application/x-www-form-urlencoded"],
        body: Array("back=todo%2F\(id)&id=\(id)&\(form)".utf8))
      #expect(answer.status == 303)
    }
    let before = try document()
    #expect(before.contains("<label for=\"field-scope\">Apply changes to</label>"))
    #expect(
      before.contains(
        "<select class=\"field\" id=\"field-scope\" name=\"scope\" aria-describedby=\"hint-scope\">"
      ))
    #expect(before.contains("name=\"field.repeat\" value=\"every Mon\""))
    #expect(before.contains("<button class=\"btn\">Skip this date</button>"))
    #expect(before.contains("<h2>Next dates</h2>"))
    try submit("command=edit&scope=this&was.title=Bins&field.title=Paper&was.note=&field.note=")
    try submit("command=skip")
    let after = try document()
    #expect(after.contains("Paper of Mon 2026-11-23"))
    #expect(after.contains("<h1 tabindex=\"-1\" dir=\"auto\">Bins</h1>"))
    #expect(!after.contains("Delete Paper"))
    try submit("command=done&done=true")
    #expect(try document().contains("due 7 Dec 2026 · every Mon"))
    let date = try #require(try desk.get("view/todo/\(id)").rows.last?["id"]?.string)
    let past = String(decoding: try desk.answer("GET", "/todos/\(date)").body, as: UTF8.self)
    #expect(
      past.contains(
        "name=\"back\" value=\"todos/\(id)\"><input type=\"hidden\" name=\"command\" value=\"done\">"
      ))
  }
}
