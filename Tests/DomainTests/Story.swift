import Bytes
import Domain

/// A book under test.
///
/// Commands are decided, written and folded on devices that see the events that the test gives them.
struct Story {
  private(set) var causality = Causality()
  private(set) var facts: [Fact] = []
  /// For each device, the last event of each log that it has folded.
  private var seen: [[UInt64]] = []
  private var clock: Int64 = 1_000_000

  init(devices: Int = 1) {
    for device in 0..<devices {
      let id = UniqueID(high: 1, low: UInt64(device))
      _ = causality.number(of: id, replica: id)
      seen.append(Array(repeating: 0, count: devices))
    }
  }

  var records: Records { Records.fold(facts, causality: causality) }

  /// The records on a device.
  func records(of device: Int) -> Records {
    Records.fold(
      facts.filter { $0.key.sequence <= seen[device][Int($0.key.log)] }, causality: causality)
  }

  mutating func sync() { sync(Array(seen.indices)) }

  /// Exchanges all events among the given devices.
  mutating func sync(_ devices: [Int]) {
    for other in devices {
      let last = facts.filter { Int($0.key.log) == other }.map(\.key.sequence).max() ?? 0
      for device in devices { seen[device][other] = last }
    }
  }

  /// Writes drafts as one command.
  @discardableResult
  mutating func write(_ drafts: [Draft], by device: Int = 0) -> [Fact] {
    let first = seen[device][device] + 1
    var written: [Fact] = []
    for draft in drafts {
      clock += 1000
      seen[device][device] += 1
      let key = EventKey(log: UInt32(device), sequence: seen[device][device])
      for other in seen.indices where other != device {
        causality.note(key, saw: UInt32(other), upTo: seen[device][other])
      }
      let body = draft.resolved {
        EventKey(log: UInt32(device), sequence: first + UInt64($0))
      }
      let hash = UniqueID(high: UInt64(device) << 32 | key.sequence, low: 7)
      written.append(Fact(key: key, time: clock, when: nil, hash: hash, body: body))
    }
    facts += written
    return written
  }

  /// Decides and writes a command.
  @discardableResult
  mutating func run(
    _ command: Command, by device: Int = 0, dice: () -> UInt64 = { 0xFFFF }
  ) throws(Refusal) -> [Fact] {
    write(try decide(command, on: records(of: device), dice: dice), by: device)
  }

  /// The records that a device would have without the given command.
  func records(of device: Int, without command: [Fact]) -> Records {
    let keys = Set(command.map(\.key))
    return Records.fold(
      facts.filter {
        $0.key.sequence <= seen[device][Int($0.key.log)] && !keys.contains($0.key)
      }, causality: causality)
  }

  /// Undoes a command; undoing the result is redo.
  @discardableResult
  mutating func undo(_ command: [Fact], by device: Int = 0) -> (facts: [Fact], left: [Undoing.Left])
  {
    let now = records(of: device)
    let without = records(of: device, without: command)
    let undoing = Domain.undo(command, now: now, without: without)
    return (write(undoing.drafts, by: device), undoing.left)
  }

  func document(_ key: EventKey) -> Document? { records.document(of: key) }

  func text(_ field: Field, _ key: EventKey) -> String? { document(key)?.text(field) }

  func isAlive(_ key: EventKey) -> Bool { document(key)?.isAlive ?? false }
}
