import Bytes
import Domain
import Testing

@Suite struct DecisionTests {
  @Test func `Command: a birthday requires any one part of its name or date`() throws {
    var story = Story()
    let key = try story.run(.addBirthday(firstName: " Ada ", lastName: "\t"))[0].key
    #expect(
      story.facts[0].body
        == Body(.add, .kind(.birthday), [Write(Field.Birthday.firstName, .text("Ada"))]))
    #expect(throws: Refusal.empty(.birthday)) { try story.run(.addBirthday(firstName: "  ")) }
    #expect(throws: Refusal.empty(.birthday)) {
      try story.run(.edit(key, [Field.Birthday.firstName: .text(" ")]))
    }
    try story.run(
      .edit(key, [Field.Birthday.firstName: .null, Field.Birthday.lastName: .text("Lovelace")]))
    #expect(story.document(key).flatMap(Birthday.init)?.name == "Lovelace")
  }

  @Test func `Command: invalid values are refused by kind and field, and nothing is written`()
    throws
  {
    var story = Story()
    let question = try story.run(
      .addQuestion([Field.Question.content: .text("Eat?")], choices: []))[0].key
    let before = story.facts.count
    #expect(throws: Refusal.required(.todo, Field.Todo.title)) {
      try story.run(.addTodo(title: " \n"))
    }
    #expect(throws: Refusal.required(.list, Field.List.name)) { try story.run(.addList(name: "")) }
    #expect(throws: Refusal.required(.question, Field.Question.content)) {
      try story.run(.addQuestion([:], choices: []))
    }
    #expect(throws: Refusal.required(.choice, Field.Choice.name)) {
      try story.run(.addChoice(question: question, name: " "))
    }
    #expect(throws: Refusal.required(.choice, .owner)) {
      try story.run(.add(.choice, [Field.Choice.name: .text("Rice")]))
    }
    #expect(throws: Refusal.required(.question, Field.Question.content)) {
      try story.run(.edit(question, [Field.Question.content: .text(" ")]))
    }
    #expect(throws: Refusal.badValue(.choice, Field.Choice.weight, .outOfRange(0...1 << 53))) {
      try story.run(.addChoice(question: question, name: "Rice", weight: -1))
    }
    #expect(throws: Refusal.unknownField(.list, Field(rawValue: 77))) {
      try story.run(.add(.list, [Field(rawValue: 77): .null]))
    }
    #expect(throws: Refusal.badReference(.todo, Field.Todo.list, found: .question)) {
      try story.run(.addTodo(title: "Milk", list: question))
    }
    #expect(throws: Refusal.unknown(EventKey(log: 0, sequence: 99))) {
      try story.run(.addTodo(title: "Milk", list: EventKey(log: 0, sequence: 99)))
    }
    #expect(throws: Refusal.unknownKind(Kind(rawValue: 9))) {
      try story.run(.add(Kind(rawValue: 9), [:]))
    }
    #expect(story.facts.count == before)
  }

  @Test func `Command: a to-do and its new list are added together`() throws {
    var story = Story()
    let facts = try story.run(
      .addTodoInNewList(
        [Field.Todo.title: .text("Milk")], listName: "Shopping", colour: 0x00_8080))
    let todo = try #require(story.document(facts[1].key).flatMap(Todo.init))
    #expect(todo.list == facts[0].key)
    let list = try #require(story.document(facts[0].key).flatMap(TodoList.init))
    #expect((list.name, list.colour) == ("Shopping", 0x00_8080))
  }

  @Test func `Colours: a new list gets the first of the colours that the fewest lists have`() {
    var counts: [Int64: Int] = [0x00_8080: 9]
    var given: [Int64] = []
    for _ in 0..<8 {
      given.append(ListColour.next(after: counts))
      counts[given[given.count - 1], default: 0] += 1
    }
    #expect(given == ListColour.palette + ListColour.palette.prefix(2))
    counts[ListColour.palette[4]] = 0
    #expect(ListColour.next(after: counts) == ListColour.palette[4])
  }

  @Test func `Command: an edit without changes writes nothing`() throws {
    var story = Story()
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    for same: [Field: Value] in [
      [Field.Todo.title: .text(" Milk ")], [Field.Todo.done: .boolean(false)],
      [Field.Todo.priority: .integer(1)], [Field.Todo.due: .null], [:],
    ] {
      #expect(try story.run(.edit(key, same)).isEmpty)
    }
    #expect(try story.run(.setDone([key], false)).isEmpty)
    let edits = try story.run(
      .edit(key, [Field.Todo.title: .text("Bread"), Field.Todo.done: .boolean(false)]))
    #expect(
      edits.map(\.body) == [Body(.edit, .entity(key), [Write(Field.Todo.title, .text("Bread"))])])
  }

  @Test func `Command: writing the shown value settles a conflict`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    try story.run(.edit(key, [Field.Todo.title: .text("Bread")]), by: 0)
    try story.run(.edit(key, [Field.Todo.title: .text("Butter")]), by: 1)
    story.sync()
    #expect(story.document(key)?.conflicts.count == 1)
    try story.run(.edit(key, [Field.Todo.title: .text("Butter")]))
    #expect(story.document(key)?.conflicts.count == 0)
    #expect(story.text(Field.Todo.title, key) == "Butter")
  }

  @Test func `Command: only to-dos can be ticked, each once per command`() throws {
    var story = Story()
    let todo = try story.run(.addTodo(title: "Milk"))[0].key
    let list = try story.run(.addList(name: "Home", colour: 0xFF00FF))[0].key
    #expect(throws: Refusal.notOfKind(expected: .todo, found: .list)) {
      try story.run(.setDone([todo, list], true))
    }
    #expect(try story.run(.setDone([todo, todo], true)).count == 1)
    #expect(story.document(todo).flatMap(Todo.init)?.isDone == true)
    #expect(story.document(todo).flatMap(Todo.init)?.completedAt == story.facts.last?.time)
  }

  @Test func `Command: a deleted record accepts only a restore`() throws {
    var story = Story()
    let list = try story.run(.addList(name: "Home"))[0].key
    try story.run(.delete([list, list]))
    let id = try #require(story.document(list)?.id)
    #expect(throws: Refusal.dead(.list, id)) {
      try story.run(.edit(list, [Field.List.name: .text("H")]))
    }
    #expect(throws: Refusal.dead(.list, id)) { try story.run(.delete([list])) }
    #expect(throws: Refusal.dead(.list, id)) { try story.run(.addTodo(title: "Milk", list: list)) }
    #expect(try story.run(.restore(list)).count == 1)
    #expect(story.isAlive(list))
    #expect(try story.run(.restore(list)).isEmpty)
  }

  @Test func `Command: a delete can be refused because of children, or keep them`() throws {
    var story = Story()
    let list = try story.run(.addList(name: "Home"))[0].key
    let todo = try story.run(.addTodo(title: "Milk", list: list))[0].key
    let question = try story.run(
      .addQuestion([Field.Question.content: .text("Eat?")], choices: [.init(name: "Rice")]))[0].key
    let id = try #require(story.document(list)?.id)
    let questionID = try #require(story.document(question)?.id)
    #expect(throws: Refusal.notEmpty(.list, id, children: 1)) {
      try story.run(.delete([list], children: .deny))
    }
    #expect(throws: Refusal.childrenNeedParent(.question, questionID)) {
      try story.run(.delete([question], children: .keep))
    }
    let command = try story.run(.delete([list], children: .keep))
    #expect(story.document(todo).flatMap(Todo.init)?.list == nil)
    #expect(!story.isAlive(list))
    story.undo(command)
    #expect(story.document(todo).flatMap(Todo.init)?.list == list)
    #expect(story.isAlive(list))
  }

  @Test func `Command: a revived record has only the values of the command`() throws {
    var story = Story()
    let key = try story.run(
      .addBirthday(firstName: "Ada", lastName: "King", birthdate: try CivilDate.parse("1815-12-10"))
    )[0].key
    try story.run(.delete([key]))
    let command = try story.run(
      .revive(
        key, [Field.Birthday.firstName: .text("Ada"), Field.Birthday.lastName: .text("Lovelace")]))
    #expect(
      command.map(\.body) == [
        Body(.restore, .entity(key)),
        Body(
          .edit, .entity(key),
          [
            Write(Field.Birthday.lastName, .text("Lovelace")),
            Write(Field.Birthday.birthdate, .null),
          ]),
      ])
    story.undo(command)
    #expect(!story.isAlive(key))
    #expect(story.text(Field.Birthday.lastName, key) == "King")
  }

  @Test func `Command: a source is the first write of an add`() throws {
    var story = Story()
    let source = Source(uidText: "A000069")
    try story.run(.add(.list, [Field.List.name: .text("Home")], source: source))
    #expect(
      story.facts[0].body
        == Body(
          .add, .kind(.list), [Write(.source, source.value), Write(Field.List.name, .text("Home"))])
    )
  }

  @Test func `Command: joined records are edited, deleted and restored together`() throws {
    var story = Story()
    let bob = try story.run(.addBirthday(firstName: "Bob", birthdate: try CivilDate.parse("1980")))[
      0
    ].key
    let rob = try story.run(.addBirthday(firstName: "Rob", lastName: "Ray"))[0].key
    story.write([Draft(.alias, .entity(bob), [Write(.with, .reference(rob))])])
    let name = try story.run(.edit(rob, [Field.Birthday.firstName: .text("Robert")]))
    #expect(name.map(\.body.target) == [.entity(bob), .entity(rob)])
    #expect(story.document(bob)?.conflicts == [])
    let last = try story.run(.edit(bob, [Field.Birthday.lastName: .text("Rae")]))
    #expect(last.map(\.body.target) == [.entity(bob), .entity(rob)])
    let date = try story.run(.edit(rob, [Field.Birthday.birthdate: .null]))
    #expect(date.map(\.body.target) == [.entity(bob)])
    #expect(try story.run(.delete([rob, bob])).map(\.body.target) == [.entity(bob), .entity(rob)])
    #expect(!story.isAlive(rob))
    #expect(try story.run(.restore(rob)).count == 2)
    #expect(story.isAlive(bob))
  }

  @Test func `Command: a pick records a draw that can be replayed`() throws {
    var story = Story()
    let question = try story.run(
      .addQuestion(
        [Field.Question.content: .text("Eat?")],
        choices: [
          .init(name: "Rice", weight: 2), .init(name: "Soup", weight: 0), .init(name: "Pie"),
        ]))
    let fact = try story.run(.pick(question: question[0].key), dice: { 1_000_001 })[0]
    let pick = try #require(story.document(fact.key).flatMap(Pick.init))
    #expect(pick.question == question[0].key)
    let record = try #require(pick.draw)
    let draw = try Draw(record.span)
    #expect(draw.entries.map(\.weight).sorted() == [0, 1, 2])
    let drawn = draw.entries[try draw.replay()].id
    #expect(pick.choice.flatMap(story.document)?.id == drawn)
    #expect(throws: Refusal.fixed(.pick, Field.Pick.choice)) {
      try story.run(.edit(fact.key, [Field.Pick.choice: .null]))
    }
  }

  @Test func `Command: a pick without weighted choices is refused`() throws {
    var story = Story()
    let question = try story.run(
      .addQuestion([Field.Question.content: .text("Eat?")], choices: []))[0].key
    let id = try #require(story.document(question)?.id)
    #expect(throws: Refusal.noChoices(id)) { try story.run(.pick(question: question)) }
    let choice = try story.run(.addChoice(question: question, name: "Rice", weight: 0))[0].key
    #expect(throws: Refusal.weightsSumToZero(id)) { try story.run(.pick(question: question)) }
    #expect(throws: Refusal.notOfKind(expected: .question, found: .choice)) {
      try story.run(.pick(question: choice))
    }
    try story.run(.delete([choice]))
    #expect(throws: Refusal.noChoices(id)) { try story.run(.pick(question: question)) }
  }
}
