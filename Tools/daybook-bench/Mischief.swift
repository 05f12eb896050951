import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform

/// Valid events as no program writes them, made to cost whoever folds them as much as they can.
///
/// In the keys of entities, a log's number is its place here.
struct Mischief {
  private struct Log {
    var events: [NewEvent] = []
    /// The logs that it has told of, by the indices of its table.
    var table: [Int] = []
    var awaiting: [Seen] = []
  }

  private let ids: [UniqueID]
  private var logs: [Log]
  /// The lengths of the logs before.
  private let start: [UInt64]

  /// Goes on with logs that have so many events.
  init(in ids: [UniqueID], behind start: [UInt64]) {
    (self.ids, self.start) = (ids, start)
    logs = ids.map { _ in Log() }
  }

  var eventCount: Int { logs.reduce(0) { $0 + $1.events.count } }

  private func last(of log: Int) -> UInt64 { start[log] + UInt64(logs[log].events.count) }

  /// Lets the next event of a log tell that another one was folded up to an event.
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
    // A hash that no event has: the log did not fork, so that the entry covers all up to the sequence.
    logs[log].awaiting.append(Seen(log: name, sequence: last, hash: .none, missing: missing))
  }

  /// Lets the next event of a log tell that all of another one was folded.
  mutating func see(_ other: Int, from log: Int) { see(other, upTo: last(of: other), from: log) }

  /// The key of an event that a log will have, counted from the next one.
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

  /// Writes all of it to a journal.
  func append(to journal: inout Journal, keys: DeviceKeys) throws {
    for (log, id) in zip(logs, ids) where !log.events.isEmpty {
      let time = journal.logs[id]?.time ?? 0
      let commands = log.events.map { Command(time: time, events: [$0]) }
      _ = try journal.append(commands, to: id, keys: keys)
    }
  }
}
