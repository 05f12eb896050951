import Bytes
import Daybook
import Domain
import Platform
import ReadModel
import SimulatedPlatform
import Testing

/// A machine with its own identity.
struct Desk {
  let simulated: SimulatedMachine
  var machine: Machine { simulated.machine }
  static let folder = Path("/home/book")

  init(seed: UInt64) throws {
    simulated = SimulatedMachine(seed: seed)
    for folder in [Path("/etc"), Path("/stick")] { try machine.disk.makeDirectories(folder) }
    try machine.disk.replace(Path("/etc/machine-id"), with: Array("machine \(seed)\n".utf8))
  }

  func found(_ name: String = "laptop") throws -> Book {
    try BookFactory.create(at: Self.folder, on: machine, deviceName: name, view: .memory)
  }

  func open() throws -> Book { try Book(at: Self.folder, on: machine, view: .memory) }
}

struct BookTests {
  @Test func `Book: an added birthday is listed, even after reopening`() throws {
    let desk = try Desk(seed: 1)
    let book = try desk.found()
    let date = try CivilDate.parse("1815-12-10")
    _ = try book.commands.perform(
      .addBirthday(firstName: "Ada", lastName: "Lovelace", birthdate: date))
    let names = try book.view().birthdays.birthdays().map { [$0.firstName, $0.lastName] }
    #expect(names == [["Ada", "Lovelace"]])
    let again = try desk.open().view().birthdays.birthdays().map(\.birthdate)
    #expect(again == [date])
  }

  @Test func `Book: undo reverts the last command and redo applies it again`() throws {
    let book = try Desk(seed: 2).found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    _ = try book.commands.perform(.addList(name: "Work", colour: nil))
    _ = try book.undoEngine.undo()
    #expect(try book.view().lists.lists().map(\.name) == ["Home"])
    _ = try book.undoEngine.undo()
    #expect(try book.view().lists.lists().map(\.name) == [])
    _ = try book.undoEngine.redo(2)
    #expect(try book.view().lists.lists().map(\.name) == ["Home", "Work"])
    #expect(throws: (any Error).self) { try book.undoEngine.redo() }
  }

  @Test func `Book: a rebuild gives the same tables as posting one by one`() throws {
    let book = try Desk(seed: 3).found()
    let list = try #require(
      try book.commands.perform(.addList(name: "Home", colour: 0xff0000)).changes.first)
    for number in 1...20 {
      _ = try book.commands.perform(
        .addTodo(
          title: "to-do \(number)", list: .existing(list.document.id), priority: nil, due: nil))
    }
    // All rows except the undo trail and the checked key, which a rebuild does not restore.
    func tables() throws -> [String] {
      try book.view().tableDump.dump().filter { row in
        !["'undo'", "'key'"].contains { row.hasPrefix("setting: \($0)") }
      }
    }
    let before = try tables()
    try book.core.projector.rebuild()
    #expect(try tables() == before)
  }

  @Test func `Book: the state digest follows the events, whether cached or computed anew`() throws {
    let desk = try Desk(seed: 6)
    let book = try desk.found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    let first = try book.statusReader.digest()
    #expect(try book.statusReader.digest() == first)
    _ = try book.commands.perform(.addList(name: "Work", colour: nil))
    let second = try book.statusReader.digest()
    #expect(second != first)
    _ = try book.undoEngine.undo()
    _ = try book.undoEngine.redo()
    #expect(try desk.open().statusReader.digest() == book.statusReader.digest())
  }

  @Test func `Book: two machines that sync by directory have the same records`() throws {
    let (one, other) = (try Desk(seed: 4), try Desk(seed: 5))
    let book = try one.found("one")
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    let folder = Path("/stick")
    _ = try book.replicator.sync(with: .directory(folder))
    try carry(folder, from: one, to: other)
    let (second, _) = try BookFactory.join(
      at: Desk.folder, from: .directory(folder), on: other.machine, deviceName: "other",
      view: .memory, confirm: { _ in true })
    _ = try second.commands.perform(.addList(name: "Work", colour: nil))
    #expect(try second.view().lists.lists().map(\.name) == ["Home", "Work"])
    _ = try second.replicator.sync(with: .directory(folder))
    try carry(folder, from: other, to: one)
    let receipt = try book.replicator.sync(with: .directory(folder), admission: .always)
    #expect(receipt.admitted.map(\.name) == ["other"])
    #expect(try book.view().lists.lists().map(\.name) == ["Home", "Work"])
    try carry(folder, from: one, to: other)
    let last = try second.replicator.sync(with: .directory(folder))
    #expect(last.isAdmitted)
    #expect(try second.statusReader.digest() == book.statusReader.digest())
  }

  @Test func `Book: a device that joins under a taken name gets a number`() throws {
    let (one, other) = (try Desk(seed: 7), try Desk(seed: 8))
    let folder = Path("/stick")
    _ = try one.found("laptop").replicator.sync(with: .directory(folder))
    try carry(folder, from: one, to: other)
    let (book, _) = try BookFactory.join(
      at: Desk.folder, from: .directory(folder), on: other.machine, deviceName: "laptop",
      view: .memory, confirm: { _ in true })
    #expect(try book.deviceList.devices().map(\.name) == ["laptop", "laptop 2"])
  }

  /// Copies a folder from one machine's disk to another's, as if on a stick.
  private func carry(_ folder: Path, from one: Desk, to other: Desk) throws {
    let (source, target) = (one.machine.disk, other.machine.disk)
    for name in try source.list(folder) {
      let path = folder / name
      if try source.status(path)?.kind == .directory {
        try carry(path, from: one, to: other)
      } else if try target.status(path) == nil {
        try target.makeDirectories(folder)
        try target.replace(path, with: try source.contents(of: path, limit: 1 << 26))
      }
    }
  }
}
