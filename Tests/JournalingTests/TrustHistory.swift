import Bytes
import Crypto
import Journaling

/// Logs with made-up keys and hashes, from which trust is computed.
struct TrustHistory {
  struct Log {
    var key: PublicKey
    /// One item for each event; nil for an event that trust ignores.
    var events: [TrustVerb?]
    /// The events that end a command; if empty, every event ends a command.
    var commandEnds: Set<UInt64> = []
    /// The sequence of the log's first own event.
    var first: UInt64 = 1
  }

  var logs: [UniqueID: Log] = [:]
  var forks: [UniqueID: Fork] = [:]
  var founder = TrustHistory.log(0)

  static func key(_ number: Int) throws -> PublicKey {
    try PublicKey([UInt8(number)] + [UInt8](repeating: 7, count: 31))
  }

  static func log(_ number: Int) -> UniqueID { UniqueID(high: 1, low: UInt64(number)) }

  /// Begins a log with its `open`, followed by events that trust ignores.
  mutating func begin(_ number: Int, key: Int, events: Int = 1) throws {
    let opening = Opening(
      publicKey: try Self.key(key), agreement: [UInt8](repeating: 0, count: 32),
      incarnation: UniqueID(high: 0, low: UInt64(number)), name: "device \(key)")
    let rest = [TrustVerb?](repeating: nil, count: events - 1)
    logs[Self.log(number)] = Log(key: try Self.key(key), events: [.open(opening)] + rest)
  }

  mutating func branch(_ number: Int, from trunk: Int, after last: UInt64, events: Int) {
    forks[Self.log(number)] = Fork(trunk: Self.log(trunk), lastShared: last)
    guard let key = logs[Self.log(trunk)]?.key else { return }
    logs[Self.log(number)] = Log(
      key: key, events: [TrustVerb?](repeating: nil, count: events), first: last + 1)
  }

  mutating func admit(
    _ key: Int, by log: Int, as name: String = "", naming: UInt64 = 0,
    route: AdmissionRoute? = nil
  ) throws {
    logs[Self.log(log)]?.events.append(
      .admit(try Self.key(key), name: name, naming: naming, route: route))
  }

  mutating func revoke(_ key: Int, by log: Int, keeping kept: [Landmark] = []) throws {
    logs[Self.log(log)]?.events.append(.revoke(try Self.key(key), kept: kept))
  }

  mutating func retire(_ left: Int, at last: UInt64 = 1, by log: Int) {
    let place = landmark(left, last)
    logs[Self.log(log)]?.events.append(.retire(place))
  }

  mutating func pass(_ log: Int, events: Int) {
    logs[Self.log(log)]?.events += [TrustVerb?](repeating: nil, count: events)
  }

  /// The landmark that a correct revocation names.
  func landmark(_ log: Int, _ sequence: UInt64) -> Landmark {
    let id = Self.log(log)
    return Landmark(log: id, sequence: sequence, hash: Self.hash(id, sequence))
  }

  static func hash(_ log: UniqueID, _ sequence: UInt64) -> UniqueID {
    UniqueID(high: log.low + 100, low: sequence)
  }

  /// Whether branches follow a log, so that nothing is written to it any longer.
  func isForked(_ log: Int) -> Bool { forks.values.contains { $0.trunk == Self.log(log) } }

  func hash(_ log: UniqueID, at sequence: UInt64) -> UniqueID? {
    guard let held = logs[log], sequence >= held.first,
      sequence < held.first + UInt64(held.events.count)
    else { return nil }
    return Self.hash(log, sequence)
  }

  func commandEnd(_ log: UniqueID, _ sequence: UInt64) -> UInt64 {
    guard let ends = logs[log]?.commandEnds, !ends.isEmpty else { return sequence }
    return ends.filter { $0 <= sequence }.max() ?? 0
  }

  var events: [TrustEvent] {
    logs.flatMap { id, log in
      log.events.enumerated().compactMap { place, verb in
        let sequence = log.first + UInt64(place)
        let mark = Landmark(log: id, sequence: sequence, hash: Self.hash(id, sequence))
        return verb.map { TrustEvent(at: mark, verb: $0) }
      }
    }
  }

  var input: TrustInput {
    TrustInput(
      book: Self.hash(founder, 1), events: events, forks: forks, keptEnds: commandEnds)
  }

  /// The last event that ends a command, at or before each event.
  private var commandEnds: [Landmark.Mark: EventName] {
    var ends: [Landmark.Mark: EventName] = [:]
    for (id, log) in logs {
      for sequence in log.first..<log.first + UInt64(log.events.count) {
        ends[Landmark.Mark(sequence: sequence, hash: Self.hash(id, sequence))] = EventName(
          log: id, sequence: commandEnd(id, sequence))
      }
    }
    return ends
  }

  /// The folded logs, by number, each with its last folded event.
  var folded: [Int: UInt64] {
    var folded: [Int: UInt64] = [:]
    for (log, last) in Trust(input).admitted { folded[Int(log.low)] = last }
    return folded
  }
}
