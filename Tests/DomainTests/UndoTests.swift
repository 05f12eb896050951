import Bytes
import Domain
import Testing

@Suite struct UndoTests {
  private func title(_ text: String) -> [Field: Value] { [Field.Todo.title: .text(text)] }

  @Test func `Undo: an add is deleted, and redo restores it`() throws {
    var story = Story()
    let add = try story.run(.addTodoInNewList(title("Milk"), listName: "Shopping"))
    let undo = story.undo(add)
    #expect(undo.facts.map(\.body) == add.map { Body(.delete, .entity($0.key)) })
    let redo = story.undo(undo.facts)
    #expect(redo.facts.map(\.body) == add.map { Body(.restore, .entity($0.key)) })
    #expect(story.document(add[1].key).flatMap(Todo.init)?.list == add[0].key)
    #expect(!story.undo(redo.facts).facts.isEmpty)
    #expect(!story.isAlive(add[0].key) && !story.isAlive(add[1].key))
  }

  @Test func `Undo: undoing an edit writes the former values, and redo writes the new ones`() throws
  {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    let edit = try story.run(
      .edit(
        key,
        [
          Field.Todo.title: .text("Bread"),
          Field.Todo.due: .date(try CivilDate.parse("2026-12-24")),
        ]))
    let undo = story.undo(edit)
    #expect(
      undo.facts.map(\.body) == [
        Body(
          .edit, .entity(key),
          [Write(Field.Todo.title, .text("Milk")), Write(Field.Todo.due, .null)])
      ])
    #expect(undo.left == [])
    story.undo(undo.facts)
    #expect(story.text(Field.Todo.title, key) == "Bread")
    #expect(story.document(key).flatMap(Todo.init)?.due?.iso == "2026-12-24")
  }

  @Test func `Undo: a value that has changed since is left unchanged and reported`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    let edit = try story.run(
      .edit(key, [Field.Todo.title: .text("Bread"), Field.Todo.priority: .integer(2)]))
    story.sync()
    try story.run(.edit(key, title("Butter")), by: 1)
    story.sync()
    let undo = story.undo(edit)
    let id = try #require(story.document(key)?.id)
    #expect(
      undo.facts.map(\.body) == [Body(.edit, .entity(key), [Write(Field.Todo.priority, .null)])])
    #expect(
      undo.left == [.init(kind: .todo, id: id, field: Field.Todo.title, reason: .shownAnyway)])
    #expect(story.undo(edit).facts.isEmpty)
  }

  @Test func `Undo: undoing a delete restores a record that is shown only by a concurrent edit`()
    throws
  {
    var story = Story(devices: 3)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    let delete = try story.run(.delete([key]))
    let other = try story.run(.delete([key]), by: 2)
    try story.run(.edit(key, title("Bread")), by: 1)
    story.sync()
    let id = try #require(story.document(key)?.id)
    // The other delete is still in conflict with the edit.
    #expect(
      story.undo(other).left == [.init(kind: .todo, id: id, field: nil, reason: .shownAnyway)])
    #expect(story.document(key)?.deleteAgainstEdit != nil)
    let undo = story.undo(delete + other)
    #expect(undo.facts.map(\.body) == [Body(.restore, .entity(key))])
    #expect(story.document(key)?.deleteAgainstEdit == nil)
  }

  @Test func `Undo: undoing a settled conflict writes all its values`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    try story.run(.edit(key, title("Bread")), by: 0)
    try story.run(.edit(key, title("Butter")), by: 1)
    story.sync()
    let edit = try story.run(.edit(key, title("Cheese")))
    let undo = story.undo(edit)
    let values: [Value] = [.text("Butter"), .text("Bread")]
    #expect(story.document(key)?.shown(Field.Todo.title)?.survivors.map(\.value) == values)
    #expect(story.document(key)?.conflicts.map(\.field) == [Field.Todo.title])
    story.undo(undo.facts)
    #expect(story.text(Field.Todo.title, key) == "Cheese")
    #expect(story.document(key)?.conflicts == [])
  }

  @Test func `Undo: undoing an untick restores the completion time`() throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    try story.run(.setDone([key], true))
    let completedAt = try #require(story.document(key).flatMap(Todo.init)?.completedAt)
    let untick = try story.run(.setDone([key], false))
    #expect(story.document(key).flatMap(Todo.init)?.completedAt == nil)
    let undo = story.undo(untick)
    #expect(
      undo.facts.map(\.body) == [
        Body(
          .edit, .entity(key),
          [
            Write(Field.Todo.done, .boolean(true)),
            Write(Field.Todo.completedAt, .integer(completedAt)),
          ])
      ])
    #expect(story.document(key).flatMap(Todo.init)?.completedAt == completedAt)
    story.undo(undo.facts)
    #expect(story.document(key).flatMap(Todo.init)?.completedAt == nil)
  }

  @Test func `Undo: undoing a delete restores every member with its children`() throws {
    var story = Story()
    let home = try story.run(.addList(name: "Home"))[0].key
    let house = try story.run(.addList(name: "House"))[0].key
    let todo = try story.run(.addTodo(title: "Milk", list: house))[0].key
    story.write([Draft(.alias, .entity(home), [Write(.with, .reference(house))])])
    let delete = try story.run(.delete([house]))
    #expect(story.records.document(of: todo).map(story.records.isShown) == false)
    let undo = story.undo(delete)
    #expect(
      undo.facts.map(\.body) == [Body(.restore, .entity(home)), Body(.restore, .entity(house))])
    #expect(story.records.document(of: todo).map(story.records.isShown) == true)
    let redo = story.undo(undo.facts)
    #expect(
      redo.facts.map(\.body) == [Body(.delete, .entity(home)), Body(.delete, .entity(house))])
  }

  @Test func `Undo: undoing a restore deletes again unless the record was edited since`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    try story.run(.delete([key]))
    let restore = try story.run(.restore(key))
    let undo = story.undo(restore)
    #expect(undo.facts.map(\.body) == [Body(.delete, .entity(key))])
    let again = story.undo(undo.facts)
    story.sync()
    try story.run(.edit(key, title("Bread")), by: 1)
    story.sync()
    let left = story.undo(again.facts)
    let id = try #require(story.document(key)?.id)
    #expect(left.facts.isEmpty)
    #expect(left.left == [.init(kind: .todo, id: id, field: nil, reason: .keptAnyway)])
  }

  @Test func `Undo: an edit of a deleted record is left unchanged and reported`() throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    let edit = try story.run(.edit(key, title("Bread")))
    try story.run(.delete([key]))
    let undo = story.undo(edit)
    let id = try #require(story.document(key)?.id)
    #expect(undo.facts.isEmpty)
    #expect(undo.left == [.init(kind: .todo, id: id, field: Field.Todo.title, reason: .dead)])
  }

  @Test func `Undo: undoing an edit that revived a record deletes it again`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    try story.run(.delete([key]), by: 1)
    let edit = try story.run(.edit(key, title("Bread")), by: 0)
    story.sync()
    #expect(story.isAlive(key))
    let undo = story.undo(edit)
    #expect(
      undo.facts.map(\.body) == [
        Body(.edit, .entity(key), [Write(Field.Todo.title, .text("Milk"))]),
        Body(.delete, .entity(key)),
      ])
    #expect(!story.isAlive(key))
  }

  @Test func `Undo: undoing a to-do that revived its list deletes both`() throws {
    var story = Story(devices: 2)
    let list = try story.run(.addList(name: "Home"))[0].key
    story.sync()
    try story.run(.delete([list]), by: 1)
    let add = try story.run(.addTodo(title: "Milk", list: list), by: 0)
    story.sync()
    #expect(story.isAlive(list))
    story.undo(add)
    #expect(!story.isAlive(list) && !story.isAlive(add[0].key))
  }

  @Test func `Undo: undoing a join separates the records, and redo joins them`() throws {
    var story = Story()
    let bob = try story.run(.addBirthday(firstName: "Bob"))[0].key
    let rob = try story.run(.addBirthday(firstName: "Rob"))[0].key
    let alias = story.write([
      Draft(.alias, .entity(bob), [Write(.with, .reference(rob))]),
      Draft(.edit, .entity(bob), [Write(Field.Birthday.firstName, .text("Robert"))]),
      Draft(.edit, .entity(rob), [Write(Field.Birthday.firstName, .text("Robert"))]),
    ])
    let undo = story.undo(alias)
    #expect(story.document(bob)?.members == [bob])
    #expect(story.text(Field.Birthday.firstName, bob) == "Bob")
    #expect(story.text(Field.Birthday.firstName, rob) == "Rob")
    story.undo(undo.facts)
    #expect(story.document(bob)?.members == [bob, rob])
    #expect(story.text(Field.Birthday.firstName, rob) == "Robert")
    #expect(story.document(bob)?.conflicts == [])
  }

  @Test func `Undo: undoing an edit of joined records also overwrites the other members`() throws {
    var story = Story()
    let bob = try story.run(.addBirthday(firstName: "Bob"))[0].key
    let rob = try story.run(.addBirthday(firstName: "Rob"))[0].key
    story.write([Draft(.alias, .entity(bob), [Write(.with, .reference(rob))])])
    let edit = try story.run(.edit(bob, [Field.Birthday.firstName: .text("Robert")]))
    let undo = story.undo(edit)
    #expect(undo.facts.map(\.body.target) == [.entity(bob), .entity(rob)])
    // The two names differed before, and this conflict was never settled.
    let name = try #require(story.document(bob)?.shown(Field.Birthday.firstName))
    #expect(name.survivors.map(\.value) == [.text("Rob"), .text("Bob")])
    #expect(name.isConflict)
  }

  @Test func `Undo: undoing an add to a shared source restores the former values`() throws {
    var story = Story()
    let source = Source(uidText: "A000069")
    let key = try story.run(.add(.list, [Field.List.name: .text("Home")], source: source))[0].key
    let twin = try story.run(.add(.list, [Field.List.name: .text("House")], source: source))
    #expect(story.text(Field.List.name, key) == "House")
    let undo = story.undo(twin)
    #expect(story.isAlive(key))
    #expect(story.text(Field.List.name, key) == "Home")
    #expect(story.document(key)?.conflicts == [])
    story.undo(undo.facts)
    #expect(story.text(Field.List.name, key) == "House")
  }

  @Test func `Undo: undoing a pick deletes it`() throws {
    var story = Story()
    let question = try story.run(
      .addQuestion([Field.Question.content: .text("Eat?")], choices: [.init(name: "Rice")]))
    let pick = try story.run(.pick(question: question[0].key))
    #expect(story.undo(pick).facts.map(\.body) == [Body(.delete, .entity(pick[0].key))])
    #expect(story.isAlive(question[0].key) && story.isAlive(question[1].key))
  }
}
