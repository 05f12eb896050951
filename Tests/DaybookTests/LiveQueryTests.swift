import Bytes
import Daybook
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import TestDice
import Testing

/// Live queries on a machine without threads.
///
/// The test takes each turn.
struct LiveQueryTests {
  /// The changes that a follower received, and the resulting rows.
  private final class Follower<Row: QueryRow> {
    private var iterator: LiveQuery<Row>.Iterator
    private(set) var sections: [RowSection<Row>]
    private(set) var last: [ChangeSet<Row>.Step] = []

    init(_ query: LiveQuery<Row>) {
      iterator = query.makeAsyncIterator()
      sections = query.query.nothing
    }

    func next(isolation: isolated (any Actor)? = #isolation) async throws {
      let isChanged = try await advance(isolation: isolation)
      try #require(isChanged)
    }

    /// Waits for the next changes; returns false if the iterator has ended.
    func advance(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
      guard let changes = try await iterator.next(isolation: isolation) else { return false }
      changes.apply(to: &sections)
      last = changes.steps
      return true
    }
  }

  /// A follower that several tasks use, one after the other.
  private actor SharedFollower<Row: QueryRow> {
    private let follower: Follower<Row>

    init(_ query: LiveQuery<Row>) { follower = Follower(query) }

    func advance() async throws -> Bool { try await follower.advance(isolation: self) }
  }

  private static func add(_ title: String, to list: UniqueID? = nil, _ book: Book) throws {
    let choice = list.map(Request.ListChoice.existing) ?? .none
    _ = try book.commands.perform(.addTodo(title: title, list: choice, priority: nil, due: nil))
  }

  private static func addList(_ name: String, _ book: Book) throws -> UniqueID {
    let changes = try book.commands.perform(.addList(name: name, colour: nil)).changes
    return try #require(changes.first).document.id
  }

  @Test func `Live query: a follower receives all rows, then changes for each commit`() async throws
  {
    let desk = try Desk(seed: 1)
    let book = try desk.found()
    try Self.add("milk", book)
    let follower = Follower(book.watch(.todos(), sortedBy: .title))
    let keeper = try Keeper(of: book.watched)
    try keeper.turn(patienceMilliseconds: 0)
    try await follower.next()
    #expect(follower.sections[0].rows.map(\.title) == ["milk"])
    // Another process has its own book.
    try Self.add("bread", try desk.open())
    try keeper.turn(patienceMilliseconds: 0)
    try await follower.next()
    let bread = follower.sections[0].rows[0]
    #expect(
      follower.last == [
        .begin(sections: 1, rows: 1), .insert(RowPlace(0, 0), bread), .end(sections: 1, rows: 2),
      ])
    #expect(follower.sections[0].rows.map(\.title) == ["bread", "milk"])
  }

  @Test func `Live query: an empty result is delivered too`() async throws {
    let book = try Desk(seed: 2).found()
    let plain = Follower(book.watch(.todos()))
    let divided = Follower(book.watch(.todos(), sections: .list))
    try Keeper(of: book.watched).turn(patienceMilliseconds: 0)
    try await plain.next()
    try await divided.next()
    #expect(plain.last == [.begin(sections: 1, rows: 0), .end(sections: 1, rows: 0)])
    #expect(divided.last == [.begin(sections: 0, rows: 0), .end(sections: 0, rows: 0)])
  }

  @Test func `Live query: a slow follower receives many commits as one change set`() async throws {
    let book = try Desk(seed: 3).found()
    let (quick, slow) = (Follower(book.watch(.todos())), Follower(book.watch(.todos())))
    let keeper = try Keeper(of: book.watched)
    try keeper.turn(patienceMilliseconds: 0)
    try await quick.next()
    try await slow.next()
    for number in 0..<20 {
      try Self.add("to-do \(number)", book)
      try keeper.turn(patienceMilliseconds: 0)
      try await quick.next()
    }
    try await slow.next()
    #expect(slow.sections == quick.sections)
    #expect(slow.last.count == 22)
    let places = slow.last.dropFirst().dropLast().map { step in
      if case .insert(let place, _) = step { place.row } else { -1 }
    }
    #expect(places == Array(0..<20))
  }

  @Test func `Live query: rows added and removed between two reads are left out`() async throws {
    let book = try Desk(seed: 4).found()
    let follower = Follower(book.watch(.todos()))
    let keeper = try Keeper(of: book.watched)
    try keeper.turn(patienceMilliseconds: 0)
    try await follower.next()
    try Self.add("brief", book)
    try keeper.turn(patienceMilliseconds: 0)
    _ = try book.undoEngine.undo()
    try keeper.turn(patienceMilliseconds: 0)
    try Self.add("lasting", book)
    try keeper.turn(patienceMilliseconds: 0)
    try await follower.next()
    #expect(follower.last.count == 3)
    #expect(follower.sections[0].rows.map(\.title) == ["lasting"])
  }

  @Test func `Live query: a follower whose task is cancelled ends`() async throws {
    let book = try Desk(seed: 5).found()
    let query = book.watch(.todos())
    try Self.add("milk", book)
    let task = Task {
      var counts: [Int] = []
      for try await changes in query { counts.append(changes.steps.count) }
      return counts
    }
    let keeper = try Keeper(of: book.watched)
    while try !keeper.turn(patienceMilliseconds: 0) { await Task.yield() }
    task.cancel()
    // The task may have been cancelled before it received anything.
    #expect(try await [[], [3]].contains(task.value))
    while try keeper.turn(patienceMilliseconds: 0) { await Task.yield() }
  }

  @Test(.timeLimit(.minutes(1)))
  func `Live query: a follower that was cancelled has ended on every task`() async throws {
    let book = try Desk(seed: 15).found()
    let shared = SharedFollower(book.watch(.todos()))
    let keeper = try Keeper(of: book.watched)
    try keeper.turn(patienceMilliseconds: 0)
    #expect(try await shared.advance())
    let other = Follower(book.watch(.todos()))
    let task = Task { try await shared.advance() }
    task.cancel()
    #expect(try await !task.value)
    try Self.add("milk", book)
    try keeper.turn(patienceMilliseconds: 0)
    #expect(try await !shared.advance())
    // Others go on.
    try await other.next()
    #expect(other.sections[0].rows.map(\.title) == ["milk"])
  }

  @Test func `Live query: a turn fails with the disk's error once the disk has failed`()
    async throws
  {
    let desk = try Desk(seed: 6)
    let book = try desk.found()
    let follower = Follower(book.watch(.todos()))
    let keeper = try Keeper(of: book.watched)
    try keeper.turn(patienceMilliseconds: 0)
    try await follower.next()
    desk.simulated.disk.kill()
    let error = #expect(throws: DaybookError.self) {
      try keeper.turn(patienceMilliseconds: 0)
    }
    guard case .disk(let fault)? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(fault.reason == .closed)
  }

  @Test func `Live query: a commit touches only the results that it can change`() throws {
    let book = try Desk(seed: 7).found()
    let (home, work) = (try Self.addList("Home", book), try Self.addList("Work", book))
    try Self.add("milk", to: home, book)
    try Self.add("report", to: work, book)
    let changeMonitor = try ChangeMonitor(on: book.core)
    #expect(try changeMonitor.look().touched == .anything)
    #expect(try changeMonitor.look().touched == .nothing)
    let here = Query.todos(.list(home))
    let there = Query.todos(.list(work))
    let shown = try (
      book.view().liveQueries.result(of: here), book.view().liveQueries.result(of: there)
    )

    try Self.add("bread", to: home, book)
    let (model, touched) = try changeMonitor.look()
    let bread = try #require(try model.todos.todos().first { $0.title == "bread" }).head.id
    #expect(touched == .documents([.todo: [bread], .list: [home]]))
    _ = try book.commands.perform(
      .edit(bread, [.init(Field.Todo.title, .value(.text("brown bread")))]))
    let (later, edited) = try changeMonitor.look()
    #expect(edited == .documents([.todo: [bread]]))
    #expect(try later.liveQueries.mayChange(here, showing: shown.0, by: edited))
    #expect(try !later.liveQueries.mayChange(there, showing: shown.1, by: edited))
    #expect(try !later.liveQueries.mayChange(.birthdays(), showing: [], by: edited))
    #expect(try later.liveQueries.mayChange(.lists(), showing: [], by: edited))
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `Live query: updated results equal fresh results`(seed: UInt64) throws {
    let desk = try Desk(seed: seed)
    let writer = try desk.found()
    let changeMonitor = try ChangeMonitor(on: try desk.open().core)
    var deeds = Deeds(seed: seed)
    let list = try Self.addList("Home", writer)
    for _ in 0..<20 { try deeds.perform(on: writer) }
    var plain = LiveResult(Query.todos())
    var byList = LiveResult(Query.todos(by: .title, in: .list))
    var open = LiveResult(
      Query.todos(.anywhere, TodoFilter(includesClosed: false), by: .creation, in: .priority))
    var onList = LiveResult(Query.todos(.list(list), in: .done))
    var loose = LiveResult(Query.todos(.withoutList))
    var lists = LiveResult(Query.lists())
    var birthdays = LiveResult(Query.birthdays(in: .initial))
    var reads = 0
    for number in 0..<150 {
      let (model, touched) = try changeMonitor.look()
      let place = "seed \(seed), commit \(number), \(touched)"
      try Self.refresh(&plain, model, touched, place, &reads)
      try Self.refresh(&byList, model, touched, place, &reads)
      try Self.refresh(&open, model, touched, place, &reads)
      try Self.refresh(&onList, model, touched, place, &reads)
      try Self.refresh(&loose, model, touched, place, &reads)
      try Self.refresh(&lists, model, touched, place, &reads)
      try Self.refresh(&birthdays, model, touched, place, &reads)
      for _ in 0..<(deeds.dice.chance(80) ? 1 : 5) { try deeds.perform(on: writer) }
    }
    // Some results were not read again. Otherwise, the test would not show that this is unnecessary.
    #expect(reads < 150 * 7 * 9 / 10)
  }

  /// Updates a result from the model, and compares it with a fresh result.
  private static func refresh<Row: QueryRow>(
    _ result: inout LiveResult<Row>, _ model: ReadModel, _ touched: Touched, _ place: String,
    _ reads: inout Int
  ) throws {
    var built = result.sections
    if try model.liveQueries.mayChange(result.query, showing: built, by: touched) { reads += 1 }
    try result.refresh(from: model, touched: touched)?.apply(to: &built)
    #expect(built == result.sections, "\(place)")
    #expect(try built == model.liveQueries.result(of: result.query), "\(place)")
  }

  @Test func `Live query: changes received by sync update the result`() throws {
    let office = Office(seed: 14)
    let here = try office.found("here")
    _ = try here.replicator.sync(with: Office.directory)
    let there = try office.join("there")
    _ = try there.replicator.sync(with: Office.directory)
    _ = try here.replicator.sync(with: Office.directory, admission: .always)
    let changeMonitor = try ChangeMonitor(on: here.core)
    var result = LiveResult(Query.todos(by: .title, in: .list))
    var built = result.sections
    var (ours, theirs) = (Deeds(seed: 1), Deeds(seed: 2))
    for number in 0..<25 {
      for _ in 0..<3 { try theirs.perform(on: there) }
      try ours.perform(on: here)
      _ = try there.replicator.sync(with: Office.directory)
      _ = try here.replicator.sync(with: Office.directory)
      #expect(try changeMonitor.wait(patienceMilliseconds: 0))
      let (model, touched) = try changeMonitor.look()
      try result.refresh(from: model, touched: touched)?.apply(to: &built)
      #expect(try built == model.liveQueries.result(of: result.query), "\(number)")
    }
    #expect(built.count > 1)
  }

  @Test func `Live query: a rebuild that renumbers the logs leaves all rows unchanged`() throws {
    let office = Office(seed: 16)
    let here = try office.found("here")
    try Self.add("milk", to: try Self.addList("Home", here), here)
    _ = try here.replicator.sync(with: Office.directory)
    let there = try office.join("there")
    try Self.add("bread", to: try Self.addList("Work", there), there)
    _ = try there.replicator.sync(with: Office.directory)
    _ = try here.replicator.sync(with: Office.directory, admission: .always)
    let changeMonitor = try ChangeMonitor(on: here.core)
    var result = LiveResult(Query.todos(in: .list))
    let (model, touched) = try changeMonitor.look()
    #expect(try result.refresh(from: model, touched: touched) != nil)
    let before = try model.todos.todos().map(\.head)
    try here.core.projector.rebuild()
    let (rebuilt, anything) = try changeMonitor.look()
    let after = try rebuilt.todos.todos().map(\.head)
    #expect(before.map(\.id) == after.map(\.id))
    #expect(before.map(\.key) != after.map(\.key), "the logs were numbered alike by chance")
    #expect(anything == .anything)
    #expect(try result.refresh(from: rebuilt, touched: anything) == nil)
  }
}
