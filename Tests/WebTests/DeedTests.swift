import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel
import Testing
import Web

/// Changes made through the page.
struct DeedTests {
  private func row(_ desk: Desk, _ view: String) throws -> JSON {
    try #require(try desk.get("view/\(view)").rows.first)
  }

  @Test func `Page actions: a quick line adds a to-do to its list, and undo removes it`() throws {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Home", colour: 0x2F6F6A))
    let done = try desk.wish(
      "add", ("kind", "todo"), ("text", "Buy Eggos tomorrow"), ("list", .string(list.uuid)),
      ("priority", "high"))
    #expect(done["said"] == "Added “Buy Eggos”.")
    let row = try row(desk, "list/\(list.uuid)")
    #expect(row["id"] == done["id"])
    #expect(row["when"] == .object(("text", "Sat 21"), ("date", "2026-11-21"), ("tone", "soon")))
    #expect((row["priority"], row["done"]) == ("high", false))
    let name = try #require(done["undo"]?.string)
    #expect(try desk.wish("undo", ("step", .string(name)))["said"] == "Undid: “Buy Eggos”.")
    #expect(try desk.get("view/list/\(list.uuid)").rows.isEmpty)
    #expect(try desk.wish("redo")["said"] == "Redid: “Buy Eggos”.")
    #expect(try desk.get("view/list/\(list.uuid)").titles == ["Buy Eggos"])
  }

  @Test func `Page actions: a repeated request is carried out once`() throws {
    let desk = try Desk()
    let wish = JSON.object(
      ("request", "same"), ("command", "add"), ("kind", "todo"), ("text", "Sweep"))
    let first = try desk.post("do", wish)
    let second = try desk.post("do", wish)
    #expect(first.json == second.json)
    #expect(try desk.get("view/list/none").titles == ["Sweep"])
  }

  @Test func `Page actions: fields accept the same forms as the command line`() throws {
    let desk = try Desk()
    let id = try desk.addTodo("Sweep")
    try desk.wish(
      "edit", ("id", .string(id.uuid)),
      ("fields", .object(("due", "fri"), ("tags", "home, floor"), ("note", "all of it"))))
    let fields = try desk.get("item/\(id.uuid)")["fields"]?.array ?? []
    let values = fields.map { "\($0["name"]?.string ?? "")=\($0["value"]?.string ?? "")" }
    #expect(
      values == [
        "title=Sweep", "list=", "priority=normal", "due=2026-11-27", "dueTime=", "start=",
        "repeat=", "remind=", "parent=", "note=all of it", "tags=floor, home",
      ])
    let bad = JSON.object(
      ("request", "x"), ("command", "edit"), ("id", .string(id.uuid)),
      ("fields", .object(("priority", "urgent"))))
    let refused = try desk.post("do", bad)
    #expect(refused.status == 400)
    #expect(
      refused.json["error"]?["message"]
        == "The priority cannot be 'urgent'. Use low, normal or high.")
  }

  @Test func `Page actions: an invalid field value is refused in the page's terms`() throws {
    let desk = try Desk()
    let id = try desk.wish("add", ("kind", "birthday"), ("text", "Grace 9 Dec 1906"))["id"]
    let refusals = try [("lead", "3x"), ("leapRule", "never")].map { name, words in
      try desk.post(
        "do",
        .object(
          ("request", .string(name)), ("command", "edit"), ("id", id ?? .null),
          ("fields", .object((name, .string(words)))))
      ).json["error"]?["message"]?.string
    }
    #expect(
      refusals == [
        "The reminders cannot be '3x'. \(LeadTimes.advice)",
        "The leap rule cannot be 'never'. Use february-28 or march-1.",
      ])
  }

  @Test func `Page actions: a list with the name of an existing one is added and reported`() throws
  {
    let desk = try Desk()
    let said = try ["Home", "home", "Home"].map {
      try desk.wish("add", ("kind", "list"), ("text", .string($0)))["said"]
    }
    #expect(
      said == [
        "Added “Home”.", "Added “home”.", "Added “Home”. Another list has the same name.",
      ])
  }

  @Test func `Page actions: each new list gets a colour of its own`() throws {
    let desk = try Desk()
    for name in ["A", "B"] { try desk.wish("add", ("kind", "list"), ("text", .string(name))) }
    let lists = try desk.get("view/lists").rows
    #expect(lists.map { $0["colour"] } == ["#2f6f6a", "#3d4f8f"])
  }

  @Test func `Page actions: a change in a past view is refused with 423`() throws {
    let desk = try Desk()
    let wish = JSON.object(
      ("request", "x"), ("command", "add"), ("kind", "todo"), ("text", "Sweep"),
      ("at", "2026-11-20T09:00:00Z"))
    #expect(try desk.post("do", wish).status == 423)
    #expect(try desk.get("view/list/none").rows.isEmpty)
  }

  @Test(arguments: ["{}", "[]", "{\"command\":\"add\"}", "{\"command\":\"fly\",\"request\":\"a\"}"])
  func `Page actions: a malformed request is refused with 400`(text: String) throws {
    let desk = try Desk()
    let (status, json) = try desk.post("do", JSON(parsing: Array(text.utf8)))
    #expect(status == 400)
    #expect(json["error"]?["code"] == "bad-request")
  }

  @Test
  func `Page actions: a to-do moves only among to-dos with the same state, priority and due date`()
    throws
  {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Home", colour: nil))
    let urgent = try desk.addTodo("Urgent", list: list, priority: .high)
    let ids = try ["One", "Two"].map { try desk.addTodo($0, list: list) }
    let shown = { try desk.get("view/list/\(list.uuid)").titles }
    #expect(try shown() == ["Urgent", "One", "Two"])
    let others = ["Done", "Cancel to-do", "Delete"]
    #expect(try desk.actions(ids[0].uuid) == ["Move down"] + others)
    #expect(try desk.actions(urgent.uuid) == others)
    try desk.wish("move", ("id", .string(ids[1].uuid)), ("by", -1))
    #expect(try shown() == ["Urgent", "Two", "One"])
  }

  @Test
  func `Page actions: a delete reports the records that are deleted with the list or question`()
    throws
  {
    let desk = try Desk()
    let list = try desk.perform(.addList(name: "Work", colour: nil))
    for title in ["One", "Two"] { _ = try desk.addTodo(title, list: list) }
    let question = try desk.perform(.addQuestion(content: "Lunch?", choices: []))
    try desk.wish(
      "add", ("kind", "choice"), ("question", .string(question.uuid)), ("text", "Noodles:3"))
    let choice = try #require(try desk.get("view/question/\(question.uuid)").rows.first)
    #expect((choice["title"], choice["weight"]) == ("Noodles", 3))
    #expect(
      try desk.wish("delete", ("id", .string(list.uuid)))["said"]
        == "Deleted “Work”, and with it 2 to-dos.")
    #expect(
      try desk.wish("delete", ("id", .string(question.uuid)))["said"]
        == "Deleted “Lunch?”, and with it 1 choice.")
  }

  @Test func `Page actions: to-dos move up and down among their neighbours`() throws {
    let desk = try Desk()
    let ids = try ["A", "B", "C"].map { try desk.addTodo($0) }
    try desk.wish("move", ("id", .string(ids[2].uuid)), ("by", -1))
    try desk.wish("move", ("id", .string(ids[0].uuid)), ("by", 1))
    let order = try desk.book.view().todos.todos(by: .position).map(\.title)
    #expect(order == ["C", "A", "B"])
    let said = try desk.wish("move", ("id", .string(ids[2].uuid)), ("by", -1))["said"]
    #expect(said == "It cannot be moved further.")
  }

  @Test func `Page actions: a draw is shown with its weights and arithmetic`() throws {
    let desk = try Desk()
    let question = try desk.perform(
      .addQuestion(
        content: "Lunch?", choices: [("Noodles", 3 as Int64), ("Salad", 2), ("Toast", 1)]))
    let id = try #require(try desk.get("view/questions").rows.first?["id"]?.string)
    #expect(question.uuid != id)
    let view = try desk.get("view/question/\(id)")
    #expect(view.rows.map { $0["percent"]?.string ?? "" } == ["50 %", "33 %", "17 %"])
    #expect(view["question"]?["answer"] == .null)
    let done = try desk.wish("pick", ("id", .string(id)))
    let answer = try #require(done["answer"])
    let title = try #require(answer["title"]?.string)
    #expect(done["said"] == .string("The answer to Lunch? is \(title)."))
    let ticket = try #require(answer["ticket"]?.integer)
    let holders = answer["holders"]?.array ?? []
    let holder = holders.first { ($0["from"]?.integer ?? 0)...($0["to"]?.integer ?? 0) ~= ticket }
    #expect(holder?["title"]?.string == title)
    #expect(holders.count == 3)
    #expect(holders.last?["to"] == 6)
    #expect(try desk.get("view/question/\(id)")["question"]?["answer"] == answer)
    try desk.wish("delete", ("id", try #require(answer["choice"])))
    #expect(try desk.get("view/questions").rows.first?["answer"]?.string == title)
  }

  @Test func `Page actions: settling all offers an undo only if it reverts everything`() throws {
    let desk = try Desk()
    for (titles, note) in [(["Mop", "Dust"], true), (["Rake", "Hoe"], false)] {
      let ids = try titles.map { title in
        try desk.perform(
          .addTodo(
            title: title, list: .none, priority: nil, due: nil, note: note ? "about \(title)" : nil)
        )
      }
      _ = try desk.book.commands.perform(.merge(ids[0], ids[1], keepsBoth: true))
      let done = try desk.wish("settle", ("all", true))
      #expect(
        done["said"]?.string
          == "Settled \(note ? "2 conflicts" : "1 conflict"). The newest \(note ? "versions were" : "version was") kept."
      )
      #expect((done["undo"]?.string == nil) == note)
      #expect(try desk.get("view/conflicts").rows.isEmpty)
    }
  }

  @Test func `Page actions: forms work without a script`() throws {
    let desk = try Desk()
    func submit(_ form: String) throws -> HTTPResponse {
      try desk.answer(
        "POST", "/do", ["content-type": "application/x-www-form-urlencoded"],
        body: Array(form.utf8))
    }
    let added = try submit("back=lists&command=add&kind=any&text=Sweep+tomorrow%21")
    #expect(added.status == 303)
    #expect(added.fields.first { $0.name == "Location" }?.value == "/\(Desk.key)/lists")
    let row = try row(desk, "list/none")
    #expect(row["title"] == "Sweep tomorrow!")
    let id = try #require(row["id"]?.string)
    _ = try submit("back=today&command=done&done=true&id=\(id)")
    #expect(try self.row(desk, "list/none?show=all")["done"] == true)
    _ = try submit("command=delete&id=\(id)")
    #expect(try desk.get("view/list/none").rows.isEmpty)
    let refused = try submit("command=add&kind=todo&text=Pay+3%2F4&back=lists%2Fnone")
    let document = String(decoding: refused.body, as: UTF8.self)
    #expect(refused.status == 400)
    #expect(document.contains("value=\"Pay 3/4\""))
    #expect(
      document.contains(
        "role=\"alert\">&#39;3/4&#39; means different dates in different countries."))
    let lost = try submit("command=done&done=true&id=b05bdb90-640e-89aa-a8dc-1f2713bf95da")
    #expect(lost.status == 404)
    #expect(String(decoding: lost.body, as: UTF8.self).contains("That did not work"))
  }
}
