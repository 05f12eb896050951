import Bytes
import Crypto
import Daybook
import Journaling
import Platform
import ReadModel
import SimulatedPlatform

/// One device of a world, with the state that the invariants require.
final class Station {
  static let folder = Path("/home/book")
  private static let witness = Path("/state/daybook")

  let number: Int
  private var hardware: Hardware
  let hasWitness: Bool
  /// The process that has opened the book, if there is one.
  var process: Book?
  /// Whether files were damaged after the process may have read them.
  var isProcessDeceived = false
  /// Events that must survive any crash, because they were acknowledged.
  var promised: Set<Digest> = []
  var erasures = ErasureTally()
  private var inventories = InventoryCache()
  /// The damage done to the files on the station's own disk.
  var damages: [String] = []
  /// For each log, the last event that the witness knew when a backup was restored; 0 if it knew none.
  var lacking: [UniqueID: UInt64] = [:]
  /// The disk at the time of the last backup.
  var backup: SimulatedDisk?
  var disk: SimulatedDisk { hardware.disk }
  var machine: Machine { hardware.machine }
  var clock: SimulatedTimekeeper { hardware.clock }
  var isDamaged: Bool { !damages.isEmpty }
  var name: String { "m\(number)" }

  init(
    _ number: Int, seed: UInt64, at now: Moment, sticks: [SimulatedDisk], hasWitness: Bool
  ) {
    (self.number, self.hasWitness) = (number, hasWitness)
    // The seed differs between the stations of a world, so in most worlds the founder, too, has enough memory.
    hardware = Hardware(
      seed: seed, at: now, zone: Self.zones[number % Self.zones.count], sticks: sticks,
      memory: seed.isMultiple(of: 4) ? Self.scarce : .unbounded)
  }

  /// Time zones in which the world begins on two different days, so neighbours disagree about today.
  private static let zones = ["Europe/Berlin", "America/New_York", "Asia/Tokyo"]

  /// A memory budget so small that almost everything is folded in portions.
  private static let scarce = MemoryBudget(command: 64 << 10, serving: 64 << 10)

  /// Gives the machine an identity that distinguishes it from others.
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

  /// Whether the witness contains the hash of one of the events.
  func witnesses(_ events: some Sequence<Digest>) -> Bool {
    let files = disk.files.filter { $0.key.names(below: Self.witness) != nil }
    let told = Set(files.values.compactMap { LocalDevice.witnessed(by: $0)?.hash })
    return events.contains(where: told.contains)
  }

  /// The last event of a log that the witness knows; 0 if it knows none.
  func witnessedEnd(of log: UniqueID) -> UInt64 {
    guard hasWitness, let bytes = disk.files[Self.witness / log.hex] else { return 0 }
    return LocalDevice.witnessed(by: bytes)?.sequence ?? 0
  }

  private var witness: Path? { hasWitness ? Self.witness : nil }

  /// Opens the book in an additional process.
  func open() throws(DaybookError) -> Book {
    try Book(at: Self.folder, on: machine, view: .memory, witness: witness)
  }

  /// Opens the book in the process that the station continues to use.
  func begin() throws(DaybookError) -> Book {
    let book = try open()
    (process, isProcessDeceived) = (book, false)
    return book
  }

  /// The process that the station uses, which is started if there is none.
  func present() throws(DaybookError) -> Book {
    if let process { return process }
    return try begin()
  }

  /// Replaces the station's own disk with a copy of another station's disk.
  ///
  /// - Parameters:
  ///   - copy: The disk to copy.
  ///   - keepingWitness: Whether the station keeps its own witness rather than using the witness of the copy.
  func replaceDisk(by copy: SimulatedDisk, keepingWitness: Bool) {
    let kept = disk.files.filter { $0.key.names(below: Self.witness) != nil }
    hardware.replaceDisk()
    // The cached inventories are those of copies of the old disk.
    inventories = InventoryCache()
    process = nil
    let old = copy.files.filter { $0.key.names(below: Self.witness) == nil || !keepingWitness }
    for (path, bytes) in old.merging(keepingWitness ? kept : [:], uniquingKeysWith: { $1 })
      .sorted(by: { $0.key < $1.key })
    {
      // A new disk accepts all files. Otherwise, the book would be missing, and later checks would fail.
      try? machine.disk.makeDirectories(path.parent)
      try? machine.disk.replace(path, with: bytes)
    }
  }

  /// The events that would remain if the power failed now and no unflushed change survived.
  func durable() throws(JournalError) -> Inventory { try inventory(of: left()) }

  /// The disk as a power cut would leave it if no unflushed change survived.
  private func left() -> SimulatedDisk {
    let left = disk.copy()
    left.clearWeather()
    left.crash()
    return left
  }

  /// The events of all whole frames that are in files of their own replicas and would survive a power failure now.
  ///
  /// The result includes events that belong to no log until lost events before them are restored.
  func lying() -> Set<Digest> {
    var events: Set<Digest> = []
    var chain = Chain()
    for (path, bytes) in left().files {
      guard let names = path.names(below: Self.folder), names.count > 1,
        ["logs", "aside"].contains(names[0]), let replica = UniqueID(hex: names[1])
      else { continue }
      for start in bytes.indices where bytes[start...].starts(with: [0x1f, 0x8b]) {
        // There is no frame at most of the offsets.
        guard let frame = try? Frame.decode(bytes.span, at: start, &chain),
          frame.replica == ReplicaPrefix(of: replica)
        else { continue }
        events.formUnion(frame.events.map(\.hash))
      }
    }
    return events
  }

  /// The events that a program finds on the disk now.
  func visible() throws(JournalError) -> Inventory {
    let copy = disk.copy()
    copy.clearWeather()
    return try inventory(of: copy)
  }

  /// Whether the lock file states that all files in the logs' folders have been flushed, including their names.
  var isSettled: Bool {
    disk.files[Layout(folder: Self.folder).lock] == Array("settled\n".utf8)
  }

  /// Whether a process has recorded that one of its flushes failed.
  var isInDoubt: Bool { disk.files[Self.folder / "POISON"] != nil }

  /// The logs for which the machine has keys.
  func writers() throws(JournalError) -> Set<UniqueID> {
    let folder = Layout(folder: Self.folder).keys
    do throws(DiskError) {
      guard try disk.status(folder) != nil else { return [] }
      return Set(try disk.list(folder).compactMap { UniqueID(hex: String($0.dropLast(4))) })
    } catch {
      throw .disk(error)
    }
  }

  /// The log to which the machine's next command appends; nil if the machine has not begun a log.
  func writtenLog() throws -> UniqueID? {
    let file = Layout(folder: Self.folder).bookFile
    let bytes = try machine.disk.contents(of: file, limit: 1 << 20)
    return try BookFile(parsing: bytes).writers[BookFolder.mark(of: machine)]
  }

  private func inventory(of disk: SimulatedDisk) throws(JournalError) -> Inventory {
    try inventories.inventory(
      of: disk, in: Self.folder, lookingFor: erasures.erased, at: clock)
  }
}
