import Bytes
import Crypto
import Journaling
import SimulatedPlatform
import Testing

/// The three rules of trust, read out one by one over plain lists until nothing changes.
private struct TrustOracle {
  var known: Set<UniqueID> = []
  var admitted: [UniqueID: UInt64] = [:]

  init(_ history: TrustHistory) {
    let founderKey = history.logs[history.founder]?.key
    var cuts: [UniqueID: UInt64] = [:]
    func spread(_ reached: inout Set<UniqueID>) {
      for (log, held) in history.logs {
        if held.key == founderKey { reached.insert(log) }
        for event in history.events {
          guard case .admit(let key, _) = event.verb, key == held.key else { continue }
          let isWithin = event.sequence <= cuts[event.log] ?? .max
          if reached.contains(event.log), isWithin { reached.insert(log) }
        }
      }
    }
    func settle() -> Set<UniqueID> {
      var reached: Set<UniqueID> = []
      for _ in 0...history.logs.count { spread(&reached) }
      return reached
    }
    known = settle()
    var lowest: [UniqueID: UInt64] = [:]
    for event in history.events where known.contains(event.log) {
      guard case .revoke(let key, let kept) = event.verb else { continue }
      for (log, held) in history.logs where held.key == key {
        let agreeing = kept.filter {
          $0.log == log && history.hash(log, at: $0.sequence) == $0.hash
        }
        let end = agreeing.map(\.sequence).max() ?? 0
        lowest[log] = min(lowest[log] ?? .max, end == 0 ? 0 : history.commandEnd(log, end))
      }
    }
    cuts = lowest
    for log in settle() { admitted[log] = cuts[log] ?? .max }
  }
}

@Suite struct TrustOracleTests {
  private static func random(_ seed: UInt64) throws -> TrustHistory {
    var dice = Seeded(seed: seed)
    var history = TrustHistory()
    let keys = Int.random(in: 1...6, using: &dice)
    let logs = Int.random(in: keys...keys + 3, using: &dice)
    for log in 0..<logs {
      let key = log < keys ? log : Int.random(in: 0..<keys, using: &dice)
      try history.begin(log, key: key, events: Int.random(in: 1...3, using: &dice))
    }
    for _ in 0..<Int.random(in: 0...20, using: &dice) {
      let author = Int.random(in: 0..<logs, using: &dice)
      let key = Int.random(in: 0..<keys, using: &dice)
      switch Int.random(in: 0..<10, using: &dice) {
      case 0..<6: try history.admit(key, by: author)
      case 6..<9: try revoke(key, by: author, in: &history, &dice)
      default: history.pass(author, events: Int.random(in: 1...3, using: &dice))
      }
    }
    for log in 0..<logs where Bool.random(using: &dice) {
      let id = TrustHistory.log(log)
      let count = UInt64(history.logs[id]?.events.count ?? 0)
      history.logs[id]?.commandEnds = Set((1...count).filter { _ in Bool.random(using: &dice) })
    }
    return history
  }

  private static func revoke(
    _ key: Int, by author: Int, in history: inout TrustHistory, _ dice: inout Seeded
  ) throws {
    var kept: [Landmark] = []
    for log in 0..<history.logs.count where Int.random(in: 0..<4, using: &dice) > 0 {
      let count = UInt64(history.logs[TrustHistory.log(log)]?.events.count ?? 0)
      var landmark = history.landmark(log, UInt64.random(in: 0...count + 1, using: &dice))
      if Int.random(in: 0..<10, using: &dice) == 0 {
        landmark.hash = UniqueID(high: 0, low: 0)
      }
      kept.append(landmark)
    }
    try history.revoke(key, by: author, keeping: kept)
  }

  @Test func `trust is what its rules say, for any history`() throws {
    var cut = 0
    var lost = 0
    for seed in 0..<1_000 as Range<UInt64> {
      let history = try Self.random(seed)
      let trust = Trust(history.input)
      let oracle = TrustOracle(history)
      #expect(trust.known == oracle.known, "seed \(seed)")
      #expect(trust.admitted == oracle.admitted, "seed \(seed)")
      cut += trust.admitted.values.contains { $0 != .max } ? 1 : 0
      lost += trust.admitted.count < trust.known.count ? 1 : 0
    }
    // The histories are only worth something if they get into trouble.
    #expect(cut > 150)
    #expect(lost > 30)
  }

  @Test func `the order in which events are given does not matter`() throws {
    for seed in 0..<200 as Range<UInt64> {
      var dice = Seeded(seed: seed)
      let input = try Self.random(seed).input
      var shuffled = input
      shuffled.events.shuffle(using: &dice)
      let (one, other) = (Trust(input), Trust(shuffled))
      #expect(one.admitted == other.admitted)
      #expect(one.names == other.names)
      #expect(one.cuts == other.cuts)
    }
  }
}
