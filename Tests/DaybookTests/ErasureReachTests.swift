import Bytes
import Daybook
import Domain
import Foundation
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// An erasure reaches every copy of a record, wherever it is stored and however it arrives.
struct ErasureReachTests {
  private static let words = ["Erstgeheim", "Zweitgeheim", "Drittgeheim", "Spaetgeheim"]

  private func addBirthday(_ book: Book, _ name: String = "Erstgeheim") throws -> UniqueID {
    let added = try book.commands.perform(
      .addBirthday(firstName: name, lastName: nil, birthdate: nil))
    return try #require(added.changes.first).document.id
  }

  private func edit(_ book: Book, _ id: UniqueID, _ field: Field, _ text: String) throws {
    _ = try book.commands.perform(.edit(id, [Request.Assignment(field, .value(.text(text)))]))
  }

  // MARK: Forked logs

  private func expectNothing(of id: UniqueID, in studio: Studio, forked log: UniqueID) throws {
    for machine in studio.machines {
      let (book, disk) = (try machine.open(), machine.copyOfDisk())
      #expect(disk.holding(Self.words) == [], "\(machine.name)")
      #expect(disk.holding(["Harmless"]) == ["Harmless"])
      #expect(disk.betrayedBlocks(below: log.hex) == [], "\(machine.name)")
      #expect(try book.verifier.verify().isWhole)
      #expect(try book.view().birthdays.birthdays().isEmpty)
      #expect(try book.finder.document(withID: id) == nil)
      #expect(book.core.store.journal.forks.count == 2)
    }
    #expect(studio.stick.holding(Self.words) == [])
    #expect(studio.stick.betrayedBlocks(below: log.hex) == [])
    #expect(Set(try studio.machines.map { try $0.open().statusReader.digest() }).count == 1)
  }

  @Test(arguments: [false, true], [false, true])
  func `Erasure: events about a record in both branches of a log are stripped`(
    isForkKnown: Bool, isAddedInBranch: Bool
  ) throws {
    let studio = try Studio(seed: 921, hasWitness: false)
    let (one, two) = (try studio.found("one"), try studio.join("two"))
    try one.add("Harmless")
    let log = try #require(try one.writers().first)
    let known = isAddedInBranch ? nil : try addBirthday(try one.open())
    let clone = try studio.place("clone")
    clone.restore(one.copyOfDisk())
    let id = try known ?? addBirthday(try one.open())
    try edit(try one.open(), id, Field.Birthday.lastName, "Zweitgeheim")
    try clone.add("Harmless too")
    if !isAddedInBranch {
      try edit(try clone.open(), id, Field.note, "Drittgeheim")
    }
    try two.sync(after: one)
    if isForkKnown { try studio.syncAll() }
    _ = try two.open().eraser.erase(id)
    try studio.syncAll()
    try expectNothing(of: id, in: studio, forked: log)
    // The clone receives the erasure before it can write.
    #expect(throws: DaybookError.self) {
      try edit(try clone.open(), id, Field.note, "Spaetgeheim")
    }
  }

  // MARK: Directories

  @Test func `Erasure: an edit pushed before its author learns of the erasure is stripped`() throws
  {
    let office = Office(seed: 922)
    let one = try office.found("one")
    _ = try one.commands.perform(.addList(name: "Harmless", colour: nil))
    let id = try addBirthday(one)
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    _ = try two.replicator.sync(with: Office.directory)
    try edit(two, id, Field.note, "Spaetgeheim")
    _ = try one.eraser.erase(id)
    _ = try one.replicator.sync(with: Office.directory)
    #expect(office.stick.holding(Self.words) == [])
    // The device receives the erasure and sends the edit in the same sync.
    _ = try two.replicator.sync(with: Office.directory)
    #expect(office.places[1].simulated.disk.holding(Self.words) == [])
    _ = try one.replicator.sync(with: Office.directory)
    #expect(office.stick.holding(Self.words) == [])
    #expect(office.stick.holding(["Harmless"]) == ["Harmless"])
    #expect(try one.statusReader.digest() == two.statusReader.digest())
    // A device that joins through the directory receives all events.
    let three = try office.join("three")
    #expect(try three.verifier.verify().isWhole)
    #expect(try three.statusReader.digest() == one.statusReader.digest())
  }

  // MARK: Erasures that do not count

  enum Way: CaseIterable { case directory, bundle, line }

  @Test(arguments: Way.allCases)
  func `Erasure: a record returns after the revocation of the device that erased it`(
    way: Way
  ) async throws {
    let office = Office(seed: 923)
    let one = try office.found("one")
    let id = try addBirthday(one)
    _ = try one.commands.perform(.addList(name: "Harmless", colour: nil))
    _ = try one.replicator.sync(with: Office.directory)
    let (two, three) = (try office.join("two"), try office.join("three"))
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    for book in [two, three, one] { _ = try book.replicator.sync(with: Office.directory) }
    try edit(three, id, Field.note, "Drittgeheim")
    for book in [three, two, one] { _ = try book.replicator.sync(with: Office.directory) }
    _ = try two.eraser.erase(id)
    for book in [two, one] { _ = try book.replicator.sync(with: Office.directory) }
    #expect(try one.view().birthdays.birthdays().isEmpty)
    // The third device has not received the erasure.
    _ = try three.revoker.revoke(three.deviceList.device(called: "two"))
    try await exchange(three, one, by: way, office)
    #expect(try one.view().birthdays.birthdays().map(\.firstName) == ["Erstgeheim"])
    #expect(try one.view().birthdays.birthdays().map(\.head.note) == ["Drittgeheim"])
    for book in [one, three] {
      #expect(try book.verifier.verify().isWhole)
      #expect(try book.statusReader.status().missing.isEmpty)
    }
    #expect(try one.statusReader.digest() == three.statusReader.digest())
    #expect(try office.places[0].open().statusReader.digest() == three.statusReader.digest())
  }

  private func exchange(_ left: Book, _ right: Book, by way: Way, _ office: Office) async throws {
    for _ in 1...2 {
      switch way {
      case .directory:
        for book in [left, right] { _ = try book.replicator.sync(with: Office.directory) }
      case .bundle:
        for (from, to) in [(left, right), (right, left)] {
          let path = MountedDisk.stick(0) / "\(UUID()).bundle"
          _ = try from.replicator.writeBundle(to: path)
          _ = try to.replicator.sync(with: .file(path))
        }
      case .line:
        let place = try #require(office.places.first { $0.book === left })
        let server = Server(place.machine)
        let port = try await server.start()
        _ = try right.replicator.sync(with: .tcp(host: "127.0.0.1", port: port))
        #expect(await server.stop() == [])
      }
    }
  }

  // MARK: Files on a real disk

  @Test func `Erasure: copies in quarantine are removed`() throws {
    let simulated = SimulatedMachine(seed: 924)
    let machine = Machine(
      disk: PosixDisk(), timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network)
    let folder = FileManager.default.temporaryDirectory.appending(path: "erasure-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = Path(folder.path())
    let book = try BookFactory.create(at: path, on: machine, deviceName: "one")
    _ = try book.commands.perform(.addList(name: "Harmless", colour: nil))
    let id = try addBirthday(book)
    // The end of a frame with the record is cut off, as after a crash.
    let log = try #require(book.core.store.journal.logs.keys.first)
    let folderOfLog = path / "logs" / log.hex
    let names = try machine.disk.list(folderOfLog)
    let file = folderOfLog / (try #require(names.first))
    let bytes = try machine.disk.contents(of: file, limit: 1 << 20)
    let last = try #require(bytes.frames.last)
    try machine.disk.replace(
      file, with: bytes + bytes[(bytes.count - last.length)..<bytes.count - 3])
    let second = try Book(at: path, on: machine)
    _ = try second.commands.perform(.addList(name: "Harmless too", colour: nil))
    let quarantine = path / "quarantine"
    #expect(try machine.disk.list(quarantine).count == 1)
    _ = try second.eraser.erase(id)
    #expect(try machine.disk.list(quarantine) == [])
    var holders: [String] = []
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    for case let found as URL in try #require(files) {
      // Skip folders, which cannot be read.
      guard let data = try? Data(contentsOf: found) else { continue }
      let bytes = Array(data)
      let isHolder = ([bytes] + bytes.frames.map(\.content)).contains { content in
        content.holds(Array("Erstgeheim".utf8))
      }
      if isHolder { holders.append(found.path()) }
    }
    #expect(holders == [])
    #expect(try second.verifier.verify().isWhole)
  }
}
