import Daybook
import Platform
import SimulatedPlatform
import Synchronization
import Testing

/// Search, undo of one record, a pick, and the book as of a given time, through the public interface of the library.
struct LibraryPastTests {
  @Test func `Library: a search finds records of all kinds, best matches first`() throws {
    let pair = try LibraryPair(seed: 4_201)
    let book = pair.laptop
    let list = try book.addList("Sweets")
    let todo = try book.addTodo("Sweep the floor", on: list, note: "sweetly")
    let person = try book.addBirthday(firstName: "Swéta", lastName: "Byte")
    let question = try book.addQuestion(
      "What sweet?", choices: [(name: "Honey", weight: 2), (name: "Sweet", weight: 1)])
    let choices = try #require(try book.questions().first).choices
    #expect(choices.map(\.name) == ["Honey", "Sweet"] && choices.map(\.weight) == [2, 1])
    let found = try book.search("sweet")
    #expect(found.map(\.id) == [choices[1].id, list, question, todo])
    #expect(found.map(\.kind) == [.choice, .list, .question, .todo])
    #expect(found.map(\.title) == ["Sweet", "Sweets", "What sweet?", "Sweep the floor"])
    #expect(try book.search("sweet", limit: 2) == Array(found.prefix(2)))
    #expect(try book.search("sweet", limit: 0) == [])
    #expect(try book.search("SWETA").map(\.id) == [person])
    try book.delete(list)
    #expect(try book.search("sweet").map(\.kind) == [.choice, .question])
  }

  @Test func `Library: arrays of records are changed completely in one command, or not at all`()
    throws
  {
    let pair = try LibraryPair(seed: 4_202)
    let book = pair.laptop
    let todos = try ["Sweep", "Mop", "Dust"].map { try book.addTodo($0) }
    try book.setDone(Array(todos.prefix(2)))
    #expect(try book.todos(includesClosed: false).map(\.id) == [todos[2]])
    try book.undoLast()
    #expect(try book.todos(includesClosed: false).count == 3)
    try book.delete(todos)
    #expect(try book.todos() == [])
    try book.restore(Array(todos.dropFirst()))
    #expect(try Set(book.todos().map(\.id)) == Set(todos.dropFirst()))
    let count = try book.events().count
    let nobody = try #require(Book.RecordID("11111111-2222-8333-8444-555555555555"))
    #expect(
      reason { () throws(Book.Failure) in try book.setDone([todos[1], nobody]) } == .unknownRecord)
    #expect(reason { () throws(Book.Failure) in try book.setDone([todos[0]]) } == .unknownRecord)
    try book.setDone([])
    try book.delete([])
    try book.restore([])
    try book.edit(todos[1], [])
    #expect(try book.events().count == count)
  }

  @Test func `Library: the last change of one record is undone, and others stay`() throws {
    let pair = try LibraryPair(seed: 4_203)
    let book = pair.laptop
    let sweep = try book.addTodo("Sweep")
    let mop = try book.addTodo("Mop")
    try book.edit(sweep, .title("Wipe"))
    try book.edit(mop, .title("Scrub"))
    try book.undoLast(of: sweep)
    #expect(try Set(book.todos().map(\.title)) == ["Sweep", "Scrub"])
    try book.redoLast()
    #expect(try Set(book.todos().map(\.title)) == ["Wipe", "Scrub"])
    try pair.exchange()
    try pair.phone.edit(sweep, .title("Dust"))
    try pair.exchange()
    let refusal = #expect(throws: Book.Failure.self) { try book.undoLast(of: sweep) }
    #expect(refusal?.reason == .refused)
    #expect(
      refusal?.description
        == "another device has since edited 1 field that this command would change. Nothing was done; "
        + "--force continues anyway.")
    #expect(
      reason { () throws(Book.Failure) in try pair.phone.undoLast(of: mop) } == .refused)
    #expect(try Set(book.todos().map(\.title)) == ["Dust", "Scrub"])
  }

  @Test func `Library: an undo tells what it has changed, and what is kept because it is in use`()
    throws
  {
    let pair = try LibraryPair(seed: 4_207)
    let book = pair.laptop
    let todos = try ["Sweep", "Mop"].map { try book.addTodo($0) }
    try book.setDone(todos)
    let undone = try book.undoLast(of: todos[0])
    #expect(Set(undone.changed) == Set(todos) && undone.kept == [])
    let redone = try book.redoLast()
    #expect(Set(redone.changed) == Set(todos) && redone.kept == [])
    let lunch = try book.addQuestion("Lunch?", choices: ["Noodles": 3])
    let choices = try #require(try book.questions().first).choices.map(\.id)
    try pair.exchange()
    _ = try pair.phone.pick(lunch)
    try pair.exchange()
    // The pick of the other device needs the question.
    let partial = try book.undoLast()
    #expect(Set(partial.changed) == Set(choices) && partial.kept == [lunch])
    let nobody = try #require(Book.RecordID("11111111-2222-8333-8444-555555555555"))
    for other in [book, pair.phone] {
      #expect(
        reason { () throws(Book.Failure) in try other.undoLast(of: nobody) } == .unknownRecord)
    }
  }

  @Test func `Library: a past book answers as the book did at that time`() throws {
    let pair = try LibraryPair(seed: 4_204)
    let book = pair.laptop
    let home = try book.addList("Home")
    let eggs = try book.addTodo("Eggs", on: home)
    let ada = try book.addBirthday(firstName: "Ada")
    let lunch = try book.addQuestion("Lunch?", choices: ["Noodles": 3])
    try pair.exchange()
    try book.edit(eggs, .title("Two eggs"))
    _ = try pair.advance("phone", milliseconds: 1_000)
    try pair.phone.edit(eggs, .title("Ten eggs"))
    try pair.exchange()
    let (todos, lists) = (try book.todos(on: home), try book.lists())
    let (people, questions) = (try book.birthdays(), try book.questions())
    let (conflicts, matches) = (try book.conflicts(), try book.search("eggs"))
    let events = try book.events(of: eggs)
    #expect(conflicts.map(\.record) == [eggs] && matches.map(\.title) == ["Ten eggs"])
    let moment = try pair.advance("laptop", milliseconds: 10_000)
    _ = try pair.advance("laptop", milliseconds: 10_000)
    try book.resolve(conflicts[0], with: conflicts[0].sides[1])
    try book.setDone(eggs)
    try book.delete(ada, lunch)
    let later = try book.addTodo("Later", on: home)
    let past = try book.at(milliseconds: moment)
    #expect(past.milliseconds == moment)
    #expect(try past.todos(on: home) == todos && past.lists() == lists)
    #expect(try past.birthdays() == people && past.questions() == questions)
    #expect(try past.conflicts() == conflicts && past.search("eggs") == matches)
    #expect(try past.events(of: eggs) == events)
    #expect(
      reason { () throws(Book.Failure) in _ = try past.events(of: later) } == .unknownRecord)
    #expect(try book.todos(on: home).map(\.id).contains(later))
    #expect(try book.birthdays() == [] && book.questions() == [] && book.conflicts() == [])
    #expect(try book.at(milliseconds: 0).lists() == [])
  }

  @Test func `Library: a negative limit returns nothing`() throws {
    let book = try LibraryPair(seed: 4_206).laptop
    let sweep = try book.addTodo("Sweep")
    for limit in [-1, 0, Int.min] {
      #expect(try book.events(limit: limit) == [])
      #expect(try book.events(of: sweep, limit: limit) == [])
      #expect(try book.search("Sweep", limit: limit) == [])
    }
  }

  @Test func `Library: a pick returns what it has drawn, even if that is deleted at once`() throws {
    let simulated = SimulatedMachine(seed: 4_205)
    let disk = ReleasedDisk(simulated.disk)
    let machine = Machine(
      disk: disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let book = try Book.open("/book", on: machine, device: "laptop")
    let lunch = try book.addQuestion("Lunch?", choices: ["Noodles": 3])
    let noodles = try #require(try book.questions().first?.choices.first)
    disk.afterNextRelease {
      let other = try Book.open("/book", on: simulated.machine, device: "laptop")
      try other.delete(noodles.id)
    }
    #expect(try book.pick(lunch) == noodles)
    #expect(try book.questions().map(\.choices) == [[]])
  }
}

/// A disk on which another process acts as soon as a lock is released.
private final class ReleasedDisk: TransparentDisk {
  private struct State {
    var locks: Set<FileToken> = []
    var action: (@Sendable () throws -> Void)?
  }

  let disk: SimulatedDisk
  var wrapped: any Disk { disk }
  private let state = Mutex(State())

  init(_ disk: SimulatedDisk) { self.disk = disk }

  func afterNextRelease(_ action: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.action = action }
  }

  func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    let lock = try disk.lock(path)
    if let lock { state.withLock { _ = $0.locks.insert(lock.token) } }
    return lock
  }

  func close(_ file: FileToken) throws(DiskError) {
    try disk.close(file)
    let action = state.withLock { state in
      state.locks.remove(file) == nil ? nil : state.action.take()
    }
    do { try action?() } catch { Issue.record(error) }
  }
}
