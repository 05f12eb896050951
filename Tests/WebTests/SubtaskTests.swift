import Bytes
import Daybook
import Domain
import HTTP
import ReadModel
import SimulatedPlatform
import Testing

@testable import Web

/// Sub-tasks on the page.
struct SubtaskTests {
  /// Creates a desk with the to-dos Trip, Passport below it, Photo below that, and Bins, all on the list Travel.
  private func desk() throws -> (desk: Desk, list: UniqueID, ids: [String: UniqueID]) {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Travel", colour: 0x3D4F8F))
    var ids: [String: UniqueID] = [:]
    for (title, parent) in [
      ("Trip", nil), ("Bins", nil), ("Passport", "Trip"), ("Photo", "Passport"),
    ] {
      ids[title] = try desk.perform(
        .addTodo(
          title: title, list: .existing(list), priority: nil, due: nil,
          parent: parent.flatMap { ids[$0] }))
    }
    return (desk, list, ids)
  }

  /// Returns the titles of the rows, indented.
  private func tree(_ view: JSON) -> [String] {
    view.rows.map { row in
      String(repeating: "  ", count: Int(row["depth"]?.integer ?? 0)) + (row["title"]?.string ?? "")
    }
  }

  private func text(_ desk: Desk, _ path: String) throws -> String {
    let response = try desk.answer("GET", path)
    #expect(response.status == 200)
    return String(decoding: response.body, as: UTF8.self)
  }

  private func submit(_ desk: Desk, _ form: String) throws -> HTTPResponse {
    desk.machine.timekeeper.advance(milliseconds: 60_000)
    return try desk.answer(
      "POST", "/do", ["content-type": "application/x-www-form-urlencoded"], body: Array(form.utf8))
  }

  private func field(_ desk: Desk, _ id: UniqueID, _ name: String) throws -> JSON? {
    try desk.get("item/\(id.uuid)")["fields"]?.array?.first { $0["name"]?.string == name }
  }

  // MARK: Views

  @Test func `Views: the sub-tasks of a list follow their open parents`() throws {
    let (desk, list, ids) = try desk()
    let view = try desk.get("view/list/\(list.uuid)")
    #expect(tree(view) == ["Trip", "  Passport", "    Photo", "Bins"])
    #expect(view.rows.map { $0["parentTitle"]?.string } == [nil, "Trip", "Passport", nil])
    #expect(
      tree(try desk.get("view/list/\(list.uuid)?find=p")) == ["Trip", "  Passport", "    Photo"])
    #expect(tree(try desk.get("view/list/\(list.uuid)?find=ph")) == ["Photo"])
    _ = try desk.book.commands.perform(
      .setDone([try #require(ids["Passport"])], true, alone: true))
    #expect(tree(try desk.get("view/list/\(list.uuid)")) == ["Trip", "Bins", "Photo"])
  }

  @Test func `Views: a to-do has its sub-tasks and a link to its parent`() throws {
    let (desk, list, ids) = try desk()
    let passport = try #require(ids["Passport"])
    let trip = try #require(ids["Trip"])
    let view = try desk.get("view/todo/\(passport.uuid)")
    let back = JSON.string("lists/\(list.uuid)")
    #expect(view["head"]?["title"] == "Passport" && view["head"]?["back"] == back)
    #expect(view["head"]?["line"] == "1 sub-task, 0 closed")
    #expect(view["head"]?["colour"] == "#3d4f8f")
    #expect(
      view["parent"] == .object(("id", .string(trip.uuid)), ("words", "Part of Trip")))
    #expect(tree(view) == ["Photo"])
    #expect(view["add"]?["under"] == .string(passport.uuid))
    #expect(try desk.get("view/todo/\(trip.uuid)")["parent"] == .null)
    let item = try desk.get("item/\(passport.uuid)")
    #expect(item["parent"] == view["parent"])
    #expect(item["subtasks"]?["words"] == "1 sub-task")
    #expect(try desk.get("item/\(list.uuid)")["subtasks"] == .null)
  }

  @Test func `Views: a to-do that is deleted or unknown gets 404`() throws {
    let (desk, list, ids) = try desk()
    let trip = try #require(ids["Trip"])
    try desk.wish("delete", ("id", .string(trip.uuid)))
    for id in [trip.uuid, list.uuid, "x"] {
      #expect(try desk.answer("GET", "/api/view/todo/\(id)").status == 404, "\(id)")
      #expect(try desk.answer("GET", "/todos/\(id)").status == 404, "\(id)")
    }
  }

  @Test func `Views: a past view of a to-do has the sub-tasks of that time`() throws {
    let (desk, _, ids) = try desk()
    let id = try #require(ids["Passport"]).uuid
    let moment = try #require(try desk.get("history")["instant"]?.string)
    try desk.wish("add", ("kind", "todo"), ("text", "Form"), ("under", .string(id)))
    #expect(try desk.get("view/todo/\(id)").titles == ["Photo", "Form"])
    let query = "?at=\(PercentEncoding.encoded(moment))"
    let then = try desk.get("view/todo/\(id)\(query)")
    #expect(then.titles == ["Photo"] && then["add"] == .null)
    let document = try text(desk, "/todos/\(id)\(query)")
    #expect(document.contains("<fieldset class=\"account details fields\" disabled>"))
    #expect(!document.contains("<form"))
  }

  @Test func `Views: a search in a list finds closed and hidden to-dos too, below the open ones`()
    throws
  {
    let desk = try Desk()
    let start = try CivilDate.parse("2027-01-01")
    let done = try desk.addTodo("Buy milk")
    try desk.perform(.setDone([done], true))
    _ = try desk.addTodo("Milk the cow")
    try desk.perform(
      .addTodo(title: "Oat milk", list: .none, priority: nil, due: nil, start: start))
    let found = try desk.get("view/list/none?find=milk")
    #expect(found.titles == ["Milk the cow", "Oat milk", "Buy milk"])
    #expect(found.rows.map { $0["done"] } == [false, false, true])
    #expect(found["rest"] == .null)
  }

  // MARK: Page actions

  @Test func `Page actions: a sub-task is added to the list of its parent`() throws {
    let (desk, list, ids) = try desk()
    let trip = try #require(ids["Trip"]).uuid
    let added = try desk.wish(
      "add", ("kind", "todo"), ("text", "Tickets !high"), ("under", .string(trip)))
    #expect(added["said"] == "Added “Tickets”, part of “Trip”.")
    #expect(
      tree(try desk.get("view/list/\(list.uuid)")) == [
        "Trip", "  Tickets", "  Passport", "    Photo", "Bins",
      ])
    let refused = try desk.post(
      "do",
      .object(
        ("request", "x"), ("command", "add"), ("kind", "todo"), ("text", "Visa"), ("under", "y")))
    #expect(refused.status == 400)
  }

  @Test func `Page actions: an action on a to-do applies to its sub-tasks, which are counted`()
    throws
  {
    let (desk, list, ids) = try desk()
    let trip = JSON.string(try #require(ids["Trip"]).uuid)
    let passport = JSON.string(try #require(ids["Passport"]).uuid)
    #expect(
      try desk.wish("done", ("id", passport), ("done", true))["said"]
        == "Completed “Passport” and 1 sub-task.")
    #expect(
      try desk.wish("done", ("id", passport), ("done", false))["said"]
        == "Opened “Passport” and 1 sub-task again.")
    let photo = JSON.string(try #require(ids["Photo"]).uuid)
    try desk.wish("done", ("id", photo), ("done", true))
    #expect(
      try desk.wish("cancel", ("id", trip))["said"] == "Cancelled “Trip” and 1 sub-task.")
    try desk.wish("undo")
    #expect(tree(try desk.get("view/list/\(list.uuid)")) == ["Trip", "  Passport", "Bins"])
    _ = try desk.book.commands.perform(
      .setDone([try #require(ids["Trip"])], true, alone: true))
    #expect(
      try desk.wish("done", ("id", trip), ("done", true))["said"]
        == "Completed 1 sub-task of “Trip”.")
    #expect(
      try desk.wish("delete", ("id", trip))["said"] == "Deleted “Trip” and 2 sub-tasks.")
    #expect(try desk.get("view/list/\(list.uuid)?show=all").titles == ["Bins"])
    #expect(
      try desk.wish("restore", ("id", trip))["said"] == "Restored “Trip” and 2 sub-tasks.")
  }

  @Test func `Page actions: a to-do becomes part of another one by its title, or independent`()
    throws
  {
    let (desk, _, ids) = try desk()
    let bins = try #require(ids["Bins"])
    func edit(_ words: String) throws -> (status: Int, json: JSON) {
      try desk.post(
        "do",
        .object(
          ("request", .string("r\(words)")), ("command", "edit"), ("id", .string(bins.uuid)),
          ("fields", .object(("parent", .string(words))))))
    }
    let offered = try field(desk, bins, "parent")
    #expect(offered?["type"] == "todo" && offered?["value"] == "")
    #expect(
      offered?["options"]?.array?.map { $0["value"] } == ["Trip", "Passport", "Photo"])
    #expect(try edit("passport").status == 200)
    #expect(try field(desk, bins, "parent")?["value"] == "Passport")
    #expect(try edit("").status == 200)
    #expect(try desk.get("item/\(bins.uuid)")["parent"] == .null)
    #expect(try edit(try #require(ids["Trip"]).uuid).status == 200)
    #expect(try desk.get("item/\(bins.uuid)")["parent"]?["words"] == "Part of Trip")
    let unknown = try edit("Nonsense")
    #expect(unknown.status == 400)
    #expect(unknown.json["error"]?["message"] == "No to-do is called “Nonsense”.")
    #expect(try edit("bins").status == 400)
    let told = try desk.get("history").rows.first?["rest"]?.string
    #expect(told == "part of none → Trip · laptop")
  }

  @Test func `Page actions: a sub-task moves among the sub-tasks of its parent`() throws {
    let (desk, list, ids) = try desk()
    let trip = try #require(ids["Trip"]).uuid
    let form = try desk.wish("add", ("kind", "todo"), ("text", "Form"), ("under", .string(trip)))
    let id = try #require(form["id"]?.string)
    #expect(try desk.actions(id) == ["Move up", "Done", "Cancel to-do", "Delete"])
    try desk.wish("move", ("id", .string(id)), ("by", -1))
    #expect(
      tree(try desk.get("view/list/\(list.uuid)")) == [
        "Trip", "  Form", "  Passport", "    Photo", "Bins",
      ])
  }

  // MARK: Without a script

  @Test func `Documents: rows link to their to-dos, and name the parents of sub-tasks`() throws {
    let (desk, list, ids) = try desk()
    let document = try text(desk, "/lists/\(list.uuid)")
    let photo = try #require(ids["Photo"]).uuid
    #expect(document.contains("data-id=\"\(photo)\" aria-level=\"3\""))
    #expect(document.ranges(of: "aria-level").count == 2)
    #expect(document.contains("href=\"/\(Desk.key)/todos/\(photo)\""))
    #expect(document.contains("<span class=\"sr\">sub-task of Passport</span>"))
  }

  @Test func `Documents: a to-do is changed, and gets sub-tasks, with forms`() throws {
    let (desk, list, ids) = try desk()
    let id = try #require(ids["Passport"]).uuid
    let document = try text(desk, "/todos/\(id)")
    let trip = try #require(ids["Trip"]).uuid
    #expect(
      document.contains(
        "href=\"/\(Desk.key)/todos/\(trip)\"><bdi>Part of Trip</bdi></a>"))
    #expect(document.contains("<input type=\"hidden\" name=\"was.parent\" value=\"Trip\">"))
    #expect(document.contains("<option value=\"\(list.uuid)\" selected>Travel</option>"))
    let added = try submit(
      desk, "back=todo%2F\(id)&command=add&kind=todo&under=\(id)&text=Form")
    #expect(added.fields.first { $0.name == "Location" }?.value == "/\(Desk.key)/todos/\(id)")
    #expect(try desk.get("view/todo/\(id)").titles == ["Photo", "Form"])
    let refused = try submit(desk, "back=todo%2F\(id)&command=add&kind=todo&under=\(id)&text=+")
    #expect(refused.status == 400)
    #expect(String(decoding: refused.body, as: UTF8.self).contains("class=\"fault\""))
    let edit = "back=todo%2F\(id)&command=edit&id=\(id)"
    _ = try submit(
      desk,
      edit + "&was.parent=Trip&field.parent=&was.title=Old&field.title=Old"
        + "&was.note=&field.note=a%0D%0Ab")
    #expect(try desk.get("item/\(id)")["parent"] == .null)
    #expect(try desk.get("item/\(id)")["title"] == "Passport")
    #expect(try field(desk, #require(ids["Passport"]), "note")?["value"] == "a\nb")
    let count = try desk.get("history").rows.count
    let same = try submit(desk, edit + "&was.note=a%0D%0Ab&field.note=a%0D%0Ab")
    #expect(same.status == 303)
    #expect(try desk.get("history").rows.count == count)
  }

  @Test func `Documents: the title of a to-do and of its parent is escaped`() throws {
    let desk = try Desk()
    let title = "<script>alert(1)</script>"
    let parent = try desk.addTodo(title)
    let child = try desk.perform(
      .addTodo(
        title: title, list: .none, priority: nil, due: nil, note: "a\n</textarea>", parent: parent))
    for path in ["/lists/none", "/todos/\(parent.uuid)", "/todos/\(child.uuid)"] {
      let document = try text(desk, path)
      #expect(document.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
      #expect(!document.contains("<script>alert"))
    }
    #expect(
      try text(desk, "/todos/\(child.uuid)").contains(">\na\n&lt;/textarea&gt;</textarea>"))
  }

  @Test func `Documents: a due month stays as it is in a form`() throws {
    let desk = try Desk()
    let rent = try desk.addTodo("Rent", due: try CivilDate.parse("2026-12"))
    let tax = try desk.addTodo("Tax", due: try CivilDate.parse("2026-12-24"))
    #expect(
      try text(desk, "/todos/\(rent.uuid)").contains(
        "name=\"field.due\" value=\"2026-12\" type=\"text\""))
    #expect(
      try text(desk, "/todos/\(tax.uuid)").contains(
        "name=\"field.due\" value=\"2026-12-24\" type=\"date\""))
  }
}
