import Bytes
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

@testable import Daybook

/// An undo reverts its command, and keeps what others or later commands have added to it.
struct UndoDependentsTests {
  private func pair(_ seed: UInt64) throws -> (office: Office, one: Book, two: Book) {
    let office = Office(seed: seed)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    return (office, one, two)
  }

  private func swap(_ books: Book...) throws {
    for book in books + books { _ = try book.replicator.sync(with: Office.directory) }
  }

  private func list(_ book: Book, _ name: String) throws -> UniqueID {
    try #require(try book.view().lists.lists().first { $0.name == name }).head.id
  }

  private func titles(_ book: Book) throws -> [String] {
    try book.view().todos.todos().compactMap(\.title).sorted()
  }

  private func addTodo(_ book: Book, _ title: String, on list: UniqueID) throws {
    _ = try book.commands.perform(
      .addTodo(title: title, list: .existing(list), priority: nil, due: nil))
  }

  @Test func `Undo: an added list with another device's to-do stays unless forced`() throws {
    let (_, one, two) = try pair(1201)
    _ = try one.commands.perform(.addList(name: "Trip", colour: nil))
    try swap(one, two)
    try addTodo(two, "buy map", on: try list(two, "Trip"))
    try swap(two, one)
    let error = #expect(throws: DaybookError.self) { _ = try one.undoEngine.undo() }
    guard case .dependedOn(let dependences) = error else {
      Issue.record("it ended otherwise")
      return
    }
    #expect(dependences.map(\.title) == ["Trip"])
    #expect(dependences.flatMap(\.dependents).map(\.title) == ["buy map"])
    #expect(dependences.flatMap(\.dependents).map(\.device) == ["two"])
    #expect(try one.view().lists.lists().compactMap(\.name) == ["Trip"])
    let forced = try one.undoEngine.undo(care: .forcing)
    #expect(forced.flatMap(\.swept).flatMap(\.dependents).map(\.title) == ["buy map"])
    #expect(try one.view().lists.lists().isEmpty)
  }

  @Test func `Undo: an added list that a later command uses stays`() throws {
    let (_, one, _) = try pair(1202)
    _ = try one.commands.perform(.addList(name: "Trip", colour: nil))
    let trip = try list(one, "Trip")
    try addTodo(one, "pack", on: trip)
    #expect(throws: DaybookError.self) { _ = try one.undoEngine.undo(id: trip) }
    #expect(try one.view().lists.lists().compactMap(\.name) == ["Trip"])
    // Undoing both commands removes everything.
    #expect(try one.undoEngine.undo(2).count == 2)
    #expect(try one.view().lists.lists().isEmpty)
  }

  @Test func `Undo: an added question with another device's choice stays`() throws {
    let (_, one, two) = try pair(1203)
    _ = try one.commands.perform(.addQuestion(content: "Lunch?", choices: []))
    try swap(one, two)
    let question = try #require(try two.view().questions.questions().first).head.id
    _ = try two.commands.perform(.addChoice(question: question, name: "Noodles", weight: 1))
    try swap(two, one)
    #expect(throws: DaybookError.self) { _ = try one.undoEngine.undo() }
    #expect(try one.view().questions.questions().count == 1)
  }

  @Test func `Undo: a restored list that another device has used since stays`() throws {
    let (_, one, two) = try pair(1204)
    _ = try one.commands.perform(.addList(name: "Trip", colour: nil))
    let trip = try list(one, "Trip")
    _ = try one.commands.perform(.delete([trip]))
    _ = try one.commands.perform(.restore([trip]))
    try swap(one, two)
    try addTodo(two, "buy map", on: trip)
    try swap(two, one)
    // A to-do that refers to the list keeps it alive, as after any delete.
    #expect(try one.undoEngine.undo().flatMap(\.changes).isEmpty)
    #expect(try one.view().lists.lists().compactMap(\.name) == ["Trip"])
    #expect(try titles(one) == ["buy map"])
  }

  @Test func `Undo: more undos or redos than exist are refused and change nothing`() throws {
    let (_, one, _) = try pair(1205)
    for name in ["a", "b"] { _ = try one.commands.perform(.addList(name: name, colour: nil)) }
    for count in [3, 99] {
      let error = #expect(throws: DaybookError.self) { _ = try one.undoEngine.undo(count) }
      guard case .fewerCommands(let possible) = error else {
        Issue.record("it ended otherwise")
        return
      }
      #expect(possible == 2)
    }
    #expect(try one.view().lists.lists().count == 2)
    #expect(try one.undoEngine.undo(2).count == 2)
    #expect(try one.view().lists.lists().isEmpty)
    #expect(throws: DaybookError.self) { _ = try one.undoEngine.redo(3) }
    #expect(try one.undoEngine.redo(2).count == 2)
    #expect(try one.view().lists.lists().count == 2)
  }

  /// A question that the first machine has edited after it undid its add.
  ///
  /// Another device had used the question, so only its choice was deleted.
  private func usedQuestion(
    _ seed: UInt64
  ) throws -> (office: Office, book: Book, undoneSince: Int64) {
    let (office, one, two) = try pair(seed)
    let clock = office.places[0].simulated.timekeeper
    clock.advance(milliseconds: 60_000)
    _ = try one.commands.perform(.addQuestion(content: "Lunch?", choices: [("Rice", 1)]))
    try swap(one, two)
    let question = try #require(try two.view().questions.questions().first).head.id
    _ = try two.commands.perform(.addChoice(question: question, name: "Noodles", weight: 1))
    try swap(two, one)
    clock.advance(milliseconds: 60_000)
    let since = clock.now().milliseconds
    #expect(try one.undoEngine.undo().flatMap(\.spared).map(\.title) == ["Lunch?"])
    _ = try one.commands.perform(
      .edit(question, [Request.Assignment(Field.Question.content, .value(.text("Dinner?")))]))
    return (office, one, since)
  }

  /// The number of the first event of the last command.
  private func lastCommand(of book: Book) throws -> String {
    let log = try #require(try book.core.localDevice.ownLog)
    let fold = try book.undoEngine.undoReader.foldToUndo([log])
    return "\(try #require(fold.ownSteps.last).first)"
  }

  /// The questions and choices.
  private func asked(_ book: Book) throws -> [String] {
    let records = try book.view().rankedSearch
    return try [Kind.question, .choice].flatMap { kind in
      try records.search("", kind: kind).compactMap(\.title).sorted()
    }
  }

  @Test func `Undo: the undo of an undo deletes only what the undone undo brought back`() throws {
    let (_, one, since) = try usedQuestion(1206)
    #expect(try asked(one) == ["Dinner?", "Noodles"])
    _ = try one.undoEngine.undo(.device("one", since: since))
    #expect(try asked(one) == ["Lunch?", "Noodles", "Rice"])
    _ = try one.undoEngine.undo()
    #expect(try asked(one) == ["Dinner?", "Noodles"])
    _ = try one.undoEngine.redo()
    #expect(try asked(one) == ["Lunch?", "Noodles", "Rice"])
  }

  @Test func `Undo: an edit of a record that an undo has kept leaves the record when undone`()
    throws
  {
    let (_, one, _) = try usedQuestion(1207)
    _ = try one.undoEngine.undo(.command(try lastCommand(of: one)))
    #expect(try asked(one) == ["Lunch?", "Noodles"])
  }

  @Test func `Undo: a record that an undo has kept is restored when its deletion is undone`() throws
  {
    let (_, one, _) = try usedQuestion(1208)
    let question = try #require(try one.view().questions.questions().first).head.id
    _ = try one.commands.perform(.delete([question]))
    _ = try one.undoEngine.undo(.command(try lastCommand(of: one)))
    #expect(try asked(one) == ["Dinner?", "Noodles"])
  }

  @Test func `Undo: a record that another device's undo has kept is restored with its deletion`()
    throws
  {
    let (office, one, _) = try usedQuestion(1210)
    let two = try #require(office.books.last)
    try swap(one, two)
    let question = try #require(try two.view().questions.questions().first).head.id
    _ = try two.commands.perform(.delete([question]))
    _ = try two.undoEngine.undo()
    #expect(try asked(two) == ["Dinner?", "Noodles"])
    try swap(two, one)
    #expect(try asked(one) == ["Dinner?", "Noodles"])
  }

  @Test func `Undo: the undo of an undo keeps what another device has edited since`() throws {
    let (office, one, since) = try usedQuestion(1209)
    _ = try one.undoEngine.undo(.device("one", since: since))
    let two = try #require(office.books.last)
    try swap(one, two)
    let rice = try #require(try two.view().rankedSearch.search("Rice", kind: .choice).first)
    _ = try two.commands.perform(
      .edit(rice.id, [Request.Assignment(Field.Choice.weight, .value(.integer(7)))]))
    try swap(two, one)
    let undone = try one.undoEngine.undo(care: .refusing)
    #expect(undone.flatMap(\.spared).map(\.title) == ["Rice"])
    #expect(try asked(one) == ["Dinner?", "Noodles", "Rice"])
  }
}
