import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing

/// A holder whose logs are in a journal; it accepts every log as part of the book.
final class JournalHolder: Holder {
  static let folder = Path("/book")

  let machine: SimulatedMachine
  let replica: UniqueID
  private let keys: DeviceKeys
  private var journal: Journal

  /// Begins a copy of the book on a separate machine.
  init(seed: UInt8) throws {
    machine = SimulatedMachine(seed: UInt64(seed))
    keys = try DeviceKeys(
      signingSeed: Array(repeating: seed, count: 32),
      agreementSeed: Array(repeating: seed &+ 100, count: 32))
    journal = try Journal(at: Self.folder, on: machine.machine)
    replica = try journal.begin(keys, incarnation: .id(seed), name: "device \(seed)", at: 1_000)
  }

  /// Recovers from the disk as a power cut left it.
  init(after crashed: JournalHolder) throws {
    (machine, keys, replica) = (crashed.machine, crashed.keys, crashed.replica)
    machine.disk.crash()
    journal = try Journal(at: Self.folder, on: machine.machine)
    _ = try journal.recover()
  }

  /// Creates a holder that has an author's files, but different keys.
  init(forging author: JournalHolder, seed: UInt8) throws {
    (machine, replica) = (author.machine, author.replica)
    keys = try DeviceKeys(
      signingSeed: Array(repeating: seed, count: 32),
      agreementSeed: Array(repeating: seed &+ 100, count: 32))
    let copy = Machine(
      disk: machine.disk.copy(), timekeeper: machine.timekeeper, dice: Seeded(seed: UInt64(seed)),
      network: machine.network)
    journal = try Journal(at: Self.folder, on: copy)
  }

  /// Writes commands of three events each in one append.
  func write(_ count: Int, byteCount: Int = 40) throws {
    let commands = (0..<count).map { number in
      let events = (0..<3).map { part in
        var writer = CBORWriter()
        writer.arrayHeader(4)
        for value: UInt64 in [0, 2, UInt64(5 + part)] { writer.unsigned(value) }
        writer.byteString(machine.dice.bytes(byteCount))
        return NewEvent(body: writer.bytes)
      }
      return Command(time: 2_000 + Int64(number), events: events)
    }
    _ = try journal.append(commands, to: replica, keys: keys)
  }

  /// Runs operations on the journal that are not part of a sync.
  func withJournal<Value>(_ body: (inout Journal, DeviceKeys) throws -> Value) rethrows -> Value {
    try body(&journal, keys)
  }

  var hello: Hello { Hello(book: .book, replica: replica, frontier: frontier) }

  var frontier: Frontier {
    // An open journal already has its places.
    Frontier((try? journal.places()) ?? [])
  }

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    try inJournal { () throws(JournalError) in try journal.landmarks(for: other.places) }
  }

  func frames(of log: UniqueID, lackedBy places: [Place]) throws(SyncError) -> FrameStream {
    let own = log == replica ? keys : nil
    let export = try inJournal { () throws(JournalError) in
      OpenExport(try journal.export(of: log, lackedBy: places, keys: own))
    }
    return FrameStream { () throws(SyncError) in try export.next() }
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

  private func inJournal<Value: ~Copyable>(
    _ body: () throws(JournalError) -> Value
  ) throws(SyncError) -> Value {
    do throws(JournalError) { return try body() } catch { throw .journal(error) }
  }
}

/// An export in an object, so that it can be shared.
private final class OpenExport {
  private var export: ReplicaExport

  init(_ export: consuming ReplicaExport) { self.export = export }

  func next() throws(SyncError) -> [UInt8]? {
    do throws(JournalError) { return try export.next() } catch { throw .journal(error) }
  }
}
