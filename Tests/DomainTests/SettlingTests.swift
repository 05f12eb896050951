import Bytes
import Domain
import Testing

/// Conflicts that users settle, and records that users join.
struct SettlingTests {
  private let title = Field.Todo.title

  /// A to-do that two devices have renamed concurrently; returns its key and the two edits.
  private func renamed() throws -> (story: Story, key: EventKey, edits: [EventKey]) {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    let edits = try (0...1).map { device in
      try story.run(.edit(key, [title: .text("by \(device)")]), by: device)[0].key
    }
    story.sync()
    return (story, key, edits)
  }

  @Test(arguments: 0...1)
  func `Conflict: it is settled by the value of either side`(side: Int) throws {
    var (story, key, edits) = try renamed()
    let written = try story.run(.settle(key, title, .write(by: edits[side])), by: 1 - side)
    #expect(
      written.map(\.body) == [Body(.edit, .entity(key), [Write(title, .text("by \(side)"))])])
    #expect(story.text(title, key) == "by \(side)")
    #expect(story.document(key)?.conflicts == [])
  }

  @Test func `Conflict: it is settled by any valid value`() throws {
    var (story, key, _) = try renamed()
    #expect(throws: Refusal.required(.todo, title)) {
      try story.run(.settle(key, title, .value(.text(" "))))
    }
    try story.run(.settle(key, title, .value(.text("Oats"))))
    #expect(story.text(title, key) == "Oats")
    #expect(story.document(key)?.conflicts == [])
  }

  @Test func `Conflict: settling a field without conflict is refused`() throws {
    var (story, key, edits) = try renamed()
    let done = Field.Todo.done
    #expect(throws: Refusal.noConflict(.todo, done)) {
      try story.run(.settle(key, done, .value(.boolean(true))))
    }
    #expect(throws: Refusal.noConflict(.todo, title)) {
      try story.run(.settle(key, title, .write(by: EventKey(log: 0, sequence: 99))))
    }
    try story.run(.settle(key, title, .write(by: edits[0])))
    #expect(throws: Refusal.noConflict(.todo, title)) {
      try story.run(.settle(key, title, .write(by: edits[0])))
    }
    #expect(throws: Refusal.noConflict(.todo, title)) {
      try story.run(.settle(key, title, .value(.text("Oats"))))
    }
    #expect(throws: Refusal.noConflict(.todo, nil)) {
      try story.run(.settleLife(key, isKept: false))
    }
  }

  @Test func `Conflict: settling it with a tick keeps the completion time of the tick`() throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    let tick = try story.run(.setDone([key], true), by: 0)[0]
    try story.run(.setDone([key], true), by: 1)
    try story.run(.setDone([key], false), by: 1)
    story.sync()
    #expect(story.document(key)?.conflicts.map(\.field) == [Field.Todo.done])
    try story.run(.settle(key, Field.Todo.done, .write(by: tick.key)))
    #expect(story.document(key)?.value(Field.Todo.done) == .boolean(true))
    #expect(story.document(key)?.value(Field.Todo.completedAt) == .integer(tick.time))
  }

  @Test(arguments: [true, false])
  func `Conflict: a delete against an edit is settled either way`(isKept: Bool) throws {
    var story = Story(devices: 2)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    try story.run(.delete([key]), by: 0)
    try story.run(.edit(key, [title: .text("Oats")]), by: 1)
    story.sync()
    #expect(story.document(key)?.deleteAgainstEdit != nil)
    try story.run(.settleLife(key, isKept: isKept))
    #expect(story.isAlive(key) == isKept)
    #expect(story.document(key)?.deleteAgainstEdit == nil)
  }

  @Test func `Conflict: a delete that was taken back does not dispute an edit`() throws {
    for keeper in [0, 2] {
      var story = Story(devices: 3)
      let key = try story.run(.addTodo(title: "Milk"))[0].key
      story.sync()
      let delete = try story.run(.delete([key]), by: 0)
      // The editing device has seen neither of them.
      try story.run(.edit(key, [title: .text("Oats")]), by: 1)
      if keeper == 0 { story.undo(delete, by: 0) } else { story.sync([0, 2]) }
      if keeper == 2 { try story.run(.restore(key), by: 2) }
      story.sync()
      #expect(story.isAlive(key), "\(keeper)")
      #expect(story.document(key)?.deleteAgainstEdit == nil, "\(keeper)")
      #expect(story.text(title, key) == "Oats", "\(keeper)")
    }
  }

  @Test func `Conflict: all writers of each value are listed`() throws {
    var story = Story(devices: 3)
    let key = try story.run(.addTodo(title: "Milk"))[0].key
    story.sync()
    let edits = try [(0, "a"), (1, "b"), (2, "a")].map { device, text in
      try story.run(.edit(key, [title: .text(text)]), by: device)[0].key
    }
    story.sync()
    let document = try #require(story.document(key))
    let writers = story.records.writers(of: title, in: document)
    #expect(writers.map { $0.map(\.key) } == [[edits[2], edits[0]], [edits[1]]])
    #expect(writers.map { $0.map(\.value) } == [[.text("a"), .text("a")], [.text("b")]])
    #expect(story.records.writers(of: Field.Todo.due, in: document) == [])
  }

  @Test func `Join: two lists become one document and separate after an undo`() throws {
    var story = Story()
    let lists = try (0...1).map { _ in try story.run(.addList(name: "Home"))[0].key }
    try story.run(.addTodo(title: "Sweep", list: lists[1]))
    let joining = try story.run(.join(lists[1], lists[0]))
    #expect(joining.map(\.body.verb) == [.alias])
    #expect(story.document(lists[0]) == story.document(lists[1]))
    #expect(story.records.children(of: lists[0], .todo).count == 1)
    #expect(try story.run(.join(lists[0], lists[1])).isEmpty)
    let undoing = story.undo(joining)
    #expect(story.document(lists[0])?.members == [lists[0]])
    story.undo(undoing.facts)
    #expect(story.document(lists[0])?.members == lists)
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `Join: the values of the first record count where both have one`(order: [Int]) throws {
    var story = Story()
    let notes: [Value] = [.null, .text("on the corner")]
    let names = ["Shopping", "Shoping"]
    let lists = try zip(names, notes).map { name, note in
      try story.run(.add(.list, [Field.List.name: .text(name), .note: note]))[0].key
    }
    let joining = try story.run(.join(lists[order[0]], lists[order[1]]))
    let document = try #require(story.document(lists[0]))
    #expect(document.conflicts.isEmpty)
    #expect(document.text(Field.List.name) == names[order[0]])
    #expect(document.note == "on the corner")
    story.undo(joining)
    #expect(lists.map { story.document($0)?.text(Field.List.name) } == names)
  }

  @Test func `Join: values that are both kept are in conflict`() throws {
    var story = Story()
    let lists = try ["Shopping", "Shoping"].map { try story.run(.addList(name: $0))[0].key }
    try story.run(.join(lists[0], lists[1], keepsBoth: true))
    #expect(story.document(lists[0])?.conflicts.map(\.field) == [Field.List.name])
  }

  @Test func `Join: a to-do that is joined with its parent is not its own parent`() throws {
    var story = Story()
    let parent = try story.run(.addTodo(title: "Trip"))[0].key
    let child = try story.run(
      .add(.todo, [Field.Todo.title: .text("Pack"), Field.Todo.parent: .reference(parent)]))[0].key
    try story.run(.join(child, parent))
    #expect(story.document(parent)?.text(Field.Todo.title) == "Pack")
  }

  @Test func `Join: records of different kinds or parents are refused`() throws {
    var story = Story()
    let list = try story.run(.addList(name: "Home"))[0].key
    let todo = try story.run(.addTodo(title: "Home"))[0].key
    #expect(throws: Refusal.unlikeKinds(.list, .todo)) { try story.run(.join(list, todo)) }
    let choices = [Command.NewChoice(name: "Soup")]
    let lunches = try (0...1).map { _ in
      try story.run(.addQuestion([Field.Question.content: .text("Lunch?")], choices: choices))
    }
    let soups = lunches.map { $0[1].key }
    #expect(throws: Refusal.unlike(.choice, .owner)) { try story.run(.join(soups[0], soups[1])) }
    try story.run(.join(lunches[0][0].key, lunches[1][0].key))
    try story.run(.join(soups[0], soups[1]))
    #expect(story.document(soups[1])?.members == soups)
    try story.run(.delete([list]))
    #expect(throws: Refusal.self) { try story.run(.join(list, todo)) }
  }
}
