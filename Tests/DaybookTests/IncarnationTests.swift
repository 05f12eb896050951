import Bytes
import Daybook
import Domain
import Journaling
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform
import TestDice
import Testing

/// Books that were moved, copied or rolled back, and begin a new incarnation before they write.
struct IncarnationTests {
  @Test func `Incarnation: the witness reveals a rollback, and nothing is lost`() throws {
    let studio = try Studio(seed: 701)
    let (one, _, before) = try studio.rolledBack()
    try one.add("third")
    let after = try one.writers()
    #expect(before != after)
    #expect(try one.retired() == before)
    try studio.syncAll()
    for machine in studio.machines {
      #expect(try machine.names() == ["first", "second", "third"])
    }
    #expect(Set(try studio.machines.map { try $0.open().statusReader.digest() }).count == 1)
    // The rollback is detected only once.
    try one.add("fourth")
    #expect(try one.writers() == after)
  }

  @Test func `Incarnation: a peer reveals a rollback by returning the device's own events`() throws
  {
    let studio = try Studio(seed: 702, hasWitness: false)
    let (one, _, before) = try studio.rolledBack()
    try one.sync()
    try one.add("third")
    #expect(try one.writers() != before)
    #expect(try one.retired() == before)
    try studio.syncAll()
    for machine in studio.machines {
      #expect(try machine.names() == ["first", "second", "third"])
    }
  }

  @Test func `Incarnation: another device's event reveals a rollback by what it has seen`() throws {
    let studio = try Studio(seed: 706, hasWitness: false)
    let (one, two, before) = try studio.rolledBack()
    try two.add("after")
    try two.sync()
    // The stick has the events of the other machine, and lacks the last events of this machine.
    let log = try #require(before.first)
    let names = studio.stick.files.keys.filter { $0.parent.name == log.hex }
    try studio.stick.remove(try #require(names.max { $0.name < $1.name }))
    try one.sync()
    try one.add("third")
    let after = try one.writers()
    #expect(after != before)
    #expect(try one.retired() == before)
    // The rollback is detected only once.
    try one.add("fourth")
    #expect(try one.writers() == after)
    try studio.syncAll()
    for machine in studio.machines {
      #expect(try machine.names() == ["after", "first", "fourth", "second", "third"])
      #expect(try machine.open().core.store.journal.forks.isEmpty)
    }
    #expect(Set(try studio.machines.map { try $0.open().statusReader.digest() }).count == 1)
  }

  @Test func `Incarnation: a missing, damaged or current witness changes nothing`() throws {
    let studio = try Studio(seed: 703)
    let one = try studio.found("one")
    try one.add("first")
    let before = try one.writers()
    let writer = try #require(before.first)
    let path = Studio.witness / writer.hex
    try one.add("second")
    try one.machine.disk.replace(path, with: Array("not JSON".utf8))
    try one.add("third")
    try one.machine.disk.remove(path)
    try one.add("fourth")
    #expect(try one.writers() == before)
    #expect(try one.machine.disk.status(path) != nil)
  }

  @Test func `Incarnation: a rewritten witness keeps its size`() throws {
    let studio = try Studio(seed: 707)
    let one = try studio.found("one")
    let path = Studio.witness / (try #require(try one.writers().first)).hex
    var (sizes, sequences): (Set<Int>, [Int64?]) = ([], [])
    for number in 0..<10 {
      try one.add("list \(number)")
      let bytes = try one.machine.disk.contents(of: path, limit: 4096)
      sizes.insert(bytes.count)
      sequences.append(try JSON(parsing: bytes)["sequence"]?.integer)
    }
    #expect(sizes.count == 1)
    #expect(sequences == (2...11).map { $0 })
  }

  @Test func `Incarnation: a book copied to another machine continues under a new one`() throws {
    let studio = try Studio(seed: 704)
    let one = try studio.found("one")
    try one.add("first")
    let two = try studio.place("two")
    two.restore(one.copyOfDisk())
    try two.identify()
    try two.add("second")
    try one.add("third")
    try studio.syncAll()
    for machine in studio.machines {
      #expect(try machine.names() == ["first", "second", "third"])
    }
    #expect(try two.writers().count == 2)
    #expect(Set(try two.open().deviceList.devices().map(\.standing)) == [.founder, .admitted])
  }

  @Test func `Incarnation: a running book shows what another process writes`() throws {
    let studio = try Studio(seed: 705)
    let one = try studio.found("one")
    let book = try one.open()
    #expect(try book.view().lists.lists().isEmpty)
    try one.add("first")
    #expect(try book.view().lists.lists().compactMap(\.name) == ["first"])
    try one.add("second")
    #expect(try book.view().lists.lists().compactMap(\.name) == ["first", "second"])
  }

  @Test func `Incarnation: a running book notices that another process left the log`() throws {
    let studio = try Studio(seed: 708, hasWitness: false)
    _ = try studio.found("one")
    let (two, twin) = (try studio.joinAlone("two"), try studio.place("twin"))
    twin.restore(two.copyOfDisk())
    _ = try twin.run().view()
    try two.add("first")
    let bundle = MountedDisk.stick(0) / "two.bundle"
    _ = try two.open().replicator.writeBundle(to: bundle)
    _ = try twin.open().replicator.sync(with: .file(bundle))
    // The twin is not admitted, so it shows only its own events in addition to the events of the others.
    #expect(try twin.names() == [])
    #expect(try twin.run().view().lists.lists().compactMap(\.name) == [])
  }
}

/// Machines whose disks can be copied and restored, with a shared stick.
final class Studio {
  static let folder = Path("/home/book")
  static let witness = Path("/state/daybook")
  let stick = SimulatedMachine(seed: 0).disk
  let hasWitness: Bool
  private let seed: UInt64
  private(set) var machines: [Copyist] = []

  init(seed: UInt64, hasWitness: Bool = true) throws {
    self.seed = seed
    self.hasWitness = hasWitness
  }

  func place(_ name: String) throws -> Copyist {
    let number = seed &* 1000 &+ UInt64(machines.count + 1)
    let machine = Copyist(name, seed: number, stick: stick, hasWitness: hasWitness)
    try machine.identify()
    machines.append(machine)
    return machine
  }

  func found(_ name: String) throws -> Copyist {
    let place = try place(name)
    let book = try BookFactory.create(
      at: Self.folder, on: place.machine, deviceName: name, view: .memory,
      witness: hasWitness ? Self.witness : nil)
    _ = try book.replicator.sync(with: Office.directory)
    return place
  }

  func join(_ name: String) throws -> Copyist {
    let place = try joinAlone(name)
    for machine in machines { try machine.sync() }
    return place
  }

  /// A machine that joins the book on the stick before any other machine syncs with it.
  func joinAlone(_ name: String) throws -> Copyist {
    let place = try place(name)
    _ = try BookFactory.join(
      at: Self.folder, from: Office.directory, on: place.machine, deviceName: name,
      view: .memory, witness: hasWitness ? Self.witness : nil, confirm: { _ in true })
    return place
  }

  /// Two machines.
  ///
  /// The first was restored from a backup and lacks events that the second holds.
  ///
  /// - Returns: The machines, and the logs that the first wrote before the restore.
  func rolledBack() throws -> (one: Copyist, two: Copyist, writers: [UniqueID]) {
    let (one, two) = (try found("one"), try join("two"))
    try one.add("first")
    let old = one.copyOfDisk()
    try one.add("second")
    try two.sync(after: one)
    let writers = try one.writers()
    one.restore(old)
    return (one, two, writers)
  }

  /// Syncs all machines completely.
  func syncAll() throws {
    for _ in 1...3 { for machine in machines { try machine.sync() } }
  }
}

/// One machine of a studio.
final class Copyist {
  let name: String
  private let seed: UInt64
  private let stick: SimulatedDisk
  private let hasWitness: Bool
  private let simulated: SimulatedMachine
  private var disk: SimulatedDisk
  private var running: Book?

  init(_ name: String, seed: UInt64, stick: SimulatedDisk, hasWitness: Bool) {
    (self.name, self.seed, self.stick) = (name, seed, stick)
    self.hasWitness = hasWitness
    simulated = SimulatedMachine(seed: seed)
    disk = simulated.disk
  }

  var machine: Machine {
    Machine(
      disk: MountedDisk(own: disk, sticks: [stick]), timekeeper: simulated.timekeeper,
      dice: simulated.dice, network: PosixNetwork())
  }

  /// Gives the machine its own id.
  func identify() throws {
    for folder in [Path("/etc"), MountedDisk.stick(0)] { try machine.disk.makeDirectories(folder) }
    try machine.disk.replace(Path("/etc/machine-id"), with: Array("\(name) \(seed)\n".utf8))
  }

  func copyOfDisk() -> SimulatedDisk { disk.copy() }

  /// Replaces the machine's disk.
  ///
  /// The witness is kept, because it is stored elsewhere.
  func restore(_ copy: SimulatedDisk) {
    let files = witnessFiles()
    (disk, running) = (copy.copy(), nil)
    // If the witness cannot be copied, the expectations of the test fail.
    try? machine.disk.makeDirectories(Studio.witness)
    for (path, bytes) in files { try? machine.disk.replace(path, with: bytes) }
  }

  private func witnessFiles() -> [(Path, [UInt8])] {
    guard hasWitness, let names = try? disk.list(Studio.witness) else { return [] }
    return names.compactMap { name in
      let path = Studio.witness / name
      return (try? disk.contents(of: path, limit: 4096)).map { (path, $0) }
    }
  }

  func open() throws -> Book {
    try Book(
      at: Studio.folder, on: machine, view: .memory, witness: hasWitness ? Studio.witness : nil)
  }

  func add(_ name: String) throws {
    _ = try open().commands.perform(.addList(name: name, colour: nil))
  }

  /// The book in a process that keeps running.
  func run() throws -> Book {
    if let running { return running }
    let book = try open()
    running = book
    return book
  }

  /// Adds a list in that process.
  func write(_ name: String) throws {
    _ = try run().commands.perform(.addList(name: name, colour: nil))
  }

  func rename(_ list: UniqueID, _ name: String) throws {
    _ = try run().commands.perform(
      .edit(list, [Request.Assignment(Field.List.name, .value(.text(name)))]))
  }

  func pass(milliseconds: Int64) { simulated.timekeeper.advance(milliseconds: milliseconds) }

  func names() throws -> [String] { try open().view().lists.lists().compactMap(\.name).sorted() }

  func sync() throws { _ = try open().replicator.sync(with: Office.directory, admission: .always) }

  /// Receives the events that another machine has written.
  func sync(after other: Copyist) throws {
    try other.sync()
    try sync()
  }

  /// The logs that this machine writes, or that the machines from which it was copied wrote.
  func writers() throws -> [UniqueID] { try open().file.writers.values.sorted() }

  /// The replicas named by the book's retire events.
  func retired() throws -> [UniqueID] {
    let book = try open()
    var retired: Set<UniqueID> = []
    for log in book.core.store.journal.logs.keys {
      var reader = try book.core.store.journal.reader(of: log)
      while let frame = try reader.read()?.frame {
        for event in frame.events {
          let body = frame.content.span.extracting(event.body)
          guard case .retire(let tip)? = try? TrustVerb.decode(body) else { continue }
          retired.insert(book.core.store.journal.lineage(of: tip.log).replica)
        }
      }
    }
    return retired.sorted()
  }
}
