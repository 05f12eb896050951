import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform

/// Valid events that no real program writes, designed to make the fold as expensive as possible.
///
/// In entity keys, the number of a log is its index in `ids`.
struct Mischief {
  private struct Log {
    var events: [NewEvent] = []
    /// The logs in this log's table, in the order of the table.
    var table: [Int] = []
    var awaiting: [Seen] = []
  }

  private let ids: [UniqueID]
  private var logs: [Log]
  /// The number of events in each log before the new events.
  private let start: [UInt64]

  /// Creates a history that continues logs with the given numbers of events.
  init(in ids: [UniqueID], behind start: [UInt64]) {
    (self.ids, self.start) = (ids, start)
    logs = ids.map { _ in Log() }
  }

  var eventCount: Int { logs.reduce(0) { $0 + $1.events.count } }

  private func last(of log: Int) -> UInt64 { start[log] + UInt64(logs[log].events.count) }

  /// Makes the next event of `log` record that its writer had seen `other` up to an event.
  mutating func see(
    _ other: Int, upTo last: UInt64, from log: Int, missing: [ClosedRange<UInt64>] = []
  ) {
    let name: Seen.Log
    if let index = logs[log].table.firstIndex(of: other) {
      name = .index(UInt64(index))
    } else {
      name = .introduced(ids[other])
      logs[log].table.append(other)
    }
    // No event has this hash. As the log has not forked, the entry covers all events up to the sequence.
    logs[log].awaiting.append(Seen(log: name, sequence: last, hash: .none, missing: missing))
  }

  /// Makes the next event of `log` record that its writer had seen all of `other`.
  mutating func see(_ other: Int, from log: Int) { see(other, upTo: last(of: other), from: log) }

  /// Returns the key of a future event of a log; 0 means the next one.
  func key(_ place: Int = 0, in log: Int = 0) -> EventKey {
    EventKey(log: UInt32(log), sequence: last(of: log) + 1 + UInt64(place))
  }

  @discardableResult
  mutating func write(
    _ verb: Verb, _ target: Body.Target, _ writes: [Write] = [], in log: Int = 0
  ) -> EventKey {
    let table = logs[log].table
    let body = Body(verb, target, writes).encode { number in
      number == log ? nil : table.firstIndex(of: Int(number)).map(UInt64.init)
    }
    return write(body, in: log)
  }

  @discardableResult
  mutating func write(_ body: [UInt8], in log: Int = 0) -> EventKey {
    let key = key(in: log)
    logs[log].events.append(NewEvent(seen: logs[log].awaiting, body: body))
    logs[log].awaiting = []
    return key
  }

  mutating func add(_ kind: Kind = .todo, _ writes: [Write] = [], in log: Int = 0) -> EventKey {
    write(.add, .kind(kind), writes, in: log)
  }

  mutating func join(_ one: EventKey, _ two: EventKey, in log: Int = 0) -> EventKey {
    write(.alias, .entity(one), [Write(.with, .reference(two))], in: log)
  }

  /// Appends all events to a journal.
  func append(to journal: inout Journal, keys: DeviceKeys) throws {
    for (log, id) in zip(logs, ids) where !log.events.isEmpty {
      let time = journal.logs[id]?.time ?? 0
      let commands = log.events.map { Command(time: time, events: [$0]) }
      _ = try journal.append(commands, to: id, keys: keys)
    }
  }
}
