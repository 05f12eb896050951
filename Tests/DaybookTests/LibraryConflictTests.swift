import Daybook
import Platform
import Testing

/// Conflicts through the public interface of the library.
struct LibraryConflictTests {
  private typealias Content = BookConflict.Content

  @Test func `Library: a conflict has its record, its values, their devices and times`() throws {
    let pair = try LibraryPair(seed: 4_101)
    let sweep = try pair.laptop.addTodo("Sweep")
    try pair.exchange()
    let first = try pair.advance("laptop", milliseconds: 30_000)
    try pair.laptop.edit(sweep, .title("Wipe"))
    let second = try pair.advance("phone", milliseconds: 60_000)
    try pair.phone.edit(sweep, .title("Dust"))
    try pair.exchange()
    for (book, name) in [(pair.laptop, "laptop"), (pair.phone, "phone")] {
      let conflicts = try book.conflicts()
      #expect(conflicts.count == 1)
      let conflict = try #require(conflicts.first)
      #expect(conflict.record == sweep && conflict.kind == .todo && conflict.title == "Dust")
      #expect(conflict.field == "title" && conflict.shown == conflict.sides[0])
      #expect(conflict.sides.map(\.content) == [.text("Dust"), .text("Wipe")])
      let writers = conflict.sides.flatMap(\.writers)
      #expect(writers.map(\.device) == ["phone", "laptop"])
      #expect(writers.map(\.milliseconds) == [second, first])
      #expect(writers.map(\.isThisDevice) == [name == "phone", name == "laptop"])
      #expect(writers.map(\.isClockSuspect) == [false, false])
    }
  }

  @Test(arguments: [0, 1])
  func `Library: one of the values settles a conflict on all devices, once`(side: Int) throws {
    let pair = try LibraryPair(seed: 4_102)
    let sweep = try pair.laptop.addTodo("Sweep")
    try pair.exchange()
    try pair.laptop.edit(sweep, .title("Wipe"))
    _ = try pair.advance("phone", milliseconds: 60_000)
    try pair.phone.edit(sweep, .title("Dust"))
    try pair.exchange()
    let conflict = try #require(try pair.laptop.conflicts().first)
    try pair.laptop.resolve(conflict, with: conflict.sides[side])
    try pair.exchange()
    for book in [pair.laptop, pair.phone] {
      #expect(try book.conflicts() == [])
      #expect(try book.todos().map(\.title) == [["Dust", "Wipe"][side]])
    }
    let count = try pair.phone.events().count
    #expect(
      reason { () throws(Book.Failure) in
        try pair.phone.resolve(conflict, with: conflict.sides[0])
      } == .refused)
    #expect(try pair.phone.events().count == count)
    try pair.laptop.undoLast(of: sweep)
    #expect(try pair.laptop.conflicts().map(\.sides.count) == [2])
  }

  @Test(arguments: [true, false])
  func `Library: a delete against an edit is a conflict without a field`(isKept: Bool) throws {
    let pair = try LibraryPair(seed: 4_103)
    let sweep = try pair.laptop.addTodo("Sweep")
    try pair.exchange()
    try pair.laptop.delete([sweep])
    try pair.phone.edit(sweep, [.title("Dust")])
    try pair.exchange()
    let conflict = try #require(try pair.phone.conflicts().first)
    #expect(conflict.record == sweep && conflict.field == nil)
    #expect(conflict.sides.map(\.content) == [.edited, .deleted])
    #expect(conflict.sides.map { $0.writers.map(\.device) } == [["phone"], ["laptop"]])
    try pair.phone.resolve(conflict, with: conflict.sides[isKept ? 0 : 1])
    try pair.exchange()
    for book in [pair.laptop, pair.phone] {
      #expect(try book.conflicts() == [])
      #expect(try book.todos().map(\.title) == (isKept ? ["Dust"] : []))
    }
  }

  @Test func `Library: a conflict that has gained a value since it was read is not settled`()
    throws
  {
    let pair = try LibraryPair(seed: 4_105)
    let sweep = try pair.laptop.addTodo("Sweep")
    try pair.exchange()
    let tablet = try Book.join(
      LibraryPair.stick, in: Office.folder.string, on: pair.office.place("tablet").machine,
      device: "tablet")
    try tablet.sync(with: LibraryPair.stick)
    try pair.exchange()
    try pair.laptop.edit(sweep, .title("Wipe"))
    try pair.phone.edit(sweep, .title("Dust"))
    try tablet.edit(sweep, .title("Polish"))
    try pair.exchange()
    let conflict = try #require(try pair.laptop.conflicts().first)
    #expect(Set(conflict.sides.map(\.content)) == [.text("Wipe"), .text("Dust")])
    try tablet.sync(with: LibraryPair.stick)
    try pair.exchange()
    let count = try pair.laptop.events().count
    for side in conflict.sides {
      let refusal = #expect(throws: Book.Failure.self) {
        try pair.laptop.resolve(conflict, with: side)
      }
      #expect(refusal?.reason == .refused)
      #expect(
        refusal?.description
          == "the conflict has changed since it was read. Nothing was done; read the conflicts "
          + "again.")
    }
    #expect(try pair.laptop.events().count == count)
    let present = try #require(try pair.laptop.conflicts().first)
    #expect(
      Set(present.sides.map(\.content)) == [.text("Wipe"), .text("Dust"), .text("Polish")])
    try pair.laptop.resolve(present, with: present.sides[0])
    #expect(try pair.laptop.conflicts() == [])
  }

  @Test func `Library: a side of another conflict settles none`() throws {
    let pair = try LibraryPair(seed: 4_106)
    let sweep = try pair.laptop.addTodo("Sweep")
    let mop = try pair.laptop.addTodo("Mop")
    try pair.exchange()
    try pair.laptop.delete(sweep)
    try pair.laptop.edit(mop, .title("Scrub"))
    try pair.phone.edit(sweep, .title("Dust"))
    try pair.phone.edit(mop, .title("Soak"))
    try pair.exchange()
    let conflicts = try pair.phone.conflicts()
    let life = try #require(conflicts.first { $0.record == sweep })
    let title = try #require(conflicts.first { $0.record == mop })
    #expect(life.field == nil && title.field == "title")
    for (conflict, other) in [(life, title), (title, life)] {
      for side in other.sides {
        let refusal = #expect(throws: Book.Failure.self) {
          try pair.phone.resolve(conflict, with: side)
        }
        #expect(refusal?.reason == .refused)
        #expect(
          refusal?.description
            == "the value is not part of this conflict. Nothing was done; choose one of the values in conflict."
        )
      }
    }
    #expect(try pair.phone.conflicts() == conflicts)
  }

  @Test func `Library: tags added and removed on two devices are combined without a conflict`()
    throws
  {
    let pair = try LibraryPair(seed: 4_107)
    let todo = try pair.laptop.addTodo("Sweep", tags: ["a", "b"])
    try pair.exchange()
    try pair.laptop.edit(todo, .removeTag("b"))
    try pair.phone.edit(todo, .addTag("c"))
    try pair.exchange()
    for book in [pair.laptop, pair.phone] {
      #expect(try book.todos().map(\.tags) == [["a", "c"]])
      #expect(try book.conflicts() == [])
    }
    try pair.laptop.undoLast()
    try pair.exchange()
    #expect(try pair.phone.todos().map(\.tags) == [["a", "b", "c"]])
  }

  @Test func `Library: the values of a conflict have the type of their field`() throws {
    let pair = try LibraryPair(seed: 4_104)
    let todo = try pair.laptop.addTodo("Sweep", note: "all of it")
    let home = try pair.laptop.addList("Home")
    let day = try #require(Book.Day("2026-12-24"))
    try pair.exchange()
    try pair.laptop.edit(
      todo, .list(home), .due(day), .note(nil), .tags(["a", "b"]), .priority(.high))
    try pair.laptop.edit(home, .colour(0x33_66CC))
    _ = try pair.advance("phone", milliseconds: 60_000)
    let work = try pair.phone.addList("Work")
    try pair.phone.edit(
      todo, .list(work), .due(Book.Day("2026-12-31")), .note("most of it"), .tags(["c"]),
      .priority(.low))
    try pair.phone.edit(home, .colour(0xFF_0000))
    try pair.exchange()
    var contents: [String: Set<Content>] = [:]
    for conflict in try pair.laptop.conflicts() {
      contents[conflict.field ?? ""] = Set(conflict.sides.map(\.content))
    }
    let expected: [String: Set<Content>] = [
      "list": [.record(home), .record(work)],
      "due": [.day(day), .day(try #require(Book.Day("2026-12-31")))],
      "note": [.nothing, .text("most of it")],
      "priority": [.priority(.high), .priority(.low)],
      "colour": [.number(0x33_66CC), .number(0xFF_0000)],
    ]
    #expect(contents == expected)
  }
}
