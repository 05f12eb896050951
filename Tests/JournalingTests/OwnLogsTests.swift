import Bytes
import Journaling
import Testing

/// Which of its own events a device shows in all short histories of copies, new keys and revocations.
@Suite struct OwnLogsTests {
  /// The events that may have happened to a device with key 1.
  ///
  /// Its log 1 forked into its own branch 2 and the branch 3 of a copy. It continued in log 4 and then, with key 2, in
  /// log 5.
  enum Happening: Int, CaseIterable {
    case admittedOld, admittedNewByOld, admittedNewByFounder, revokedOldEarly, revokedOldLate
    case revokedNew, revokedFounder, admittedOther
  }

  private static func history(_ happened: Set<Happening>) throws -> TrustHistory {
    var history = TrustHistory()
    try history.begin(0, key: 0, events: 2)
    try history.begin(1, key: 1, events: 4)
    history.branch(2, from: 1, after: 4, events: 2)
    history.branch(3, from: 1, after: 4, events: 3)
    try history.begin(4, key: 1, events: 2)
    try history.begin(5, key: 2, events: 3)
    try history.begin(6, key: 3, events: 2)
    if happened.contains(.admittedOld) { try history.admit(1, by: 0) }
    if happened.contains(.admittedNewByOld) { try history.admit(2, by: 4) }
    if happened.contains(.revokedOldEarly) {
      try history.revoke(1, by: 0, keeping: [history.landmark(1, 3)])
    }
    if happened.contains(.revokedOldLate) {
      try history.revoke(1, by: 0, keeping: [history.landmark(2, 6), history.landmark(4, 2)])
    }
    if happened.contains(.admittedNewByFounder) { try history.admit(2, by: 0) }
    if happened.contains(.admittedOther) { try history.admit(3, by: 5) }
    if happened.contains(.revokedNew) { try history.revoke(2, by: 6) }
    if happened.contains(.revokedFounder) {
      try history.revoke(0, by: 5, keeping: [history.landmark(0, 4)])
    }
    return history
  }

  /// The device's own logs, each time it begins a new log.
  private static let moments: [OwnLogs] = [
    OwnLogs(last: TrustHistory.log(1), ends: [TrustHistory.log(1): .max]),
    OwnLogs(
      last: TrustHistory.log(1), ends: [TrustHistory.log(1): 4, TrustHistory.log(2): 6]),
    OwnLogs(
      last: TrustHistory.log(4),
      ends: [TrustHistory.log(1): 4, TrustHistory.log(2): 6, TrustHistory.log(4): .max]),
    OwnLogs(
      last: TrustHistory.log(5),
      ends: [
        TrustHistory.log(1): 4, TrustHistory.log(2): 6, TrustHistory.log(4): 3,
        TrustHistory.log(5): .max,
      ]),
  ]

  private static func all() throws -> [(history: TrustHistory, trust: Trust, own: OwnLogs)] {
    try (0..<1 << Happening.allCases.count).flatMap { mask in
      let history = try history(Set(Happening.allCases.filter { mask & 1 << $0.rawValue != 0 }))
      let trust = Trust(history.input)
      return moments.map { (history, trust, $0) }
    }
  }

  @Test func `Own logs: a device shows the log it writes even if its key is unknown`() {
    let own = OwnLogs(last: TrustHistory.log(1), ends: [TrustHistory.log(1): 7])
    #expect(own.shown(by: Trust(TrustHistory().input)) == [TrustHistory.log(1): 7])
  }

  @Test func `Own logs: a device with an admitted key shows the admitted events`() throws {
    var (admitted, formerCut) = (0, 0)
    for (_, trust, own) in try Self.all() {
      let key = try #require(own.last.flatMap { trust.keys[$0] })
      guard trust.admittedKeys.contains(key), !trust.revokedKeys.contains(key) else { continue }
      admitted += 1
      formerCut += trust.cuts.keys.contains { own.ends[$0] != nil } ? 1 : 0
      #expect(own.shown(by: trust) == trust.admitted)
      #expect(own.shownAlone(by: trust) { _ in 1...9 } == [:])
    }
    #expect(admitted > 100)
    #expect(formerCut > 40)
  }

  @Test func `Own logs: a device shows all events of its current key, admitted or not`()
    throws
  {
    for (_, trust, own) in try Self.all() {
      let shown = own.shown(by: trust)
      let key = own.last.flatMap { trust.keys[$0] }
      for (log, end) in own.ends where trust.keys[log] == key { #expect(shown[log] ?? 0 >= end) }
      for (log, end) in trust.admitted { #expect(shown[log] ?? 0 >= end) }
    }
  }

  @Test func `Own logs: each event is either shown or counted as hidden`() throws {
    var hiddenCount = 0
    for (history, trust, own) in try Self.all() {
      func held(_ log: UniqueID) -> ClosedRange<UInt64>? {
        history.logs[log].map { $0.first...$0.first + UInt64($0.events.count) - 1 }
      }
      let shown = own.shown(by: trust)
      let hidden = own.hidden(by: trust, within: held)
      for (log, end) in own.ends {
        for sequence in try #require(held(log)) where sequence <= end {
          let isShown = sequence <= shown[log] ?? 0
          let isHidden = hidden[log]?.contains(sequence) ?? false
          hiddenCount += isHidden ? 1 : 0
          #expect(isShown != isHidden)
        }
      }
    }
    #expect(hiddenCount > 500)
  }
}
