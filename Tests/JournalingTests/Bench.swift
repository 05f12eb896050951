import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform

/// A book on a simulated machine, and the keys and log of a device that writes it.
struct Bench {
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

  func journal() throws -> Journal { try Self.journal(on: machine.machine) }

  static func journal(on machine: Machine) throws -> Journal {
    try Journal(at: folder, on: machine)
  }

  /// A journal that contains the first event of the device's log.
  func begun() throws -> Journal {
    var journal = try journal()
    _ = try journal.begin(keys, incarnation: Self.incarnation, name: "desk", at: Self.start)
    return journal
  }

  /// A machine that uses the given disk in place of the bench's own.
  func copy(of disk: SimulatedDisk, seed: UInt64 = 2) -> Machine {
    Machine(
      disk: disk, timekeeper: machine.timekeeper, dice: Seeded(seed: seed),
      network: machine.network)
  }

  /// Sends the log from one disk to another, as a sync does.
  ///
  /// A frame after a gap is skipped if `passesGaps` is set; otherwise it is an error.
  func send(
    from: SimulatedDisk, to: SimulatedDisk, on shelf: LogShelf = .logs,
    passingGaps passesGaps: Bool = false
  ) throws {
    let sender = try Self.journal(on: copy(of: from))
    var receiver = try Self.journal(on: copy(of: to))
    let places = try receiver.places()
    let told = places + (try receiver.landmarks(for: try sender.places()))
    var export = try sender.export(of: log, lackedBy: told, keys: keys)
    while let frame = try export.next() {
      do throws(JournalError) {
        try receiver.receive(frame, of: log, on: shelf)
      } catch {
        guard passesGaps, case .gap = error else { throw error }
      }
    }
    _ = try receiver.commit()
  }

  /// A domain body with a value of `byteCount` random bytes, which do not compress.
  static func body(_ number: UInt64, byteCount: Int = 16) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(0)
    writer.unsigned(2)
    writer.unsigned(number)
    writer.byteString(Seeded(seed: number &+ 99).bytes(byteCount))
    return writer.bytes
  }

  /// A command of `count` events.
  static func command(
    _ number: UInt64, events count: Int = 1, byteCount: Int = 16
  ) -> Command {
    let events = (0..<UInt64(count)).map { index in
      NewEvent(body: body(number &* 1_000 &+ index, byteCount: byteCount))
    }
    return Command(time: start + Int64(number) * 1_000, events: events)
  }

  /// The folder of the log.
  var logFolder: Path { Self.folder / "logs" / log.hex }
}

/// An event that a reader has returned.
struct Found: Hashable {
  var sequence: UInt64
  var body: [UInt8]
  var hash: Digest
}

extension Journal {
  /// All readable events of a log, and the damage to its files.
  func contents(
    of log: UniqueID, from sequence: UInt64 = 1, ahead isAhead: Bool = false
  ) throws -> (events: [Found], damage: [Damage]) {
    guard logs[log] != nil || aside[log] != nil else { return ([], []) }
    var reader = try reader(of: log, from: sequence, ahead: isAhead)
    var events: [Found] = []
    while let read = try reader.read() {
      for event in read.frame.events[read.firstNew...] {
        events.append(
          Found(
            sequence: event.sequence, body: Array(read.frame.content[event.body]),
            hash: event.hash))
      }
    }
    return (events, reader.damage)
  }

  /// All frames of a log after an event, in the form in which they are sent.
  func exported(
    _ log: UniqueID, after sequence: UInt64 = 0, keys: DeviceKeys?
  ) throws -> [[UInt8]] {
    let hash = try hash(of: log, at: sequence) ?? Chain.zero(of: log)
    let place = Place(log: log, sequence: sequence, hash: hash)
    var export = try export(of: log, lackedBy: sequence == 0 ? [] : [place], keys: keys)
    var frames: [[UInt8]] = []
    while let frame = try export.next() { frames.append(frame) }
    return frames
  }
}
