import Daybook
import Foundation
import PosixPlatform
import Testing

/// The public interface of the library, on the real machine.
struct LibraryTests {
  @Test func `Library: to-dos and lists are written, read, changed and undone`() throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let home = try book.addList("Home", colour: 0x33_66CC)
    let eggos = try book.addTodo(
      "Buy Eggos", on: home, priority: .high, due: Book.Day("2026-12-24"), tags: ["shop"])
    let sweep = try book.addTodo("Sweep")
    try book.edit(eggos, .note("two boxes"), .due(Book.Day(year: 2026, month: 12, day: 23)))
    try book.setDone(sweep)
    let todo = try #require(try book.todos(on: home).first)
    #expect(todo.id == eggos && todo.title == "Buy Eggos" && todo.priority == .high)
    #expect(todo.list == home && todo.listName == "Home" && !todo.isDone)
    #expect(todo.due == Book.Day("2026-12-23") && todo.note == "two boxes" && todo.tags == ["shop"])
    #expect(try book.todos().map(\.title) == ["Buy Eggos", "Sweep"])
    #expect(try book.todos(includesClosed: false).map(\.title) == ["Buy Eggos"])
    let list = try #require(try book.lists().first)
    #expect(list.id == home && list.name == "Home" && list.colour == 0x33_66CC)
    #expect(list.count == 1 && list.openCount == 1)
    try book.undoLast()
    #expect(try book.todos().map(\.isDone) == [false, false])
    try book.redoLast()
    try book.delete(home)
    #expect(try book.todos().map(\.title) == ["Sweep"])
    try book.restore(home)
    #expect(try book.todos(on: home).map(\.id) == [eggos])
    #expect(Book.RecordID(eggos.description) == eggos)
  }

  @Test func `Library: birthdays and questions are stored, and a pick answers`() throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let ada = try book.addBirthday(
      firstName: "Ada", lastName: "Lovelace", date: Book.Day("1815-12-10"))
    let bob = try book.addBirthday(firstName: "Bob")
    try book.edit(bob, .birthdate(Book.Day("--02-29")), .lastName("Byte"))
    let people = try book.birthdays()
    #expect(people.map(\.id) == [bob, ada])
    #expect(people.map(\.firstName) == ["Bob", "Ada"])
    #expect(people.map(\.lastName) == ["Byte", "Lovelace"])
    #expect(
      people.map(\.date) == [
        Book.Day(month: 2, day: 29), Book.Day(year: 1815, month: 12, day: 10),
      ])
    let lunch = try book.addQuestion("Lunch?", choices: ["Noodles": 3, "Salad": 0])
    let question = try #require(try book.questions().first)
    #expect(question.text == "Lunch?")
    #expect(question.choices.map(\.name) == ["Noodles", "Salad"])
    #expect(try book.pick(lunch).name == "Noodles")
    #expect(Book.Day("2027-02-29") == nil && Book.Day(month: 13) == nil)
  }

  @Test func `Library: an impossible request fails with its reason and writes nothing`() throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let sweep = try book.addTodo("Sweep")
    try book.delete(sweep)
    func reason(_ body: () throws(Book.Failure) -> Void) -> Book.Failure.Reason? {
      do throws(Book.Failure) { try body() } catch { return error.reason }
      return nil
    }
    let count = try book.events().count
    #expect(reason { () throws(Book.Failure) in _ = try book.addTodo("  ") } == .refused)
    let nobody = try #require(Book.RecordID("11111111-2222-8333-8444-555555555555"))
    #expect(reason { () throws(Book.Failure) in try book.setDone(nobody) } == .unknownRecord)
    #expect(
      reason { () throws(Book.Failure) in
        try book.sync(with: .bundle("\(place.folder)/nowhere"))
      } == .peer)
    #expect(
      reason { () throws(Book.Failure) in
        _ = try Book.open("/dev/null", on: .real, device: "x")
      } == .storage)
    #expect(try book.events().count == count)
  }

  @Test func `Library: two machines agree after a sync, and a bundle restores the book`() throws {
    let place = LibraryFolder()
    let laptop = try place.open("laptop")
    let sweep = try laptop.addTodo("Sweep")
    let stick = Book.Peer.folder("\(place.folder)/stick")
    try FileManager.default.createDirectory(
      atPath: "\(place.folder)/stick", withIntermediateDirectories: true)
    try laptop.sync(with: stick)
    let phone = try Book.join(stick, in: "\(place.folder)/phone", on: .real, device: "phone")
    try phone.addTodo("Mop")
    try phone.sync(with: stick)
    #expect(try laptop.sync(with: stick).waiting == ["phone"])
    try laptop.sync(with: stick, admitsAll: true)
    try phone.sync(with: stick)
    try laptop.edit(sweep, .title("Wipe"))
    try phone.edit(sweep, .title("Dust"))
    try phone.sync(with: stick)
    let exchange = try laptop.sync(with: stick)
    #expect(exchange.conflictCount == 1 && exchange.waiting == [])
    try phone.sync(with: stick)
    #expect(try laptop.todos().map(\.title) == phone.todos().map(\.title))
    try laptop.writeBundle(to: "\(place.folder)/backup")
    let later = try Book.join(
      .bundle("\(place.folder)/backup"), in: "\(place.folder)/later", on: .real, device: "later")
    #expect(try later.todos() == laptop.todos())
    let events = try later.events(of: sweep)
    #expect(Set(events.map(\.device)) == ["laptop", "phone"])
    #expect(events.map(\.deed) == [.edited, .edited, .added])
    #expect(events.last?.fields == ["title"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `Library: a follower of to-dos receives changes of other processes`() async throws {
    let place = LibraryFolder()
    let book = try place.open("laptop")
    let home = try book.addList("Home")
    var updates = book.following(todosOn: home).makeAsyncIterator()
    #expect(try await updates.next(isolation: nil)?.map(\.title) == [])
    // Another book over the same folder, as another process would have.
    try place.open("laptop").addTodo("Sweep", on: home)
    #expect(try await updates.next(isolation: nil)?.map(\.title) == ["Sweep"])
  }
}
