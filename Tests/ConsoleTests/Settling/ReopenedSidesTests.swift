import Console
import Testing

/// Conflicts that an undo reopens: the devices of their sides, and the changes that settle them.
struct ReopenedSidesTests {
  /// Creates a to-do that the laptop deleted and the phone edited.
  private func deletedAndEdited() throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("delete", "Sweep")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--note", "stairs")
    stage.meet()
    return stage
  }

  /// Returns the text and device of each side.
  private func sides(_ stage: Stage, _ words: String...) -> [String] {
    stage.run(words + ["conflicts"]).output.split(separator: "\n").dropFirst().map { line in
      let line = line.replacing("record", with: "")
      return line.split(separator: " ", omittingEmptySubsequences: true).prefix(3)
        .joined(separator: " ")
    }
  }

  @Test
  func `Reopened conflict: both sides of a delete in conflict with an edit keep their devices`()
    throws
  {
    let stage = try deletedAndEdited()
    let before = sides(stage)
    #expect(before.count == 2)
    _ = stage.answer("-C", "phone", "resolve", "Sweep", "--take", "delete")
    _ = stage.answer("-C", "phone", "undo")
    stage.meet()
    #expect(sides(stage) == before)
    _ = stage.answer("resolve", "Sweep", "--take", "theirs")
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    _ = stage.answer("undo")
    #expect(sides(stage) == before)
    stage.meet()
    let kept = stage.answer("-C", "phone", "resolve", "Sweep", "--take", "mine")
    #expect(kept.hasPrefix("Kept todo ") && kept.hasSuffix(", although laptop deleted it.\n"))
  }

  @Test(arguments: ["keep", "delete"])
  func `Reopened conflict: the undo of the edit leaves it open`(_ word: String) throws {
    let stage = try deletedAndEdited()
    _ = stage.answer("resolve", "Sweep", "--take", word)
    _ = stage.answer("undo")
    stage.meet()
    let open = sides(stage)
    let undone = stage.answer("-C", "phone", "undo")
    #expect(undone.contains(" is still in conflict, because one device deleted it"), "\(undone)")
    stage.meet()
    #expect(sides(stage) == open)
    #expect(sides(stage, "-C", "phone").count == 2)
    #expect(!stage.answer("list", "todos").contains("stairs"))
    _ = stage.answer("-C", "phone", "redo")
    stage.meet()
    #expect(sides(stage) == open)
  }

  @Test func `Reopened conflict: once it is settled, a later conflict names its own devices`()
    throws
  {
    let stage = try deletedAndEdited()
    let first = sides(stage)
    _ = stage.answer("-C", "phone", "resolve", "Sweep", "--take", "delete")
    _ = stage.answer("-C", "phone", "undo")
    stage.meet()
    _ = stage.answer("resolve", "Sweep", "--take", "theirs")
    stage.meet()
    _ = stage.answer("-C", "phone", "delete", "Sweep")
    _ = stage.answer("edit", "Sweep", "--note", "floor")
    stage.meet()
    let later = sides(stage)
    #expect(later.count == 2 && later != first)
    // The devices have changed sides: this one has edited the to-do, the phone has deleted it.
    let kept = stage.answer("resolve", "Sweep", "--take", "mine")
    #expect(
      kept.hasPrefix("Kept todo ") && kept.hasSuffix(", although laptop 2 deleted it.\n"), "\(kept)"
    )
  }

  /// Creates two joined to-dos, and deletes one of them on the phone, which has not seen the join.
  private func joined(deleting title: String) throws -> Stage {
    let stage = try Stage.pair()
    _ = stage.answer("add", "todo", "Mop")
    stage.meet()
    _ = stage.answer("merge", "Sweep", "Mop")
    _ = stage.answer("edit", "Sweep", "--note", "stairs")
    _ = stage.answer("-C", "phone", "delete", title)
    stage.meet()
    return stage
  }

  @Test
  func `Reopened conflict: a record that only the undone command deleted has none once separated`()
    throws
  {
    let stage = try joined(deleting: "Mop")
    let open = stage.answer("conflicts")
    #expect(open.contains("keep or delete"))
    _ = stage.answer("resolve", "Sweep", "--take", "delete")
    _ = stage.answer("undo")
    #expect(stage.answer("conflicts") == open)
    _ = stage.answer("undo", "2")
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    #expect(stage.answer("list", "todos").contains("Sweep"))
    stage.meet()
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
  }

  @Test func `Reopened conflict: the undo of an edit of joined records reopens it`() throws {
    let stage = try joined(deleting: "Sweep")
    let open = stage.answer("conflicts")
    #expect(open.contains("keep or delete"))
    _ = stage.answer("edit", "Sweep", "--title", "Dust")
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    #expect(stage.answer("undo").contains(" is in conflict again, "))
    #expect(stage.answer("conflicts") == open)
  }

  @Test func `Reopened conflict: a past state names the authors of both values`() throws {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--note", "stairs")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--note", "floor")
    stage.meet()
    _ = stage.answer("-C", "phone", "resolve", "Sweep", "note", "--take", "stairs")
    _ = stage.answer("-C", "phone", "undo")
    stage.meet()
    let now = stage.answer("conflicts")
    #expect(now.contains("laptop 2") && now.contains("laptop  "))
    // A conflict in the past is shown without commands, because it cannot be settled.
    let past = now.replacing(#/ +daybook resolve [^\n]*/#, with: "")
    #expect(stage.answer("at", "2026-11-21", "conflicts") == past)
  }

  @Test func `Reopened conflict: sides that had settled an earlier conflict keep their authors`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("edit", "Sweep", "--note", "stairs")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--note", "floor")
    stage.meet()
    _ = stage.answer("resolve", "Sweep", "note", "--take", "floor")
    _ = stage.answer("-C", "phone", "resolve", "Sweep", "note", "--take", "stairs")
    stage.meet()
    let open = stage.answer("conflicts")
    let why = stage.answer("why", "Sweep.note")
    _ = stage.answer("resolve", "Sweep", "note", "--value", "attic")
    _ = stage.answer("undo")
    #expect(stage.answer("conflicts") == open)
    #expect(stage.answer("why", "Sweep.note") == why)
  }

  @Test func `Reopened conflict: the change that settles it reports this, and its undo reopens it`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("add", "question", "Lunch")
    stage.meet()
    for title in ["Home", "Lunch"] {
      _ = stage.answer("delete", title)
      _ = stage.answer("-C", "phone", "edit", title, "--note", "mine")
    }
    stage.meet()
    let open = stage.answer("-C", "phone", "conflicts")
    let moved = stage.answer("-C", "phone", "move", "Sweep", "--to", "Home")
    #expect(moved.contains(" The change keeps list "), "\(moved)")
    #expect(moved.contains(" Home, although laptop deleted it."), "\(moved)")
    let added = stage.answer("-C", "phone", "add", "choice", "Lunch", "soup")
    #expect(added.contains(" Lunch, although laptop deleted it."), "\(added)")
    #expect(stage.answer("-C", "phone", "conflicts") == "No conflicts.\n")
    let undone = stage.answer("-C", "phone", "undo", "2")
    #expect(undone.contains("in conflict again"), "\(undone)")
    #expect(stage.answer("-C", "phone", "conflicts") == open)
  }

  @Test func `Reopened conflict: a record on a deleted list is not listed`()
    throws
  {
    let stage = try Stage.pair()
    _ = stage.answer("add", "list", "Home")
    _ = stage.answer("move", "Sweep", "--to", "Home")
    stage.meet()
    _ = stage.answer("edit", "Sweep", "--title", "Sweep stairs")
    _ = stage.answer("-C", "phone", "edit", "Sweep", "--title", "Sweep floor")
    _ = stage.answer("-C", "phone", "delete", "Home")
    stage.meet()
    #expect(stage.answer("conflicts") == "No conflicts.\n")
    _ = stage.answer("restore", "Home")
    #expect(stage.answer("conflicts").contains("--take mine"))
  }

  @Test func `Diff: a conflict with a deletion is shown`() throws {
    let stage = try deletedAndEdited()
    let told = stage.answer("diff", "2026-11-20T09:05:30Z")
    #expect(told.contains("in conflict with a deletion"), "\(told)")
  }
}
