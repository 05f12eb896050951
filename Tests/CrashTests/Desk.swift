import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform

/// A device that writes a journal, and the commands that it writes.
struct Desk {
  let machine: SimulatedMachine
  let keys: DeviceKeys
  let log: UniqueID

  static let folder = Path("/book")
  static let incarnation = UniqueID(high: 7, low: 9)
  static let start: Int64 = 1_704_067_200_000

  init(seed: UInt64 = 1, keySeed: UInt8 = 1) throws {
    machine = SimulatedMachine(seed: seed)
    keys = try DeviceKeys(
      signingSeed: Array(repeating: keySeed, count: 32),
      agreementSeed: Array(repeating: keySeed &+ 1, count: 32))
    log = .replica(publicKey: keys.signing.publicKey, incarnation: Self.incarnation)
  }

  var disk: SimulatedDisk { machine.disk }

  /// The journal as a process on the given disk opens it.
  func journal(on disk: SimulatedDisk, seed: UInt64 = 2) throws(JournalError) -> Journal {
    let machine = Machine(
      disk: disk, timekeeper: machine.timekeeper, dice: Seeded(seed: seed),
      network: machine.network)
    return try Journal(at: Self.folder, on: machine)
  }

  /// Begins the device's log.
  func begin(_ journal: inout Journal) throws(JournalError) {
    _ = try journal.begin(keys, incarnation: Self.incarnation, name: "desk", at: Self.start)
  }

  /// Appends commands to the device's log.
  func append(_ commands: [Command], to journal: inout Journal) throws(JournalError) {
    _ = try journal.append(commands, to: log, keys: keys)
  }

  /// Appends one command, as the next process would.
  func writeOn(_ journal: inout Journal) throws(JournalError) {
    if journal.logs[log] == nil { try begin(&journal) }
    try append([Self.command(900)], to: &journal)
  }

  /// A command of `count` events whose bodies do not compress.
  static func command(_ number: UInt64, events count: Int = 1, byteCount: Int = 8) -> Command {
    let events = (0..<UInt64(count)).map { index in
      NewEvent(body: body(number &* 1_000 &+ index, byteCount: byteCount))
    }
    return Command(time: start + Int64(number) * 1_000, events: events)
  }

  private static func body(_ number: UInt64, byteCount: Int) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(0)
    writer.unsigned(2)
    writer.unsigned(number)
    writer.byteString(Seeded(seed: number &+ 99).bytes(byteCount))
    return writer.bytes
  }
}
