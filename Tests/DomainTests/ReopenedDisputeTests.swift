import Bytes
import Domain
import Testing

/// Disputes of joined to-dos that the undo of a command reopens.
struct ReopenedDisputeTests {
  private let title = Field.Todo.title

  /// Creates two to-dos, which the first device joins while the second device deletes one of them.
  ///
  /// The join writes to the second to-do, so the deletion of this to-do is in dispute.
  private func joined(
    addedBy adder: Int = 0, deleting place: Int = 1,
    after prepare: (inout Story, EventKey) throws -> Void = { _, _ in }
  ) throws -> (story: Story, keys: [EventKey], joining: [Fact]) {
    var story = Story(devices: 2)
    let keys = try ["Milk", "Bread"].map { title in
      try story.run(.addTodo(title: title), by: adder)[0].key
    }
    story.sync()
    try prepare(&story, keys[0])
    story.sync()
    let joining = try story.run(.join(keys[0], keys[1]))
    try story.run(.edit(keys[place], [.note: .text("fresh")]))
    try story.run(.delete([keys[place]]), by: 1)
    story.sync()
    return (story, keys, joining)
  }

  private func reopening(_ key: EventKey, _ writes: [Write] = []) -> Body {
    Body(.edit, .entity(key), writes + [Write(.disputed, .boolean(true))])
  }

  @Test(arguments: [0, 1])
  func `Undo: only the member that was in dispute is in dispute again`(adder: Int) throws {
    var (story, keys, joining) = try joined(addedBy: adder)
    #expect(story.document(keys[0])?.deleteAgainstEdit?.members == [keys[1]])
    let delete = try story.run(.delete([keys[0]]))
    let undo = story.undo(delete)
    #expect(
      undo.facts.map(\.body) == [
        Body(.restore, .entity(keys[0])), Body(.restore, .entity(keys[1])), reopening(keys[1]),
      ])
    #expect(story.document(keys[0])?.deleteAgainstEdit?.members == [keys[1]])
    // After the records are separated, only the undone command has deleted the first to-do.
    story.undo(joining)
    #expect(story.document(keys[0])?.members == [keys[0]])
    #expect(story.isAlive(keys[0]))
    #expect(story.document(keys[0])?.deleteAgainstEdit == nil)
  }

  @Test func `Undo: a member that was deleted and restored long ago is not in dispute again`()
    throws
  {
    var (story, keys, joining) = try joined(addedBy: 1) { story, key in
      try story.run(.delete([key]))
      try story.run(.restore(key))
    }
    story.undo(try story.run(.delete([keys[0]])))
    story.undo(joining)
    #expect(story.document(keys[0])?.members == [keys[0]])
    #expect(story.document(keys[0])?.deleteAgainstEdit == nil)
  }

  @Test func `Undo: the edits of other members do not settle the dispute that it reopens`() throws {
    var (story, keys, _) = try joined(deleting: 0)
    let edit = try story.run(.edit(keys[0], [title: .text("Tea")]))
    #expect(story.document(keys[0])?.deleteAgainstEdit == nil)
    let undo = story.undo(edit)
    let write = Write(title, .text("Milk"))
    #expect(
      undo.facts.map(\.body) == [
        Body(.edit, .entity(keys[1]), [write]), reopening(keys[0], [write]),
      ])
    #expect(story.document(keys[0])?.deleteAgainstEdit?.members == [keys[0]])
  }

  @Test func `Undo: a dispute that the undone edit has no part in stays open`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    let note = try story.run(.edit(key, [.note: .text("fresh")]), by: 1)
    try story.run(.edit(key, [title: .text("Bread")]), by: 1)
    try story.run(.delete([key]))
    story.sync()
    let undo = story.undo(note, by: 1)
    #expect(undo.facts.map(\.body) == [reopening(key, [Write(.note, .null)])])
    #expect(story.document(key)?.deleteAgainstEdit != nil)
    story.undo(undo.facts, by: 1)
    #expect(story.text(.note, key) == "fresh")
    #expect(story.document(key)?.deleteAgainstEdit != nil)
  }

  @Test func `Undo: a dispute that another device has reopened stays open`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    let edit = try story.run(.edit(key, [title: .text("Bread")]), by: 1)
    try story.run(.delete([key]))
    story.sync()
    story.undo(try story.run(.restore(key)))
    story.sync()
    let undo = story.undo(edit, by: 1)
    #expect(undo.facts.map(\.body) == [reopening(key, [Write(title, .text("Milk"))])])
    #expect(story.document(key)?.deleteAgainstEdit != nil)
  }

  @Test func `Undo: the dispute of a list stays open if the undo moves a to-do back to the list`()
    throws
  {
    var story = Story(devices: 2)
    let list = try story.run(.addList(name: "Home"))[0].key
    let todo = try story.run(.addTodo(title: "Milk", list: list))[0].key
    story.sync()
    let move = try story.run(.edit(todo, [Field.Todo.list: .null]), by: 1)
    try story.run(.edit(list, [Field.List.name: .text("House")]), by: 1)
    try story.run(.delete([list]))
    story.sync()
    let undo = story.undo(move, by: 1)
    let write = Write(Field.Todo.list, .reference(list))
    #expect(undo.facts.map(\.body) == [Body(.edit, .entity(todo), [write]), reopening(list)])
    #expect(story.document(list)?.deleteAgainstEdit != nil)
  }

  @Test func `Dispute: a device is not in dispute with itself`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    try story.run(.delete([key]))
    try story.run(.restore(key))
    story.write([Draft(.edit, .entity(key), [Write(.disputed, .boolean(true))])])
    #expect(story.isAlive(key))
    #expect(story.document(key)?.deleteAgainstEdit == nil)
    // Another device that also gave it life may have been in dispute with the delete.
    story.sync()
    try story.run(.edit(key, [title: .text("Bread")]), by: 1)
    story.write([Draft(.edit, .entity(key), [Write(.disputed, .boolean(true))])])
    let dispute = story.document(key)?.deleteAgainstEdit
    #expect(dispute.map { [$0.delete.key.log, $0.giver.key.log] } == [0, 1])
  }
}
