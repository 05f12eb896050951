import Bytes
import Crypto
import Domain
import Foundation
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Testing
import Verifying

@testable import Daybook

/// The additions of version 2: a kind, a field, a verb and a form of value.
private struct VersionTwo {
  static let trip = Kind(rawValue: 6)
  static let place = Field(rawValue: 5)
  /// The time of day of a to-do.
  static let hour = Field(rawValue: 13)
  /// A field of a list, in a form that no field of version 1 has.
  static let theme = Field(rawValue: 40)
  /// Pins a record to the top.
  static let pin: UInt64 = 5

  private static func item(_ write: (inout CBORWriter) -> Void) -> [UInt8] {
    var writer = CBORWriter()
    write(&writer)
    return writer.bytes
  }

  /// The encoding of `{"sky": 1}`.
  static let themeValue = item {
    $0.mapHeader(1)
    $0.text("sky")
    $0.unsigned(1)
  }

  /// The encoding of `{"circa": 1815}`, for a field that is a number in version 1.
  static let circa = item {
    $0.mapHeader(1)
    $0.text("circa")
    $0.unsigned(1815)
  }

  /// The bodies that it writes; `list` is a reference to a list in another log.
  static func bodies(list: [UInt8]) -> [[UInt8]] {
    [
      item {
        $0.arrayHeader(6)
        for number in [0, trip.rawValue, 1] { $0.unsigned(number) }
        $0.raw(list)
        $0.integer(place.rawValue)
        $0.text("Rome")
      },
      item {
        $0.arrayHeader(6)
        for number: UInt64 in [0, 2, 5] { $0.unsigned(number) }
        $0.text("Pack")
        $0.integer(hour.rawValue)
        $0.text("09:30")
      },
      item {
        $0.arrayHeader(4)
        $0.unsigned(1)
        $0.raw(list)
        $0.integer(theme.rawValue)
        $0.raw(themeValue)
      },
      item {
        $0.arrayHeader(6)
        for number: UInt64 in [0, 0, 5] { $0.unsigned(number) }
        $0.text("Ada")
        $0.unsigned(7)
        $0.raw(circa)
      },
      item {
        $0.arrayHeader(2)
        $0.unsigned(pin)
        $0.raw(list)
      },
    ]
  }

  /// The records that version 2 shows of a book that was kept by version 1.
  static func shows(_ book: Book) throws -> [String] {
    let records = try book.core.projector.replayer.foldAll().records
    var lines = records.documents(trip).map { "trip to \($0.text(place) ?? "?")" }
    lines += records.documents(.todo).map { todo in
      "\(todo.text(Field.Todo.title) ?? "?") at \(todo.text(hour) ?? "any time")"
    }
    lines += records.documents(.list).filter(\.isAlive).map { list in
      "\(list.text(Field.List.name) ?? "?") has a theme: \(list.value(theme) == .other(themeValue))"
    }
    lines += records.documents(.birthday).map { birthday in
      let isCirca = birthday.value(Field.Birthday.birthdate) == .other(circa)
      return "\(birthday.text(Field.Birthday.firstName) ?? "?") was born about 1815: \(isCirca)"
    }
    var pins = 0
    for log in book.core.store.journal.logs.keys {
      try book.core.store.forEachFrame(of: log) { _, events in
        pins += events.count { $0.verb == pin }
      }
    }
    return lines + ["pins: \(pins)"]
  }
}

/// Data of a newer version is kept unchanged, passed on, and shown by a version that knows it.
struct NewerSchemaTests {
  private static let shown = [
    "trip to Rome", "Pack at 09:30", "Home has a theme: true",
    "Ada was born about 1815: true", "pins: 1",
  ]

  /// Two machines.
  ///
  /// The second has written as version 2, and the first has received its events.
  private func mixed(seed: UInt64) throws -> (office: Office, one: Book, two: Book, list: UniqueID)
  {
    let office = Office(seed: seed)
    let one = try office.found("one")
    let list = try #require(
      try one.commands.perform(.addList(name: "Home", colour: nil)).changes.first
    ).document
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    // With this command, its log names the events that it has seen, and the other log.
    _ = try two.commands.perform(.addList(name: "Away", colour: nil))
    _ = try two.undoEngine.undo()
    try write(on: try office.place("two"), two, list.key.sequence)
    for book in [try office.place("two").open(), one] {
      _ = try book.replicator.sync(with: Office.directory)
    }
    return (office, one, try office.place("two").open(), list.id)
  }

  private func write(on place: Office.Place, _ book: Book, _ sequence: UInt64) throws {
    let log = try #require(try book.deviceList.devices().first(where: \.isThis)).replica
    let pem = try place.machine.disk.contents(
      of: Office.folder / "keys" / "\(log.hex).pem", limit: 1 << 16)
    let keys = try DeviceKeys(pem: String(decoding: pem, as: UTF8.self))
    var journal = try Journal(at: Office.folder, on: place.machine)
    #expect(journal.logs[log]?.table.count == 1)
    var name = CBORWriter()
    name.arrayHeader(2)
    name.unsigned(0)
    name.unsigned(sequence)
    let commands = VersionTwo.bodies(list: name.bytes).map {
      Journaling.Command(time: 1_704_067_200_000, events: [NewEvent(body: $0)])
    }
    _ = try journal.append(commands, to: log, keys: keys)
  }

  @Test func `Newer schema: unknown parts are counted, and the known parts are shown`() throws {
    let (_, one, two, _) = try mixed(seed: 1_301)
    for book in [one, two] {
      #expect(try book.statusReader.status().newer == Status.Newer(records: 4, events: 1))
      #expect(try book.view().lists.lists().map(\.name) == ["Home"])
      #expect(try book.view().todos.todos().map(\.title) == ["Pack"])
      #expect(try book.view().birthdays.birthdays().map(\.firstName) == ["Ada"])
      try book.core.projector.rebuild()
      #expect(try book.statusReader.status().newer == Status.Newer(records: 4, events: 1))
    }
    #expect(try one.verifier.verify().isWhole)
  }

  @Test func `Newer schema: digests agree between versions, also through an older one`() throws {
    let (office, one, two, list) = try mixed(seed: 1_302)
    let bundle = MountedDisk.stick(0) / "bundle"
    _ = try one.replicator.writeBundle(to: bundle)
    let three = try office.join("three", from: .file(bundle))
    let names = Set([one, two, three].flatMap { Array($0.core.store.journal.logs.keys) })
    for book in [two, three] {
      for log in names where one.core.store.journal.logs[log] != nil {
        #expect(book.core.store.journal.logs[log]?.hash == one.core.store.journal.logs[log]?.hash)
      }
      #expect(try book.statusReader.digest() == one.statusReader.digest())
    }
    // Later writes by version 1 do not change the parts that it does not know.
    _ = try one.commands.perform(
      .edit(list, [Request.Assignment(Field.List.name, .value(.text("House")))]))
    for book in [one, two] { _ = try book.replicator.sync(with: Office.directory) }
    #expect(try one.statusReader.digest() == two.statusReader.digest())
    #expect(try one.statusReader.status().newer == Status.Newer(records: 4, events: 1))
  }

  @Test func `Newer schema: a version that knows the unknown parts finds all of them`() throws {
    let (office, one, two, _) = try mixed(seed: 1_303)
    let bundle = MountedDisk.stick(0) / "bundle"
    _ = try one.replicator.writeBundle(to: bundle)
    let three = try office.join("three", from: .file(bundle))
    for book in [one, two, three] { #expect(try VersionTwo.shows(book) == Self.shown) }
  }

  @Test func `Newer schema: a record with unknown parts can be deleted and restored`() throws {
    let (_, one, two, list) = try mixed(seed: 1_304)
    _ = try one.commands.perform(.delete([list]))
    #expect(try one.statusReader.status().newer == Status.Newer(records: 3, events: 1))
    for book in [one, two] { _ = try book.replicator.sync(with: Office.directory) }
    #expect(try two.view().lists.lists().isEmpty)
    _ = try two.commands.perform(.restore([list]))
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    #expect(try one.statusReader.digest() == two.statusReader.digest())
    #expect(try VersionTwo.shows(one) == Self.shown)
  }

  @Test func `Newer schema: a read model of an older version is rebuilt`() throws {
    let simulated = SimulatedMachine(seed: 1_305)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let folder = FileManager.default.temporaryDirectory.appending(path: "newer-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = Path(folder.path())
    let file: Path
    do {
      let book = try BookFactory.create(at: path, on: machine, deviceName: "one")
      _ = try book.commands.perform(.addList(name: "Home", colour: nil))
      try book.core.projector.rebuild()
      file = book.layout.view
    }
    var bytes = try machine.disk.contents(of: file, limit: 1 << 24)
    // The user version of a database is at offset 60.
    let now = UInt32(ReadModel.version)
    #expect(bytes.version == now)
    bytes.version = now - 1
    try machine.disk.replace(file, with: bytes)
    let book = try Book(at: path, on: machine)
    #expect(try book.view().lists.lists().map(\.name) == ["Home"])
    #expect(try machine.disk.contents(of: file, limit: 1 << 24).version == now)
  }
}

extension [UInt8] {
  /// The user version in the header of a database.
  fileprivate var version: UInt32 {
    get { self[60..<64].reduce(0) { $0 << 8 | UInt32($1) } }
    set {
      for place in 0..<4 {
        self[60 + place] = UInt8(truncatingIfNeeded: newValue >> (24 - 8 * UInt32(place)))
      }
    }
  }
}
