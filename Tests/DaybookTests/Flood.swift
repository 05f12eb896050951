import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

@testable import Daybook

/// The events that a hostile admitted device can send: any number of logs, each with a to-do and any number of
/// branches.
struct Flood {
  let keys: DeviceKeys
  private(set) var logs: [UniqueID] = []
  private var frames: [(log: UniqueID, frame: [UInt8])] = []

  init(seed: UInt8 = 77) throws {
    keys = try DeviceKeys(
      signingSeed: Array(repeating: seed, count: 32),
      agreementSeed: Array(repeating: seed &+ 1, count: 32))
  }

  var key: PublicKey { keys.signing.publicKey }

  /// Begins `count` logs, each with `branches` branches after its first event.
  ///
  /// A single branch is not a fork.
  mutating func begin(
    _ count: Int, branches: Int = 1, frames frameCount: Int = 1, title: String? = "spam",
    admitting others: [PublicKey] = [], bodies more: [[UInt8]] = [], at time: Int64 = 1_000
  ) throws {
    for _ in 0..<count {
      let machine = SimulatedMachine(seed: 1)
      var journal = try Journal(at: Self.folder, on: machine.machine)
      let incarnation = UniqueID(
        high: UInt64(keys.signing.publicKey.bytes[0]), low: UInt64(logs.count))
      let log = try journal.begin(keys, incarnation: incarnation, name: "evil", at: time)
      logs.append(log)
      let start = machine.disk.copy()
      for branch in 0..<branches {
        let copy = Machine(
          disk: start.copy(), timekeeper: machine.timekeeper, dice: machine.dice,
          network: machine.network)
        var journal = try Journal(at: Self.folder, on: copy)
        var bodies = others.map { TrustVerb.admit($0, name: "let in").encode() }
        if let title { bodies.append(Self.todo("\(title) \(branch)")) }
        bodies += more
        let commands = bodies.map { Command(time: 2_000, events: [NewEvent(body: $0)]) }
        var held: [Place] = []
        for _ in 0..<frameCount {
          _ = try journal.append(commands, to: log, keys: keys)
          var export = try journal.export(of: log, lackedBy: held, keys: keys)
          while let frame = try export.next() { frames.append((log, frame)) }
          held = try journal.places()
        }
      }
    }
  }

  /// Begins a log that truly names an event as seen, and then claims to have seen `count` later events.
  mutating func claim(_ count: UInt64, after end: Landmark) throws {
    var journal = try Journal(at: Self.folder, on: SimulatedMachine(seed: 1).machine)
    let log = try journal.begin(
      keys, incarnation: UniqueID(high: 1, low: UInt64(logs.count)), name: "evil", at: 1_000)
    logs.append(log)
    let seen = [
      Seen(log: .introduced(end.log), sequence: end.sequence, hash: end.hash),
      Seen(log: .index(0), sequence: end.sequence + count, hash: UniqueID(high: 1, low: 2)),
    ]
    let commands = seen.map {
      Command(time: 2_000, events: [NewEvent(seen: [$0], body: Self.todo("lie"))])
    }
    _ = try journal.append(commands, to: log, keys: keys)
    var export = try journal.export(of: log, lackedBy: [], keys: keys)
    while let frame = try export.next() { frames.append((log, frame)) }
  }

  /// Sends all frames to a book, and returns the problems.
  func send(to book: Book) throws -> [SyncProblem] {
    var intake = Intake(BookReplica(of: book.replica))
    try give(to: &intake)
    try intake.commit()
    try book.settler.settleAfterSync()
    return intake.problems
  }

  /// Stages all frames.
  func give(to intake: inout Intake) throws {
    for (log, frame) in frames { try intake.take(frame, of: log) }
  }

  func admit(into book: Book) throws {
    try book.access.withLock { () throws(DaybookError) in
      var posting = try book.core.projector.remembered(by: try book.view())
      if try book.core.trustReader.trust(by: posting.ledger).knownKeys.contains(key) { return }
      _ = try book.writer.append([], trusting: [.admit(key, name: "evil")], knowing: &posting)
    }
  }

  /// The device in the book's list.
  func device(in book: Book) throws -> Device {
    try #require(try book.deviceList.devices().first { $0.key == key.bytes })
  }

  private static let folder = Path("/book")

  private static func todo(_ title: String) -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    for number: UInt64 in [0, 2, 5] { writer.unsigned(number) }
    writer.text(title)
    return writer.bytes
  }
}
