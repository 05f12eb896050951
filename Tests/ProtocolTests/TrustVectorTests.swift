import Bytes
import Crypto
import Foundation
import Journaling
import Testing

/// The known and admitted logs of the histories in the document.
@Suite struct TrustVectorTests {
  static func histories() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("trust: ") }
  }

  @Test(arguments: try histories())
  func `Trust: each history yields its known and admitted logs and cuts`(
    vector: TestVector
  ) throws {
    let history = try History(vector)
    let trust = Trust(history.input)
    #expect(Self.names(trust.known) == (try vector.text("known")))
    #expect(Self.names(trust.admitted.keys) == (try vector.text("admitted")))
    let cuts = trust.cuts.map { "\(History.name(of: $0.key))\($0.value)" }.sorted()
    let told = cuts.isEmpty ? "none" : cuts.joined(separator: " ")
    #expect(told == (try vector.text("cuts")))
  }

  @Test func `Trust: the document has at least twelve histories`() throws {
    #expect(try Self.histories().count >= 12)
  }

  private static func names(_ logs: some Sequence<UniqueID>) -> String {
    logs.map(History.name).sorted().joined(separator: " ")
  }
}

/// The logs, keys and events of a vector, each named by one letter.
private struct History {
  private(set) var events: [TrustEvent] = []
  private(set) var forks: [UniqueID: Fork] = [:]
  /// For each log, whether each event ends a command.
  private(set) var commandEnds: [UniqueID: [UInt64: Bool]] = [:]

  init(_ vector: TestVector) throws {
    for (name, text) in vector.pairs where name.count == 1 {
      let parts = text.components(separatedBy: ": ")
      try add(Self.log(name), name, start: parts[0], parts[1].components(separatedBy: ", "))
    }
  }

  private mutating func add(
    _ log: UniqueID, _ name: String, start: String, _ texts: [String]
  ) throws {
    var sequence: UInt64 = 1
    if let place = start.split(separator: " ").dropFirst().first {
      let kept = try Self.landmark(String(place))
      forks[log] = Fork(trunk: kept.log, lastShared: kept.sequence)
      sequence = kept.sequence + 1
    } else {
      let opening = Opening(
        publicKey: try Self.key(start), agreement: [UInt8](repeating: 0, count: 32),
        incarnation: log, name: name)
      events.append(TrustEvent(at: Self.place(log, 1), verb: .open(opening)))
      commandEnds[log, default: [:]][1] = true
      sequence = 2
    }
    for text in texts {
      if let verb = try Self.verb(text) {
        events.append(TrustEvent(at: Self.place(log, sequence), verb: verb))
      }
      commandEnds[log, default: [:]][sequence] = !text.hasSuffix("…")
      sequence += 1
    }
  }

  private static func verb(_ text: String) throws -> TrustVerb? {
    let words = text.split(separator: " ").map(String.init)
    switch words[0] {
    case "admit": return .admit(try key(words[1]), name: words[1])
    case "revoke": return .revoke(try key(words[1]), kept: try words.dropFirst(2).map(landmark))
    default: return nil
    }
  }

  /// Parses `b2`, `b2!` or `b5=c5`.
  private static func landmark(_ text: String) throws -> Landmark {
    let match = try #require(text.wholeMatch(of: /(.)(\d+)(!?)(?:=(.)\d+)?/))
    let sequence: UInt64 = try #require(UInt64(match.2))
    let holder = log(String(match.4 ?? match.1))
    return Landmark(
      log: log(String(match.1)), sequence: sequence,
      hash: match.3.isEmpty ? hash(holder, sequence) : UniqueID(high: 0, low: 0))
  }

  var input: TrustInput {
    TrustInput(
      book: Self.hash(Self.log("a"), 1), events: events, forks: forks,
      keptEnds: keptEnds)
  }

  private var keptEnds: [Landmark.Mark: EventName] {
    var ends: [Landmark.Mark: EventName] = [:]
    for (log, held) in commandEnds {
      for sequence in held.keys {
        let last = held.filter { $0.value && $0.key <= sequence }.keys.max()
        ends[Self.place(log, sequence).mark] = EventName(
          log: log, sequence: last ?? forks[log]?.lastShared ?? 0)
      }
    }
    return ends
  }

  static func name(of log: UniqueID) -> String {
    String(decoding: [UInt8(truncatingIfNeeded: log.low)], as: UTF8.self)
  }

  private static func log(_ name: String) -> UniqueID {
    UniqueID(high: 1, low: UInt64(name.utf8.first ?? 0))
  }

  private static func place(_ log: UniqueID, _ sequence: UInt64) -> Landmark {
    Landmark(log: log, sequence: sequence, hash: hash(log, sequence))
  }

  private static func hash(_ log: UniqueID, _ sequence: UInt64) -> UniqueID {
    UniqueID(high: log.low, low: sequence)
  }

  private static func key(_ name: String) throws -> PublicKey {
    try PublicKey([UInt8](repeating: name.utf8.first ?? 0, count: 32))
  }
}
