import Bytes
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Synchronization
import Testing
import Verifying

/// Reports about holes before and after a sync with a peer.
struct HealingTests {
  private static let stick = Path("/stick")

  /// A book of six events in a frame each, one of them damaged.
  private func damaged(_ desk: Desk) throws -> (path: Path, whole: [UInt8], sequence: UInt64) {
    let book = try desk.found()
    for number in 0..<5 {
      _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
    }
    let file = try #require(
      desk.simulated.disk.files.first { $0.key.string.hasPrefix("/home/book/logs/") })
    desk.simulated.disk.rot(file.key, at: file.value.count / 2, flipping: 4)
    let missing = try desk.open().verifier.verify().logs.flatMap(\.missing)
    let range = try #require(missing.first)
    #expect(missing.count == 1 && range.count == 1)
    return (file.key, file.value, range.lowerBound)
  }

  @Test func `Healing: a book without holes contacts no peer`() throws {
    let desk = try Desk(seed: 601)
    let book = try desk.found()
    _ = try book.commands.perform(.addList(name: "Home", colour: nil))
    let healing = try book.healer.heal(from: .directory(Path("/nowhere")))
    #expect(healing.isWhole)
    #expect(healing.receipt == nil)
    #expect(healing.healed == [])
    #expect(healing.left == [])
  }

  @Test func `Healing: events that the peer lacks remain missing`() throws {
    let desk = try Desk(seed: 602)
    let (_, _, sequence) = try damaged(desk)
    let book = try desk.open()
    let healing = try book.healer.heal(from: .directory(Self.stick))
    #expect(!healing.isWhole)
    #expect(healing.receipt != nil)
    #expect(healing.healed == [])
    let log = try #require(healing.before.logs.first?.id)
    #expect(
      healing.left == [
        Gap(device: "laptop", log: log, range: sequence...sequence, isBodiless: false)
      ])
  }

  @Test func `Healing: a sync reports the events it restored and their device`() throws {
    let desk = try Desk(seed: 604)
    let (path, whole, sequence) = try damaged(desk)
    let stick = PeerAddress.directory(Self.stick)
    let hurt = try #require(desk.simulated.disk.files[path])
    try desk.machine.disk.replace(path, with: whole)
    _ = try desk.open().replicator.sync(with: stick)
    try desk.machine.disk.replace(path, with: hurt)
    let book = try desk.open()
    let log = try #require(book.verifier.verify().logs.first?.id)
    let receipt = try book.replicator.sync(with: stick)
    #expect(receipt.healed.map(\.events) == [1])
    #expect(receipt.healed.map(\.device) == ["laptop"])
    #expect(receipt.healed.map(\.replica) == [log])
    #expect(receipt.received == [])
    #expect(try book.verifier.verify().isWhole)
    #expect(try book.replicator.sync(with: stick).healed == [])
    #expect(sequence > 1)
  }

  @Test func `Healing: a running process shows events that another restored in an unreadable file`()
    throws
  {
    let desk = try Desk(seed: 605)
    let first = try desk.found()
    for number in 0..<5 {
      _ = try first.commands.perform(.addList(name: "list \(number)", colour: nil))
    }
    _ = try first.healer.compact()
    _ = try first.commands.perform(.addList(name: "list 5", colour: nil))
    let stick = PeerAddress.directory(Self.stick)
    _ = try first.replicator.sync(with: stick)
    // A file that is named after its events is not read when a journal is opened.
    let file = try #require(
      desk.simulated.disk.files.first {
        $0.key.string.hasPrefix("/home/book/logs/") && $0.key.name.contains("-")
      })
    desk.simulated.disk.rot(file.key, at: file.value.count / 2, flipping: 4)
    let running = try desk.open()
    #expect(try running.view().lists.lists().count < 6)
    #expect(running.core.store.journal.holes(in: running.replica.hello.replica) == [])
    #expect(try desk.open().replicator.sync(with: stick).healed.count == 1)
    #expect(try running.view().lists.lists().count == 6)
  }

  @Test func `Healing: a running process shows events that another restored at a file's end`()
    throws
  {
    let office = Office(seed: 606)
    let book = try office.found("laptop")
    _ = try book.replicator.sync(with: Office.directory)
    let phone = try office.join("phone")
    for number in 0..<3 {
      _ = try book.commands.perform(.addList(name: "list \(number)", colour: nil))
      for book in [book, phone] { _ = try book.replicator.sync(with: Office.directory) }
    }
    let place = try office.place("phone")
    let log = "/logs/\(book.replica.hello.replica.hex)/"
    let (path, whole) = try #require(
      place.simulated.disk.files.first { $0.key.string.contains(log) })
    place.simulated.disk.rot(path, at: whole.count - 20, flipping: 4)
    let running = try place.open()
    #expect(try running.view().lists.lists().count < 3)
    place.simulated.timekeeper.advance(milliseconds: 1_000)
    _ = try place.open().replicator.sync(with: Office.directory)
    #expect(place.simulated.disk.files[path] == whole)
    #expect(try running.view().lists.lists().count == 3)
  }

  @Test func `Healing: restored events are reported`() throws {
    let desk = try Desk(seed: 603)
    let (path, whole, sequence) = try damaged(desk)
    // The file is restored while the peer is being read.
    let disk = StrangeDisk(desk.simulated.disk) { (disk, listed) throws(DiskError) in
      if listed.string.hasPrefix("/stick") { try disk.replace(path, with: whole) }
    }
    try disk.makeDirectories(Self.stick)
    let machine = Machine(
      disk: disk, timekeeper: desk.machine.timekeeper, dice: desk.machine.dice,
      network: desk.machine.network)
    let book = try Book(at: Desk.folder, on: machine, view: .memory)
    let healing = try book.healer.heal(from: .directory(Self.stick))
    #expect(healing.isWhole)
    let log = try #require(healing.before.logs.first?.id)
    #expect(
      healing.healed == [
        Gap(device: "laptop", log: log, range: sequence...sequence, isBodiless: false)
      ])
    #expect(healing.left == [])
  }

  @Test(arguments: [false, true], [false, true])
  func `Healing: repair and accepted loss both quarantine bytes after the last event`(
    isAccepted: Bool, isSealed: Bool
  ) throws {
    let desk = try Desk(seed: 607)
    let first = try desk.found()
    _ = try first.commands.perform(.addList(name: "Home", colour: nil))
    if isSealed { _ = try first.healer.compact() }
    let disk = desk.simulated.disk
    let (file, whole) = try #require(
      disk.files.first { $0.key.string.hasPrefix("/home/book/logs/") })
    let noise = [UInt8](repeating: 1, count: 60)
    try desk.machine.disk.replace(file, with: whole + noise)
    let book = try desk.open()
    #expect(
      try book.verifier.verify().faults.map(\.kind)
        == [isSealed ? .damage(count: 60) : .tornTail(count: 60)])
    let after =
      if isAccepted {
        try book.verifier.acceptLoss().after
      } else {
        try book.healer.heal(from: .directory(Self.stick)).after
      }
    #expect(after.isWhole)
    #expect(disk.files[file] == whole)
    let copies = disk.files.filter { $0.key.string.hasPrefix("/home/book/quarantine/") }
    #expect(copies.map(\.value) == [noise])
    #expect(
      book.core.store.repairs.map(\.kind)
        == copies.map { .trimmed(byteCount: 60, copiedTo: $0.key) } + (isSealed ? [.renewed] : []))
  }

  @Test func `Healing: a verification reports a hole although the disk is full`() throws {
    let desk = try Desk(seed: 608)
    let first = try desk.found()
    for number in 0..<5 {
      _ = try first.commands.perform(.addList(name: "list \(number)", colour: nil))
    }
    let (file, whole) = try #require(
      desk.simulated.disk.files.first { $0.key.string.hasPrefix("/home/book/logs/") })
    desk.simulated.disk.rot(file, at: whole.count / 2, flipping: 4)
    let disk = StrangeDisk(desk.simulated.disk, whenLocked: { $0.becomeFull(afterBytes: 0) })
    let machine = Machine(
      disk: disk, timekeeper: desk.machine.timekeeper, dice: desk.machine.dice,
      network: desk.machine.network)
    let missing = try Book(at: Desk.folder, on: machine, view: .memory).verifier.verify().logs
      .flatMap(\.missing)
    desk.simulated.disk.clearWeather()
    #expect(missing.map(\.count) == [1])
    #expect(try desk.open().verifier.verify().logs.flatMap(\.missing) == missing)
  }
}
