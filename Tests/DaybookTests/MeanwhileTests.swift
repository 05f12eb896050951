import Bytes
import Crypto
import Daybook
import Domain
import Interchange
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
import Syncing
import Testing
import Verifying

/// Actions of other processes and machines between two steps of a book.
struct MeanwhileTests {
  private func add(_ name: String, to book: Book) throws {
    _ = try book.commands.perform(.addList(name: name, colour: nil))
  }

  private func names(_ book: Book) throws -> [String] {
    try book.view().lists.lists().compactMap(\.name).sorted()
  }

  @Test func `Concurrency: events written by another process are counted once`() throws {
    let desk = try Desk(seed: 801)
    let writer = try desk.found()
    let reader = try desk.open()
    try add("Home", to: writer)
    try add("Work", to: writer)
    _ = try reader.view()
    try add("Play", to: reader)
    #expect(try reader.statusReader.status().events == 3)
    #expect(try names(reader) == ["Home", "Play", "Work"])
  }

  @Test func `Concurrency: a process opened before a join continues in the joined book`() throws {
    let office = Office(seed: 802)
    let one = try office.found("one")
    try add("Home", to: one)
    _ = try one.replicator.sync(with: Office.directory)
    try add("Work", to: try office.found("two"))
    let place = try office.place("two")
    let before = try place.open()
    _ = try before.view()
    place.book = nil
    let joined = try office.join("two")
    #expect(try names(before) == names(joined))
    #expect(before.id == one.id)
    try add("Late", to: before)
    #expect(try before.statusReader.status().digest == joined.statusReader.digest())
    #expect(try place.open().id == one.id)
  }

  @Test func `Concurrency: the second of two processes that found a book is refused`() throws {
    let desk = try Desk(seed: 803)
    let interruption = Interruption(desk.simulated.timekeeper) {
      let first = try desk.found("first")
      try add("Home", to: first)
    }
    let machine = Machine(
      disk: desk.machine.disk, timekeeper: interruption, dice: desk.machine.dice,
      network: desk.machine.network)
    let error = #expect(throws: DaybookError.self) {
      try BookFactory.create(at: Desk.folder, on: machine, deviceName: "second", view: .memory)
    }
    guard case .bookExists = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try names(try desk.open()) == ["Home"])
    #expect(try desk.open().statusReader.status().isAdmitted)
  }

  @Test func `Concurrency: an event is not earlier than any event that its author has folded`()
    throws
  {
    let office = Office(seed: 804)
    let one = try office.found("one")
    _ = try one.replicator.sync(with: Office.directory)
    // The second device has only begun a log, and its clock is ahead.
    try office.place("two").simulated.timekeeper.advance(milliseconds: 3_600_000)
    let two = try office.join("two")
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    try add("Home", to: one)
    let ends = one.core.store.journal.logs.values.sorted { $0.sequence < $1.sequence }
    #expect(ends.count == 2)
    #expect(ends[0].time <= ends[1].time)
    #expect(try one.verifier.verify().faults == [])
  }

  @Test func `Concurrency: a record that an import deletes and adds again is shown`() throws {
    let office = Office(seed: 805)
    let one = try office.found("one")
    let add = #"{"op": "add", "kind": "list", "id": "l", "name": "first"}"#
    _ = try one.importer.importOperations(Array(add.utf8))
    _ = try one.replicator.sync(with: Office.directory)
    try office.place("two").simulated.timekeeper.advance(milliseconds: 3_600_000)
    let two = try office.join("two")
    let list = try #require(try two.view().lists.lists().first)
    _ = try two.commands.perform(
      .edit(list.head.id, [Request.Assignment(Field.List.name, .value(.text("theirs")))]))
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    #expect(try names(one) == ["theirs"])
    let lines = [
      #"{"op": "delete", "kind": "list", "id": "l"}"#,
      #"{"op": "add", "kind": "list", "id": "l", "name": "theirs"}"#,
    ]
    _ = try one.importer.importOperations(Array(lines.joined(separator: "\n").utf8))
    #expect(try names(one) == ["theirs"])
  }

  @Test func `Concurrency: logs after one that cannot be set aside are stored`() throws {
    let office = Office(seed: 806)
    let one = try office.found("one")
    try add("Home", to: one)
    _ = try one.replicator.sync(with: Office.directory)
    let bundle = MountedDisk.stick(0) / "bundle"
    var authors: [UniqueID: Book] = [:]
    for name in ["two", "three"] {
      let book = try office.join(name)
      _ = try book.replicator.writeBundle(to: bundle)
      _ = try one.replicator.sync(with: .file(bundle))
      authors[try #require(try book.deviceList.devices().first(where: \.isThis)).replica] = book
    }
    // There is no space left for the first log.
    let logs = authors.keys.sorted()
    let folder = Office.folder / "aside" / logs[0].hex
    let disk = try office.place("one").machine.disk
    let tail = try disk.contents(of: folder / "000000000001.gz", limit: 1 << 20)
    try disk.replace(
      folder / "000000000001-000000000001.gz", with: tail + [UInt8](repeating: 0, count: 16 << 20))
    #expect(
      try office.place("one").open().core.store.journal.aside.values.map(\.sequence) == [1, 1])
    var intake = Intake(BookReplica(of: one.replica))
    for log in logs {
      let author = try #require(authors[log])
      try add("more", to: author)
      try BookReplica(of: author.replica).forEachFrame(of: log, lackedBy: []) {
        (frame) throws(SyncError) in
        try intake.take(frame, of: log)
      }
    }
    try intake.commit()
    #expect(intake.problems == [.log(.asideFull)])
    let held = try office.place("one").open().core.store.journal.aside
    #expect(logs.map { held[$0]?.sequence } == [1, 2])
    try add("Work", to: one)
  }

  @Test func `Concurrency: the peers file lists admitted devices; an oversized one is rebuilt`()
    throws
  {
    let office = Office(seed: 808)
    let one = try office.found("one")
    try office.stick.makeDirectories(MountedDisk.stick(0))
    let bundle = MountedDisk.stick(0) / "bundle"
    _ = try one.replicator.writeBundle(to: bundle)
    let two = try office.join("two", from: .file(bundle))
    _ = try two.replicator.writeBundle(to: bundle)
    let disk = try office.place("one").machine.disk
    let peers = Office.folder / "peers"
    // Unadmitted devices are not recorded, because such a device could use any number of names.
    _ = try one.replicator.sync(with: .file(bundle))
    #expect(try disk.status(peers) == nil)
    _ = try one.replicator.sync(with: .file(bundle), admission: .always)
    let noted = try disk.contents(of: peers, limit: 1 << 20)
    #expect(!noted.isEmpty)
    // Syncs can restore the content of a file that has grown too large.
    try disk.replace(peers, with: [UInt8](repeating: 0x20, count: 5 << 20))
    _ = try one.replicator.sync(with: .file(bundle))
    #expect(try disk.contents(of: peers, limit: 1 << 20) == noted)
  }

  @Test func `Concurrency: a reference to a log that is not yet introduced has no effect`() throws {
    let office = Office(seed: 809)
    let one = try office.found("one")
    try add("Home", to: one)
    _ = try one.replicator.sync(with: Office.directory)
    let two = try office.join("two")
    // An edit of the list by the index that the other log will get.
    let place = try office.place("two")
    let log = try #require(try two.deviceList.devices().first(where: \.isThis)).replica
    let pem = try place.machine.disk.contents(
      of: Office.folder / "keys" / "\(log.hex).pem", limit: 1 << 16)
    let keys = try DeviceKeys(pem: String(decoding: pem, as: UTF8.self))
    var journal = try Journal(at: Office.folder, on: place.machine)
    let body: [UInt8] = [0x84, 1, 0x82, 0, 2, 5, 0x65] + Array("early".utf8)
    let command = Journaling.Command(time: 1_704_067_200_000, events: [NewEvent(body: body)])
    _ = try journal.append([command], to: log, keys: keys)
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory, admission: .always)
    #expect(try names(one) == ["Home"])
    _ = try two.replicator.sync(with: Office.directory)
    try add("Work", to: two)
    _ = try two.replicator.sync(with: Office.directory)
    _ = try one.replicator.sync(with: Office.directory)
    for book in [one, two] {
      #expect(try names(book) == ["Home", "Work"])
      try book.core.projector.rebuild()
      #expect(try names(book) == ["Home", "Work"])
    }
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Undo: undo and redo larger than one command restore the whole state`() throws {
    let desk = try Desk(seed: 807)
    let book = try desk.found()
    func lines(_ letter: Character, _ verb: String) -> [UInt8] {
      let lines = (0..<80).map { number in
        let note = String(repeating: letter, count: 10_000)
        return verb == "add"
          ? #"{"op": "add", "kind": "list", "id": "l\#(number)", "name": "l", "note": "\#(note)"}"#
          : #"{"op": "edit", "kind": "list", "id": "l\#(number)", "set": {"note": "\#(note)"}}"#
      }
      return Array(lines.joined(separator: "\n").utf8)
    }
    _ = try book.importer.importOperations(lines("a", "add"))
    let before = try book.statusReader.digest()
    _ = try book.importer.importOperations(lines("b", "edit"))
    let after = try book.statusReader.digest()
    _ = try book.undoEngine.undo()
    #expect(try book.statusReader.digest() == before)
    _ = try book.undoEngine.redo()
    #expect(try book.statusReader.digest() == after)
    #expect(try book.verifier.verify().faults == [])
  }
}

/// A clock that runs an action when the monotonic time is first read.
final class Interruption: Timekeeper {
  private let clock: any Timekeeper
  private let happening: @Sendable () throws -> Void
  private let hasHappened = Atomic(false)

  init(_ clock: any Timekeeper, _ happening: @escaping @Sendable () throws -> Void) {
    (self.clock, self.happening) = (clock, happening)
  }

  func now() -> Moment { clock.now() }
  func localOffsetSeconds(at moment: Moment) -> Int { clock.localOffsetSeconds(at: moment) }
  func pause(microseconds: Int64) { clock.pause(microseconds: microseconds) }

  func monotonicMilliseconds() -> Int64 {
    if hasHappened.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged {
      do { try happening() } catch { Issue.record(error) }
    }
    return clock.monotonicMilliseconds()
  }
}
