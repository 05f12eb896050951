import Bytes
import Crypto
import Journaling
import Platform
import PosixPlatform

/// A journal in a new folder.
final class BenchJournal {
  let machine = Machine.bench
  let folder: Path
  private let log: UniqueID
  private let keys: DeviceKeys
  private var journal: Journal

  init(in parent: Path) throws {
    folder = Self.newFolder(in: parent, machine)
    try machine.disk.makeDirectories(folder)
    keys = try DeviceKeys(
      signingSeed: machine.dice.bytes(32), agreementSeed: machine.dice.bytes(32))
    journal = try Journal(at: folder, on: machine)
    log = try journal.begin(
      keys, incarnation: UniqueID(machine.dice.bytes(16)), name: "bench", at: 1_704_067_200_000)
  }

  /// Appends commands to the log, and makes them durable.
  func append(_ commands: [Command]) throws {
    _ = try journal.append(commands, to: log, keys: keys)
  }

  /// The size in bytes of the log's unsealed files.
  func unsealedBytes() throws -> Int {
    let logs = folder / "logs"
    var byteCount = 0
    for log in try machine.disk.list(logs) {
      for file in try machine.disk.list(logs / log) where !file.contains("-") {
        byteCount += try machine.disk.status(logs / log / file)?.size ?? 0
      }
    }
    return byteCount
  }

  func remove() throws { try machine.disk.removeAll(folder) }

  /// Commands with one event each, whose bodies have 20 bytes.
  func commands(_ numbers: Range<Int>) -> [Command] {
    numbers.map { number in
      var writer = CBORWriter()
      writer.arrayHeader(4)
      writer.unsigned(0)
      writer.unsigned(2)
      writer.unsigned(UInt64(number))
      writer.byteString(machine.dice.bytes(19 - writer.bytes.count))
      return Command(
        time: 1_704_067_200_000 + Int64(number), events: [NewEvent(body: writer.bytes)])
    }
  }

  /// A path that does not exist yet.
  static func newFolder(in parent: Path, _ machine: Machine) -> Path {
    parent / "daybook-bench-\(UniqueID(machine.dice.bytes(16)).hex)"
  }
}

extension Disk {
  /// Removes a file, or a folder and its contents.
  func removeAll(_ path: Path) throws {
    guard try status(path)?.kind == .directory else { return try remove(path) }
    for name in try list(path) { try removeAll(path / name) }
    try removeDirectory(path)
  }

  /// The size in bytes of all files in a folder, except those whose names begin with a prefix.
  func byteCount(in folder: Path, except prefix: String) throws -> Int {
    var sum = 0
    for name in try list(folder) where !name.hasPrefix(prefix) {
      guard let status = try status(folder / name) else { continue }
      sum +=
        status.kind == .directory
        ? try byteCount(in: folder / name, except: prefix) : status.size
    }
    return sum
  }
}

extension Machine {
  /// The machine to measure, which has no state folder, so that a run leaves nothing in the user's home folder.
  static let bench = Machine(
    disk: system.disk, timekeeper: system.timekeeper, dice: system.dice, network: system.network,
    beside: system.beside, memory: system.memory)
}
