import Bytes
import Daybook
import Domain
import Testing

@testable import Web

/// To-dos that are hidden, done or cancelled, on the page.
struct ClosedTodoTests {
  /// Creates a desk with one to-do of each state on a list, or on none.
  private func desk(on list: Request.ListChoice) throws -> (desk: Desk, ids: [UniqueID]) {
    let desk = try Desk()
    let ids = try ["Mop", "Sweep", "Old"].map { title in
      try desk.perform(.addTodo(title: title, list: list, priority: nil, due: nil))
    }
    let start = try CivilDate.parse("2027-01-01")
    try desk.perform(.addTodo(title: "Paint", list: list, priority: nil, due: nil, start: start))
    try desk.wish("done", ("id", .string(ids[1].uuid)), ("done", true))
    try desk.wish("cancel", ("id", .string(ids[2].uuid)))
    return (desk, ids)
  }

  @Test func `Views: a list shows open to-dos, and all of them on request`() throws {
    let (desk, _) = try desk(on: .none)
    let view = try desk.get("view/list/none")
    #expect(view.titles == ["Mop"])
    #expect(view["head"]?["title"] == "No list")
    #expect(view["head"]?["line"] == "1 to do, 1 hidden, 1 done, 1 cancelled")
    #expect(view["rest"] == "Show 1 hidden, 1 done, 1 cancelled" && view["showsAll"] == false)
    let all = try desk.get("view/list/none?show=all")
    #expect(all.titles == ["Mop", "Paint", "Old", "Sweep"])
    #expect(all["rest"] == "Show only open to-dos" && all["showsAll"] == true)
    #expect(all.rows.map { $0["done"] } == [false, false, true, true])
    #expect(all.rows.map { $0["cancelled"] } == [false, false, true, false])
    #expect(all.rows.map { $0["when"]?["text"]?.string } == [nil, nil, "cancelled", "done"])
    #expect(try desk.answer("GET", "/api/view/list/none?show=some").status == 400)
  }

  @Test func `Views: the card of the to-dos on no list stays while any of them exists`() throws {
    let (desk, ids) = try desk(on: .none)
    let lists = try desk.get("view/lists")
    #expect(lists.titles == ["No list"] && lists.rows.first?["open"] == 1)
    #expect(lists["head"]?["line"] == "0 lists, 1 to-do open")
    try desk.wish("done", ("id", .string(ids[0].uuid)), ("done", true))
    let later = try desk.get("view/lists")
    #expect(later.titles == ["No list"] && later.rows.first?["open"] == 0)
    #expect(try desk.get("view/list/none")["empty"]?["sentence"] == "Nothing to do here.")
  }

  @Test func `Page actions: a to-do is cancelled and opened again, and the history says so`()
    throws
  {
    let (desk, ids) = try desk(on: .none)
    let id = JSON.string(ids[0].uuid)
    let open = ["Done", "Cancel to-do", "Delete"]
    #expect(try desk.actions(ids[0].uuid) == open)
    #expect(try desk.wish("cancel", ("id", id))["said"] == "Cancelled “Mop”.")
    #expect(try desk.wish("cancel", ("id", id))["said"] == "Nothing to change.")
    let item = try desk.get("item/\(ids[0].uuid)")
    #expect(try desk.actions(ids[0].uuid) == ["Open again", "Delete"])
    #expect(item["history"]?.array?.first?["words"]?.string?.hasPrefix("Cancelled") == true)
    let names = (item["fields"]?.array ?? []).compactMap { $0["name"]?.string }
    #expect(names.contains("start") && !names.contains("cancelled"))
    try desk.wish("done", ("id", id), ("done", false))
    #expect(try desk.actions(ids[0].uuid) == open)
    let verbs = try desk.get("history").rows.compactMap { $0["verb"]?.string }
    #expect(Array(verbs.prefix(2)) == ["Opened again", "Cancelled"])
  }

  @Test func `Documents: without a script, a list links to the to-dos it leaves out`() throws {
    let (desk, _) = try desk(on: .none)
    func document(_ query: String) throws -> String {
      let response = try desk.answer("GET", "/lists/none\(query)")
      return String(decoding: response.body, as: UTF8.self)
    }
    #expect(
      try document("").contains(
        "lists/none?show=all\">Show 1 hidden, 1 done, 1 cancelled</a>"))
    let all = try document("?show=all")
    #expect(all.contains("lists/none\">Show only open to-dos</a>"))
    #expect(all.contains("check done cancelled") && all.contains("check done"))
  }
}
