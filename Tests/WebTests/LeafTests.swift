import Bytes
import Crypto
import Daybook
import Domain
import HTTP
import Interchange
import Platform
import SimulatedPlatform
import Testing

@testable import Web

/// The contents of views on Friday, 2026-11-20.
struct LeafTests {
  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDate {
    try CivilDate(year: year, month: month, day: day)
  }

  @Test func `Views: today shows the agenda and near birthdays`() throws {
    let desk = try Desk()
    _ = try desk.addTodo("Far", due: day(2026, 12, 24))
    _ = try desk.addTodo("Urgent", priority: .high)
    _ = try desk.addTodo("Soon", due: day(2026, 11, 27))
    _ = try desk.addTodo("Now", due: day(2026, 11, 20))
    _ = try desk.addTodo("Late", due: day(2026, 11, 18))
    try desk.perform(
      .addBirthday(firstName: "Ada", lastName: "Lovelace", birthdate: day(1815, 12, 10)))
    try desk.perform(
      .addBirthday(firstName: "Alan", lastName: "Turing", birthdate: day(1912, 6, 23)))
    let view = try desk.get("view/today")
    let head = try #require(view["head"])
    #expect((head["margin"], head["under"], head["title"]) == ("20", "Nov", "Friday"))
    #expect(head["line"] == "3 to-dos overdue or due within a week · 1 birthday within 30 days")
    let sections = view["sections"]?.array ?? []
    #expect(
      sections.map { $0["key"]?.string } == [
        "overdue", "today", "next", "undated", "birthdays", "entries",
      ])
    #expect(sections[3]["title"] == "Undated (1)")
    let todos = sections.prefix(4).flatMap { $0["rows"]?.array ?? [] }
    #expect(todos.map { $0["title"]?.string } == ["Late", "Now", "Soon", "Urgent"])
    #expect(todos.map { $0["when"]?["text"]?.string } == ["2 d late", "today", "27 Nov", nil])
    let ada = try #require(sections[4]["rows"]?.array?.first)
    #expect(
      (ada["turns"], ada["in"], ada["note"]) == ("turns 211", "in 20 days", "born 10 Dec 1815"))
    #expect((view["folio"], view["nav"]?["due"]) == (7, 2))
  }

  @Test func `Views: headings count to-dos that are due soon and to-dos on no list`()
    throws
  {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Home", colour: nil))
    _ = try desk.addTodo("Tax", list: list, priority: .high, due: day(2026, 12, 24))
    _ = try desk.addTodo("Now", due: day(2026, 11, 20))
    #expect(
      try desk.get("view/today")["head"]?["line"]
        == "1 to-do overdue or due within a week · 0 birthdays within 30 days")
    #expect(try desk.get("view/lists")["head"]?["line"] == "1 list, 2 to-dos open")
  }

  @Test func `Views: birthdays are grouped by month from today, with undated ones last`() throws {
    let desk = try Desk()
    try desk.perform(.addBirthday(firstName: "Leap", lastName: nil, birthdate: day(2000, 2, 29)))
    try desk.perform(.addBirthday(firstName: "Old", lastName: "Year", birthdate: day(1990, 11, 19)))
    try desk.perform(.addBirthday(firstName: "Un", lastName: "Known", birthdate: nil))
    try desk.perform(
      .addBirthday(firstName: "No", lastName: "Year", birthdate: try CivilDate.parse("--11-20")))
    let view = try desk.get("view/birthdays")
    let titles = view["sections"]?.array?.map { $0["title"]?.string }
    #expect(titles == ["November 2026", "February 2027", "November 2027", "No date"])
    #expect(view.titles == ["No Year", "Leap", "Old Year", "Un Known"])
    #expect(
      view.rows.map { $0["note"]?.string } == [
        "year not known", "born 29 Feb 2000, celebrated on 28 Feb in 2027", "born 19 Nov 1990",
        "No date yet",
      ])
    #expect(view.rows.map { $0["when"]?["text"]?.string } == ["today", "28 Feb", "19 Nov", nil])
    let byDate = try desk.get("view/birthdays?sort=date")
    #expect(byDate.titles == ["No Year", "Old Year", "Leap", "Un Known"])
    #expect(
      byDate["sections"]?.array?.map { $0["title"]?.string }
        == ["Year not known", "1990s", "2000s", "No date"])
    #expect(
      try desk.get("view/birthdays?sort=name").titles == [
        "Leap", "Un Known", "No Year", "Old Year",
      ])
  }

  @Test func `Views: a past view shows the state at that time`() throws {
    let desk = try Desk()
    let id = try desk.addTodo("Buy Eggos", due: day(2026, 11, 21))
    let moment = try #require(
      try desk.get("history")["instant"]?.string)
    try desk.wish("edit", ("id", .string(id.uuid)), ("fields", .object(("title", "Buy eggs"))))
    let then = try desk.get("view/today?at=\(PercentEncoding.encoded(moment))")
    #expect(then.titles == ["Buy Eggos", "Buy Eggos"])
    #expect((then["add"], then["folio"]) == (.null, 1))
    #expect(then["moment"]?["words"] == "20 Nov 09:01, entry 1")
    #expect(try desk.get("view/today").titles.first == "Buy eggs")
    let start = try desk.get("history?n=0")
    #expect(start["moment"]?["words"] == "before the first entry")
    #expect(start.rows.map { $0["place"]?.string } == ["later", "later"])
  }

  @Test func `Views: history lists each command once with its changes`() throws {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Home", colour: nil))
    let id = try desk.addTodo("Buy Eggos", list: list, due: day(2026, 11, 21))
    try desk.wish("edit", ("id", .string(id.uuid)), ("fields", .object(("due", "2026-11-22"))))
    try desk.wish("done", ("id", .string(id.uuid)), ("done", true))
    try desk.wish("undo")
    let view = try desk.get("history")
    let told = view.rows.map { row in
      [row["n"].map { $0.text() }, row["verb"]?.string, row["title"]?.string, row["rest"]?.string]
        .compactMap(\.self).joined(separator: " | ")
    }
    #expect(
      told == [
        "5 | Undo: opened again | Buy Eggos | laptop", "4 | Completed | Buy Eggos | laptop",
        "3 | Changed | Buy Eggos | due date 21 Nov → 22 Nov · laptop",
        "2 | Added | Buy Eggos | to Home; due date 21 Nov · laptop",
        "1 | Added | Home | colour #2f6f6a · laptop",
      ])
    #expect(
      view["valuetext"] == "Friday 20 November, 09:05, entry 5 of 5: Undo: opened again Buy Eggos")
    let days = try desk.get("history/days")["days"]?.array ?? []
    #expect(days.map { $0["words"]?.string } == ["20 November, 5 entries"])
  }

  @Test func `Views: an import is one history entry and is undone as a whole`() throws {
    let desk = try Desk()
    let source = Array("Title\r\nSweep\r\nScrub\r\nDust\r\n".utf8)
    desk.machine.timekeeper.advance(milliseconds: 60_000)
    _ = try desk.book.importer.importFile(
      FileFormat.csv.read(source), identity: SHA256.digest(of: source))
    let row = try #require(try desk.get("history").rows.first)
    #expect(
      (row["n"], row["verb"], row["title"], row["rest"])
        == (1, "Imported", "Dust", "and 2 more · laptop"))
    try desk.wish("undo", ("step", try #require(row["undo"])))
    let rows = try desk.get("history").rows
    #expect(rows.map { $0["n"] } == [2, 1])
    #expect(try desk.get("view/lists").titles == [])
  }

  @Test func `Views: devices shows the members, and whether there is a peer`() throws {
    let desk = try Desk()
    _ = try desk.addTodo("Sweep")
    let alone = try desk.get("view/devices")
    #expect(
      alone["head"]?["line"]
        == "This book is on this device only. Add another device to protect the book against loss.")
    #expect((alone["canSync"], alone["status"]?["words"]) == (false, "on this device only"))
    #expect(alone.titles == ["laptop"])
    #expect(alone.rows.map { $0["note"]?.string } == ["2 changes"])
    #expect(
      alone["digest"]?.string == (try desk.book.statusReader.status().words.joined(separator: " ")))
    try desk.machine.disk.makeDirectories(Path("/media/stick"))
    try desk.book.contactBook.addPeer("stick", at: .directory(Path("/media/stick")))
    let remembered = try desk.get("view/devices")
    #expect((remembered["canSync"], remembered["status"]?["words"]) == (true, "not sent yet"))
    #expect(remembered.titles == ["laptop", "stick"])
    _ = try desk.answer(
      "POST", "/api/sync", ["content-type": "application/json"], body: Array("{}".utf8))
    PageSync(site: desk.site).attend()
    let synced = try desk.get("view/devices")
    #expect(synced["sections"]?.array?.map { $0["key"]?.string } == ["devices", "peers", "syncs"])
    #expect(synced.rows.last?["note"] == "2 sent")
    #expect(synced["status"]?["words"] == "in step")
    _ = try desk.addTodo("Mop")
    #expect(try desk.get("view/devices")["status"]?["words"] == "not sent yet")
  }

  @Test func `Views: an earlier day is shown with its date in the margin`() throws {
    let desk = try Desk()
    _ = try desk.addTodo("Sweep")
    desk.machine.timekeeper.advance(milliseconds: 86_400_000)
    _ = try desk.addTodo("Mop")
    func margin(_ view: String, _ kind: String) throws -> [String?] {
      try desk.get("view/\(view)").rows.filter { $0["kind"]?.string == kind }
        .map { $0["when"]?["text"]?.string }
    }
    #expect(try margin("today", "entry") == ["09:02", "20 Nov"])
    #expect(try margin("history", "entry") == ["09:02", "09:01"])
    let now = desk.machine.timekeeper.now().milliseconds
    for days in [401, 1, 0] as [Int64] {
      desk.site.syncs.post.leave(
        .met(peer: "stick", words: "1 sent", isGood: true, time: now - days * 86_400_000))
    }
    _ = desk.site.syncs.collect()
    #expect(try margin("devices", "sync") == ["09:02", "20 Nov", "16 Oct 2025"])
  }

  @Test func `Views: a bundle does not count as a peer for the sync status`() throws {
    let desk = try Desk()
    _ = try desk.addTodo("Sweep")
    try desk.machine.disk.makeDirectories(Path("/media"))
    let path = Path("/media/book.bundle")
    _ = try desk.book.replicator.writeBundle(to: path)
    try desk.book.contactBook.addPeer("bundle", at: .file(path))
    _ = try desk.book.replicator.sync(with: .file(path))
    #expect(try desk.get("view/devices")["status"]?["words"] == "on this device only")
  }

  @Test func `Views: an unknown view gets 404, and an invalid time gets 400`() throws {
    let desk = try Desk()
    let nobody = "b05bdb90-640e-89aa-a8dc-1f2713bf95da"
    for path in ["view/nothing", "view/list/x", "view/list/\(nobody)", "item/\(nobody)", "nothing"]
    {
      let response = try desk.answer("GET", "/api/\(path)")
      #expect(response.status == 404, "\(path)")
      #expect(try JSON(parsing: response.body)["error"]?["message"]?.string != nil)
    }
    #expect(try desk.answer("GET", "/api/view/today?at=yesterday").status == 400)
  }
}
