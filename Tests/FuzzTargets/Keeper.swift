import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing

/// A device with a journal on a simulated disk, which treats every log as a log of the book.
final class Keeper: Holder {
  static let book = UniqueID(high: 0xb0, low: 0)
  static let folder = Path("/book")

  /// The machine, log and keys of a device.
  struct Device: Sendable {
    var machine: Machine
    let replica: UniqueID
    let keys: DeviceKeys
  }

  let device: Device
  private var journal: Journal

  var machine: Machine { device.machine }

  /// Creates a keeper whose journal has only its own log.
  init(seed: UInt8) throws {
    let machine = Machine.simulated(seed: UInt64(seed))
    let keys = try DeviceKeys(
      signingSeed: Array(repeating: seed, count: 32),
      agreementSeed: Array(repeating: seed &+ 100, count: 32))
    journal = try Journal(at: Self.folder, on: machine)
    let replica = try journal.begin(
      keys, incarnation: UniqueID(high: UInt64(seed), low: 0), name: "device \(seed)", at: 1_000)
    device = Device(machine: machine, replica: replica, keys: keys)
  }

  /// Creates a keeper on a copy of a device's disk.
  init(like other: Device) throws(JournalError) {
    var device = other
    device.machine = other.machine.copied()
    self.device = device
    journal = try Journal(at: Self.folder, on: device.machine)
  }

  /// Creates a keeper with an empty journal in another folder of the same disk.
  init(beside other: Keeper, in folder: Path) throws(JournalError) {
    device = other.device
    journal = try Journal(at: folder, on: device.machine)
  }

  /// Writes the given number of commands, each with an add and an edit.
  func write(_ count: Int) throws {
    let commands = (0..<count).map { number in
      let add = "a \(number)"
      var (adding, editing) = (CBORWriter(), CBORWriter())
      adding.arrayHeader(4)
      for value: UInt64 in [0, 2, 5] { adding.unsigned(value) }
      adding.text(add)
      editing.arrayHeader(4)
      for value: UInt64 in [1, UInt64(2 * number + 2), 7] { editing.unsigned(value) }
      editing.boolean(true)
      return Command(
        time: 2_000 + Int64(number),
        events: [NewEvent(body: adding.bytes), NewEvent(when: 7, body: editing.bytes)])
    }
    _ = try journal.append(commands, to: device.replica, keys: device.keys)
  }

  var hello: Hello { Hello(book: Self.book, replica: device.replica, frontier: frontier) }

  // An unreadable journal has an empty frontier.
  var frontier: Frontier { Frontier((try? journal.places()) ?? []) }

  /// Whether the keeper has at least as many events of each log as the given frontier.
  func holdsAll(of told: Frontier) -> Bool {
    let held = frontier
    return told.places.allSatisfy { $0.sequence <= held.sequence(of: $0.log) }
  }

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    do throws(JournalError) { return try journal.landmarks(for: other.places) } catch {
      throw .journal(error)
    }
  }

  func frames(of log: UniqueID, lackedBy places: [Place]) throws(SyncError) -> FrameStream {
    let frames: [[UInt8]]
    do throws(JournalError) {
      frames = try exported(log, lackedBy: places)
    } catch {
      throw .journal(error)
    }
    var waiting = frames[...]
    return FrameStream { () throws(SyncError) in waiting.popFirst() }
  }

  private func exported(
    _ log: UniqueID, lackedBy places: [Place]
  ) throws(JournalError) -> [[UInt8]] {
    var export = try journal.export(
      of: log, lackedBy: places, keys: log == device.replica ? device.keys : nil)
    var frames: [[UInt8]] = []
    while let frame = try export.next() { frames.append(frame) }
    return frames
  }

  func acceptsHead(of frame: [UInt8], of log: UniqueID) -> Bool {
    journal.acceptsHead(of: frame, of: log)
  }

  func stage(_ frame: [UInt8], of log: UniqueID) throws(JournalError) {
    try journal.receive(frame, of: log, on: .logs)
  }

  func commit() throws(JournalError) -> Frontier {
    _ = try journal.commit()
    return frontier
  }
}

extension Machine {
  /// A machine with a copy of the disk.
  fileprivate func copied() -> Machine {
    guard let disk = disk as? SimulatedDisk else { return self }
    return Machine(
      disk: disk.copy(), timekeeper: timekeeper, dice: Seeded(seed: 1), network: network)
  }
}

/// Two devices with the same book, each with events that the other lacks.
struct Pair: Sendable {
  let anna: Keeper.Device
  let bert: Keeper.Device

  private init() throws {
    let (anna, bert) = (try Keeper(seed: 1), try Keeper(seed: 2))
    try anna.write(2)
    try bert.write(1)
    for replica in anna.frontier.replicas {
      try anna.forEachFrame(of: replica, lackedBy: []) { frame throws(SyncError) in
        do throws(JournalError) { try bert.stage(frame, of: replica) } catch {
          throw .journal(error)
        }
      }
    }
    _ = try bert.commit()
    try anna.write(1)
    (self.anna, self.bert) = (anna.device, bert.device)
  }

  /// The pair that the targets copy.
  static let made = Result { try Pair() }
}
