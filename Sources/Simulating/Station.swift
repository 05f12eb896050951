import Bytes
import Crypto
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform

/// One machine of a simulated world, and what must be true of it.
final class Station {
  static let folder = Path("/home/book")
  private static let witness = Path("/state/daybook")

  let number: Int
  private(set) var disk: SimulatedDisk
  let clock: SimulatedTimekeeper
  let dice: Seeded
  private(set) var machine: Machine
  private let sticks: [SimulatedDisk]
  private let memory: MemoryBudget
  let hasWitness: Bool
  /// The process that has the book open, if one has.
  var process: Book?
  /// Whether the process has read what is no longer so.
  var isProcessDeceived = false
  /// Events that are there whatever happens, since somebody was told that they are.
  var promised: Set<Digest> = []
  /// The adds of records that it has taken out of its files.
  var erased: Set<Landmark> = []
  /// The events that it was last seen to hold with their bodies, by the beginnings of their chain hashes.
  var present: Set<UniqueID> = []
  /// The adds of records that others have taken from it while its user was not asked.
  var taken: Set<UniqueID> = []
  /// Whether bytes of its own erasures may still be in its files, since the disk was full when they were to be removed.
  var isErasing = false
  /// What its last disks were found to hold: the one that programs see, and the one that a power cut leaves.
  private var known: [(disk: SimulatedDisk, erased: Set<Landmark>, inventory: Inventory)] = []
  /// What was done to the bytes on the machine's own disk.
  var damages: [String] = []
  /// The last event of each log of which its witness told when a backup without that event was put in place.
  var lacking: [UniqueID: UInt64] = [:]
  /// What the disk was when a backup was made.
  var backup: SimulatedDisk?
  var isDamaged: Bool { !damages.isEmpty }
  var name: String { "m\(number)" }

  init(
    _ number: Int, seed: UInt64, at now: Moment, sticks: [SimulatedDisk], hasWitness: Bool
  ) {
    (self.number, self.sticks, self.hasWitness) = (number, sticks, hasWitness)
    clock = SimulatedTimekeeper(now: now)
    dice = Seeded(seed: seed)
    disk = SimulatedDisk(timekeeper: clock)
    memory = number % 3 == 0 ? Self.scarce : .unbounded
    machine = Self.machine(disk, sticks, clock, dice, memory)
  }

  /// So little memory that almost all is folded in portions.
  private static let scarce = MemoryBudget(command: 64 << 10, serving: 64 << 10)

  private static func machine(
    _ disk: SimulatedDisk, _ sticks: [SimulatedDisk], _ clock: SimulatedTimekeeper, _ dice: Seeded,
    _ memory: MemoryBudget
  ) -> Machine {
    Machine(
      disk: MountedDisk(own: disk, sticks: sticks), timekeeper: clock, dice: dice,
      network: SimulatedNetwork(), memory: memory)
  }

  /// Gives the machine what it is told apart by from others.
  func identify(as words: String) throws(DiskError) {
    try machine.disk.makeDirectories(Path("/etc"))
    try machine.disk.replace(Path("/etc/machine-id"), with: Array("\(words)\n".utf8))
  }

  func found() throws(DaybookError) -> Book {
    let book = try BookFactory.create(
      at: Self.folder, on: machine, deviceName: name, view: .memory, witness: witness)
    process = book
    return book
  }

  func join(from stick: Int) throws(DaybookError) -> Book {
    let (book, _) = try BookFactory.join(
      at: Self.folder, from: .directory(MountedDisk.stick(stick)), on: machine, deviceName: name,
      view: .memory, witness: witness, confirm: { _ in true })
    process = book
    return book
  }

  /// Whether what lies outside of the book tells of one of the events.
  func witnesses(_ events: some Sequence<Digest>) -> Bool {
    let files = disk.files.filter { $0.key.names(below: Self.witness) != nil }
    let told = Set(files.values.compactMap { LocalDevice.witnessed(by: $0)?.hash })
    return events.contains(where: told.contains)
  }

  /// How far its witness has seen a log go.
  func witnessedEnd(of log: UniqueID) -> UInt64 {
    guard hasWitness, let bytes = disk.files[Self.witness / log.hex] else { return 0 }
    return LocalDevice.witnessed(by: bytes)?.sequence ?? 0
  }

  private var witness: Path? { hasWitness ? Self.witness : nil }

  /// The book as another process opens it.
  func open() throws(DaybookError) -> Book {
    try Book(at: Self.folder, on: machine, view: .memory, witness: witness)
  }

  /// The book as the process opens it that goes on with it.
  func begin() throws(DaybookError) -> Book {
    let book = try open()
    (process, isProcessDeceived) = (book, false)
    return book
  }

  /// Puts another disk in the place of the machine's own; what lies outside of the book stays, if it is to.
  func replaceDisk(by copy: SimulatedDisk, keepingWitness: Bool) {
    let kept = disk.files.filter { $0.key.names(below: Self.witness) != nil }
    disk = SimulatedDisk(timekeeper: clock)
    machine = Self.machine(disk, sticks, clock, dice, memory)
    process = nil
    let old = copy.files.filter { $0.key.names(below: Self.witness) == nil || !keepingWitness }
    for (path, bytes) in old.merging(keepingWitness ? kept : [:], uniquingKeysWith: { $1 })
      .sorted(by: { $0.key < $1.key })
    {
      // A new disk takes everything; if it did not, the book would not be there, which is seen.
      try? machine.disk.makeDirectories(path.parent)
      try? machine.disk.replace(path, with: bytes)
    }
  }

  /// What is on the disk if the power fails now and nothing is kept that was not flushed.
  func durable() throws(JournalError) -> Inventory { try inventory(of: left()) }

  /// The disk as a power cut leaves it that keeps nothing that was not flushed.
  private func left() -> SimulatedDisk {
    let left = disk.copy()
    left.clearWeather()
    left.crash()
    return left
  }

  /// The events of all whole frames that lie in files of their replicas if the power fails now: those, too, that belong
  /// to no log until what is lost before them has come back.
  func lying() -> Set<Digest> {
    var events: Set<Digest> = []
    var chain = Chain()
    for (path, bytes) in left().files {
      guard let names = path.names(below: Self.folder), names.count > 1,
        ["logs", "aside"].contains(names[0]), let replica = UniqueID(hex: names[1])
      else { continue }
      for start in bytes.indices where bytes[start...].starts(with: [0x1f, 0x8b]) {
        // Most bytes begin no frame.
        guard let frame = try? Frame.decode(bytes.span, at: start, &chain),
          frame.replica == ReplicaPrefix(of: replica)
        else { continue }
        events.formUnion(frame.events.map(\.hash))
      }
    }
    return events
  }

  /// What a program finds on the disk now.
  func visible() throws(JournalError) -> Inventory {
    let copy = disk.copy()
    copy.clearWeather()
    return try inventory(of: copy)
  }

  /// Whether the last one who wrote says that all in the logs' folders was flushed, names included.
  var isSettled: Bool {
    disk.files[Layout(folder: Self.folder).lock] == Array("settled\n".utf8)
  }

  /// Whether a process has said that a flush of its failed.
  var isInDoubt: Bool { disk.files[Self.folder / "POISON"] != nil }

  /// The logs that the machine has keys for.
  func writers() throws(JournalError) -> Set<UniqueID> {
    let folder = Layout(folder: Self.folder).keys
    do throws(DiskError) {
      guard try disk.status(folder) != nil else { return [] }
      return Set(try disk.list(folder).compactMap { UniqueID(hex: String($0.dropLast(4))) })
    } catch {
      throw .disk(error)
    }
  }

  /// The log that the machine goes on with when it next writes, if it has begun one.
  func writtenLog() throws -> UniqueID? {
    let file = Layout(folder: Self.folder).bookFile
    let bytes = try machine.disk.contents(of: file, limit: 1 << 20)
    return try BookFile(parsing: bytes).writers[BookFolder.mark(of: machine)]
  }

  /// Reads what a disk holds, or tells it once more where another one with the same files was read a moment ago.
  private func inventory(of disk: SimulatedDisk) throws(JournalError) -> Inventory {
    if let known = known.first(where: { $0.erased == erased && $0.disk.hasFiles(of: disk) }) {
      return known.inventory
    }
    // Who reads may also mend.
    let machine = Machine(
      disk: disk.copy(), timekeeper: clock, dice: Seeded(seed: 1), network: SimulatedNetwork())
    let inventory = try Inventory(
      of: Self.folder, on: machine, lookingFor: erased)
    known = [(disk, erased, inventory)] + known.prefix(1)
    return inventory
  }
}
