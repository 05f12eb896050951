import Bytes
import Crypto
import Journaling
import SimulatedPlatform
import Testing

/// The rules of trust, applied literally to plain lists until the result no longer changes.
private struct TrustOracle {
  private struct Admission {
    var log: UniqueID
    var sequence: UInt64
    var key: PublicKey
  }

  private struct Revocation {
    var log: UniqueID
    var sequence: UInt64
    var key: PublicKey
    var kept: [Landmark]
  }

  /// The logs from a replica's first log to one of its branches, each with its last event on that path.
  private typealias Way = [(log: UniqueID, left: UInt64)]

  private let history: TrustHistory
  private var admissions: [Admission] = []
  private var revocations: [Revocation] = []
  private var paths: [UniqueID: Way] = [:]
  /// The key of each log whose first event is stored.
  private var keys: [UniqueID: PublicKey] = [:]
  private(set) var struck: Set<PublicKey> = []
  private(set) var known: Set<UniqueID> = []
  private(set) var cuts: [UniqueID: UInt64] = [:]
  private(set) var admitted: [UniqueID: UInt64] = [:]

  init(_ history: TrustHistory, _ events: [TrustEvent]) {
    self.history = history
    for event in events { sort(event) }
    for log in history.logs.keys { paths[log] = path(to: log) }
    for (log, path) in paths {
      guard let root = path.first?.log,
        case .open(let opening)?? = history.logs[root]?.events.first
      else { continue }
      keys[log] = opening.publicKey
    }
    // As long as the founder's first event is missing, no device is trusted.
    guard keys[history.founder] != nil else { return }
    struck = struckKeys()
    known = spread { _ in true }
    for log in known { cuts[log] = lowestCut(of: log) }
    for log in spread(within: { $0.sequence <= cuts[$0.log] ?? .max }) {
      admitted[log] = cuts[log] ?? .max
    }
  }

  private mutating func sort(_ event: TrustEvent) {
    switch event.verb {
    case .admit(let key, _, _, _):
      admissions.append(Admission(log: event.log, sequence: event.sequence, key: key))
    case .revoke(let key, let kept):
      revocations.append(
        Revocation(log: event.log, sequence: event.sequence, key: key, kept: kept))
    default: return
    }
  }

  /// The keys that the founder revokes before its first admission, if the revocation keeps none of their events.
  private func struckKeys() -> Set<PublicKey> {
    let first = admissions.filter { $0.log == history.founder }.map(\.sequence).min() ?? .max
    let early = revocations.filter { $0.log == history.founder && $0.sequence < first }
    return Set(early.filter(\.kept.isEmpty).map(\.key))
  }

  private func spread(within counts: (Admission) -> Bool) -> Set<UniqueID> {
    let counting = admissions.filter { counts($0) && !struck.contains($0.key) }
    var reached: Set<UniqueID> = []
    var isGrowing = true
    while isGrowing {
      var named = Set(counting.filter { reached.contains($0.log) }.map(\.key))
      named.formUnion([keys[history.founder]].compactMap(\.self))
      let before = reached.count
      for (log, key) in keys where named.contains(key) { reached.insert(log) }
      isGrowing = reached.count > before
    }
    return reached
  }

  private func lowestCut(of log: UniqueID) -> UInt64? {
    var lowest: UInt64?
    for revocation in revocations
    where revocation.key == keys[log] && known.contains(revocation.log) {
      let end = revocation.kept.map { reach(of: $0, on: log) }.max() ?? 0
      let whole = end == 0 ? 0 : history.commandEnd(log, end)
      // If the first command of a branch is not kept as a whole, only the trunk is kept.
      lowest = min(lowest ?? .max, whole < history.logs[log]?.first ?? 1 ? 0 : whole)
    }
    return lowest
  }

  /// The last event of a log that a landmark keeps: the landmark's event itself, or the event at which the path to it
  /// leaves the log.
  private func reach(of landmark: Landmark, on log: UniqueID) -> UInt64 {
    for (holder, path) in paths
    where history.hash(holder, at: landmark.sequence) == landmark.hash {
      if holder == log { return landmark.sequence }
      return path.first { $0.log == log }?.left ?? 0
    }
    return 0
  }

  private func path(to log: UniqueID) -> Way {
    var path = [(log: log, left: UInt64.max)]
    while let first = path.first, let fork = history.forks[first.log] {
      path.insert((fork.trunk, fork.lastShared), at: 0)
    }
    return path
  }
}

@Suite struct TrustOracleTests {
  /// Logs of several keys, with random forks, admissions and revocations; some logs are missing.
  private static func random(_ seed: UInt64) throws -> TrustHistory {
    var dice = Seeded(seed: seed)
    var history = TrustHistory()
    let keys = Int.random(in: 1...6, using: &dice)
    var logs = Int.random(in: keys...keys + 3, using: &dice)
    for log in 0..<logs {
      let key = log < keys ? log : Int.random(in: 0..<keys, using: &dice)
      try history.begin(log, key: key, events: Int.random(in: 1...3, using: &dice))
    }
    for _ in 0..<Int.random(in: 0...20, using: &dice) {
      let writers = (0..<logs).filter { !history.isForked($0) }
      let author = writers[Int.random(in: writers.indices, using: &dice)]
      let key = Int.random(in: 0..<keys, using: &dice)
      switch Int.random(in: 0..<12, using: &dice) {
      case 0..<6: try history.admit(key, by: author)
      case 6..<9: try revoke(key, by: author, in: &history, &dice)
      case 9: history.pass(author, events: Int.random(in: 1...3, using: &dice))
      default:
        if fork(author, as: logs, in: &history, &dice) { logs += 2 }
      }
    }
    for id in history.logs.keys.sorted() where Bool.random(using: &dice) {
      history.logs[id]?.takeCommandEnds(&dice)
    }
    if Int.random(in: 0..<20, using: &dice) == 0 {
      history.logs[TrustHistory.log(Int.random(in: 0..<keys, using: &dice))]?.events[0] = nil
    }
    return history
  }

  /// Forks a log after one of its events: the later events become one branch, and a new branch is added.
  private static func fork(
    _ log: Int, as number: Int, in history: inout TrustHistory, _ dice: inout Seeded
  ) -> Bool {
    let id = TrustHistory.log(log)
    guard let held = history.logs[id], held.events.count > 1 else { return false }
    let kept = Int.random(in: 1..<held.events.count, using: &dice)
    history.logs[id]?.events.removeLast(held.events.count - kept)
    let last = held.first + UInt64(kept) - 1
    history.branch(number, from: log, after: last, events: held.events.count - kept)
    history.logs[TrustHistory.log(number)]?.events = Array(held.events[kept...])
    history.branch(
      number + 1, from: log, after: last, events: Int.random(in: 1...3, using: &dice))
    return true
  }

  private static func revoke(
    _ key: Int, by author: Int, in history: inout TrustHistory, _ dice: inout Seeded
  ) throws {
    if Bool.random(using: &dice) { return try history.revoke(key, by: author) }
    var kept: [Landmark] = []
    for id in history.logs.keys.sorted() where Int.random(in: 0..<4, using: &dice) > 0 {
      guard let held = history.logs[id] else { continue }
      let last = held.first + UInt64(held.events.count)
      var landmark = history.landmark(
        Int(id.low), UInt64.random(in: held.first - 1...last, using: &dice))
      switch Int.random(in: 0..<10, using: &dice) {
      case 0: landmark.hash = UniqueID(high: 0, low: 0)
      // The landmark was written before the fork was known.
      case 1..<4: landmark.log = history.forks[id]?.trunk ?? id
      // The author knew a branch that is not known here.
      case 4: landmark.log = UniqueID(high: 0, low: 1)
      default: break
      }
      kept.append(landmark)
    }
    try history.revoke(key, by: author, keeping: kept)
  }

  private static let histories: UInt64 = 20_000
  private static let parts: UInt64 = 4

  @Test(arguments: 0..<parts)
  func `Trust: in random histories, it follows its written rules`(part: UInt64) throws {
    var (cut, lost, forked, nobody, struck) = (0, 0, 0, 0, 0)
    let seeds = stride(from: part, to: Self.histories, by: Int(Self.parts))
    for seed in seeds {
      let history = try Self.random(seed)
      let input = history.input
      let trust = Trust(input)
      let oracle = TrustOracle(history, input.events)
      if trust.known != oracle.known || trust.admitted != oracle.admitted
        || trust.cuts.filter({ oracle.known.contains($0.key) }) != oracle.cuts
      {
        Issue.record("seed \(seed)")
      }
      cut += trust.admitted.values.contains { $0 != .max } ? 1 : 0
      lost += trust.admitted.count < trust.known.count ? 1 : 0
      forked += history.forks.isEmpty ? 0 : 1
      nobody += trust.hasTrustedDevice ? 0 : 1
      struck += oracle.struck.isEmpty ? 0 : 1
    }
    // The histories are useful only if trust changes in enough of them, so minimum percentages are checked.
    let all = Int(Self.histories / Self.parts)
    #expect(cut > all * 20 / 100)
    #expect(lost > all * 3 / 100)
    #expect(forked > all * 40 / 100)
    #expect(nobody > all * 5 / 100)
    #expect(struck > all * 5 / 100)
  }

  @Test func `Trust: the order of events has no influence`() throws {
    for seed in 0..<2_000 as Range<UInt64> {
      var dice = Seeded(seed: seed)
      let input = try Self.random(seed).input
      var shuffled = input
      shuffled.events.shuffle(using: &dice)
      let (one, other) = (Trust(input), Trust(shuffled))
      #expect(one.admitted == other.admitted)
      #expect(one.names == other.names)
      #expect(one.cuts == other.cuts)
      #expect(one.revokedKeys == other.revokedKeys)
      #expect(one.formerKeys == other.formerKeys)
    }
  }
}

extension TrustHistory.Log {
  /// Groups the events into commands at random.
  fileprivate mutating func takeCommandEnds(_ dice: inout Seeded) {
    let last = first + UInt64(events.count) - 1
    guard last >= first else { return }
    commandEnds = Set((first...last).filter { _ in Bool.random(using: &dice) })
    // A fork is always between whole commands.
    commandEnds.formUnion([first - 1, last])
  }
}
