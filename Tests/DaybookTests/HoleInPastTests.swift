import Bytes
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

@testable import Daybook

/// A lost event does not count as seen by later writes.
struct HoleInPastTests {
  /// Two machines; the first has lost the event by which the second renamed a list.
  private func damaged(
    seed: UInt64
  ) throws -> (one: Office.Place, two: Book, list: UniqueID) {
    let office = Office(seed: seed)
    let founder = try office.found("one")
    let added = try founder.commands.perform(.addList(name: "Home", colour: nil))
    let list = try #require(added.changes.first).document.id
    _ = try founder.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    try office.exchange()
    try rename(list, "Haus", on: two)
    let log = try #require(two.file.writers.values.first)
    let lost = try #require(two.core.store.journal.logs[log]).sequence
    for book in [two, founder] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try two.commands.perform(.addList(name: "More", colour: nil))
    for book in [two, founder] { _ = try book.replicator.sync(with: Office.directory) }
    let one = try office.place("one")
    try damage(lost, of: log, on: one.simulated.disk)
    #expect(try one.open().verifier.verify().logs.flatMap(\.missing) == [lost...lost])
    return (one, two, list)
  }

  private func damage(_ lost: UInt64, of log: UniqueID, on disk: SimulatedDisk) throws {
    for (path, bytes) in disk.files where path.parent.name == log.hex {
      var offset = 0
      for frame in bytes.frames {
        if frame.firstSequence...frame.lastSequence ~= lost {
          disk.rot(path, at: offset + frame.length / 2, flipping: 4)
        }
        offset += frame.length
      }
    }
  }

  private func rename(_ list: UniqueID, _ name: String, on book: Book) throws {
    _ = try book.commands.perform(.edit(list, [.init(Field.List.name, .value(.text(name)))]))
  }

  private func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name).sorted()
  }

  @Test func `Hole: a lost edit is in conflict with an edit written without it`() throws {
    let (place, two, list) = try damaged(seed: 961)
    let one = try place.open()
    #expect(try names(one) == ["Home", "More"])
    try rename(list, "Maison", on: one)
    for book in [one, two, one] { _ = try book.replicator.sync(with: Office.directory) }
    for book in [one, two] {
      let contents = try book.conflictReader.conflicts().map { $0.sides.map(\.content) }
      #expect(contents.map(Set.init) == [[.value(.text("Maison")), .value(.text("Haus"))]])
    }
    #expect(try one.verifier.verify().isWhole)
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Hole: an edit is shown although the event that introduced the record's log is lost`()
    throws
  {
    let office = Office(seed: 967)
    _ = try office.found("one").replicator.sync(with: Office.directory)
    _ = try office.join("two")
    try office.exchange()
    let logs = try office.books.map { try #require($0.file.writers.values.first) }
    // The log with the edit is read before the log of the to-do.
    let writer = logs[0] < logs[1] ? 0 : 1
    let added = try office.books[1 - writer].commands.perform(
      .addTodo(title: "Milk", list: .none, priority: nil, due: nil))
    try office.exchange()
    let book = office.books[writer]
    // This event says that the to-do was seen, so it is lost, too.
    _ = try book.commands.perform(.addList(name: "More", colour: nil))
    // All events so far are in one frame, and the next one begins a file, so it contains the table.
    _ = try book.healer.compact()
    let milk = try #require(added.changes.first).document.id
    _ = try book.commands.perform(.edit(milk, [.init(.note, .value(.text("2 l")))]))
    let end = try #require(book.core.store.journal.logs[logs[writer]]).sequence
    let place = try office.place(["one", "two"][writer])
    try damage(1, of: logs[writer], on: place.simulated.disk)
    let damaged = try place.open()
    #expect(try damaged.verifier.verify().logs.flatMap(\.missing) == [1...end - 1])
    func notes() throws -> [String?] { try damaged.view().todos.todos().map(\.head.note) }
    #expect(try notes() == ["2 l"])
    #expect(try damaged.statusReader.status().newer.events == 0)
    try damaged.core.projector.rebuild()
    #expect(try notes() == ["2 l"])
  }

  @Test func `Hole: the status does not count the lost event until it is restored`() throws {
    let (place, two, _) = try damaged(seed: 965)
    let whole = try two.statusReader.status().held
    #expect(try place.open().statusReader.status().held == whole - 1)
    let one = try place.open()
    _ = try one.replicator.sync(with: Office.directory)
    #expect(try one.statusReader.status().held == whole)
  }

  @Test func `Hole: an open book shows an event that another process restored`() throws {
    let (place, two, _) = try damaged(seed: 962)
    let open = try place.open()
    #expect(try names(open) == ["Home", "More"])
    _ = try place.open().replicator.sync(with: Office.directory)
    #expect(try names(open) == ["Haus", "More"])
    #expect(try open.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Hole: an adjacent loss is also missing until both are accepted`() throws {
    let (place, two, _) = try damaged(seed: 963)
    let one = try place.open()
    let log = try #require(two.file.writers.values.first)
    let hole = try #require(one.core.store.journal.holes(in: log).first)
    // The event after the hole differs from the event that is known to have been here.
    let replaced = Landmark(
      log: log, sequence: hole.upperBound + 1, hash: UniqueID(high: 1, low: 1))
    try one.core.store.changingFile { file throws(DaybookError) in
      try file.losses.note([replaced]) { _ throws(DaybookError) in false }
    }
    let missing = try one.statusReader.status().missing
    #expect(missing.map(\.replica) == [log, log])
    #expect(missing.map(\.range) == [hole, hole.upperBound + 1...hole.upperBound + 1])
    _ = try one.verifier.acceptLoss()
    #expect(try one.statusReader.status().missing.map(\.range) == [])
  }
}
