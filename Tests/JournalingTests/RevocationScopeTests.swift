import Crypto
import Journaling
import Testing

/// The keys that are revoked together with a device.
struct RevocationScopeTests {
  private func keys(_ numbers: Int...) throws -> Set<PublicKey> {
    Set(try numbers.map(TrustHistory.key))
  }

  /// The founder, key 0, and other keys with one log each.
  ///
  /// Admissions are given by author and key. Those of the keys in `next` have the route of a device's new key.
  private func history(
    of count: Int, _ admissions: [(Int, Int)], next: Set<Int> = []
  ) throws -> TrustHistory {
    var history = TrustHistory()
    for number in 0..<count { try history.begin(number, key: number) }
    for (author, key) in admissions {
      try history.admit(
        key, by: author, as: "device \(key)", route: next.contains(key) ? .newKey : .command)
    }
    return history
  }

  private func scope(
    of key: Int, in history: TrustHistory, by author: Int, keeping kept: Set<PublicKey> = []
  ) throws -> RevocationScope {
    RevocationScope(
      of: try TrustHistory.key(key), in: Trust(history.input), by: try TrustHistory.key(author),
      keeping: kept)
  }

  @Test func `Revocation: it includes a chain of devices that only the revoked one admitted`()
    throws
  {
    let history = try history(of: 4, [(0, 1), (1, 2), (2, 3)])
    let scope = try scope(of: 1, in: history, by: 0)
    #expect(scope.keys == (try keys(1)))
    #expect(scope.dependents == (try keys(2, 3)))
  }

  @Test func `Revocation: it includes an admitted key that has no log yet`() throws {
    var history = try history(of: 2, [(0, 1)])
    try history.admit(9, by: 1, as: "sleeper")
    #expect(try scope(of: 1, in: history, by: 0).dependents == keys(9))
  }

  @Test func `Revocation: leaves out a device that another member admitted as well`() throws {
    let history = try history(of: 4, [(0, 1), (0, 3), (1, 2), (3, 2)])
    #expect(try scope(of: 1, in: history, by: 0).dependents == [])
  }

  @Test func `Revocation: revoking the founder leaves out the author and the devices it admitted`()
    throws
  {
    let history = try history(of: 4, [(0, 1), (0, 2), (1, 3)])
    #expect(try scope(of: 0, in: history, by: 1).dependents == keys(2))
  }

  @Test func `Revocation: leaves out a kept device and the devices it admitted`() throws {
    let history = try history(of: 5, [(0, 1), (1, 2), (2, 3), (1, 4)])
    #expect(try scope(of: 1, in: history, by: 0, keeping: try keys(2)).dependents == keys(4))
  }

  @Test func `Revocation: it includes the former keys of the device`() throws {
    var history = try history(of: 3, [(0, 1), (1, 2)], next: [2])
    history.retire(1, by: 2)
    let scope = try scope(of: 2, in: history, by: 0)
    #expect(scope.keys == (try keys(1, 2)))
    #expect(scope.dependents == [])
  }

  @Test func `Revocation: an unconfirmed claim to succeed another device has no effect`()
    throws
  {
    var history = try history(of: 4, [(0, 1), (1, 2), (1, 3)])
    history.retire(1, at: 3, by: 2)
    #expect(Trust(history.input).successors == [:])
    #expect(try scope(of: 2, in: history, by: 0).keys == keys(2))
    #expect(try scope(of: 1, in: history, by: 0).dependents == keys(2, 3))
  }

  @Test func `Revocation: revoking a former key leaves out its successor`() throws {
    var history = try history(of: 4, [(0, 1), (1, 2), (2, 3)], next: [2])
    history.retire(1, by: 2)
    let scope = try scope(of: 1, in: history, by: 0)
    #expect(scope.keys == (try keys(1)))
    #expect(scope.successor == (try TrustHistory.key(2)))
    #expect(scope.dependents == [])
  }

  @Test
  func `Revocation: revoking a former key includes only devices admitted after the change`()
    throws
  {
    // Event 2 admits key 2, and event 3 the new key 3. Event 4 was written by a third party that also has the old key.
    var history = try history(of: 5, [(0, 1), (1, 2), (1, 3), (1, 4)], next: [3])
    history.retire(1, at: 3, by: 3)
    let scope = try scope(of: 1, in: history, by: 0)
    #expect(scope.successor == (try TrustHistory.key(3)))
    #expect(scope.dependents == (try keys(4)))
  }

  @Test func `Revocation: revoking the founder's own former key leaves out the admitted devices`()
    throws
  {
    var history = try history(of: 3, [(0, 1), (0, 2)], next: [2])
    history.retire(0, at: 3, by: 2)
    #expect(try scope(of: 0, in: history, by: 2).dependents == [])
  }

  @Test func `Revocation: revoking a key with two claimed successors includes both as dependents`()
    throws
  {
    var history = try history(of: 4, [(0, 1), (1, 2), (1, 3)], next: [2, 3])
    history.retire(1, by: 2)
    history.retire(1, by: 3)
    let scope = try scope(of: 1, in: history, by: 0)
    #expect(scope.successor == nil)
    #expect(scope.dependents == (try keys(2, 3)))
  }

  @Test func `Revocation: leaves out the author, whose former key the revoked device admitted`()
    throws
  {
    var history = try history(of: 4, [(0, 1), (1, 2), (2, 3)], next: [3])
    history.retire(2, by: 3)
    #expect(try scope(of: 1, in: history, by: 3).dependents == [])
  }

  @Test
  func `Revocation: a device admitted by a revoked one is listed until admitted again`()
    throws
  {
    var history = try history(of: 4, [(0, 1), (0, 3), (1, 2)])
    try history.revoke(1, by: 3, keeping: [history.landmark(1, 2)])
    #expect(
      try RevocationScope.leftBehind(in: Trust(history.input), seenBy: TrustHistory.key(0))
        == keys(2))
    try history.admit(2, by: 3)
    #expect(
      try RevocationScope.leftBehind(in: Trust(history.input), seenBy: TrustHistory.key(0)) == [])
  }

  // MARK: All small books

  /// All combinations of admissions among four keys, except admissions of the founder's key.
  private func allHistories() throws -> [TrustHistory] {
    let edges = (0..<4).flatMap { author in (1..<4).map { (author, $0) } }.filter { $0 != $1 }
    return try (0..<1 << edges.count).map { choice in
      try history(of: 4, edges.indices.filter { choice >> $0 & 1 == 1 }.map { edges[$0] })
    }
  }

  private func revoke(
    _ scope: RevocationScope, by author: Int, as held: TrustHistory,
    in history: inout TrustHistory
  ) throws {
    for number in 0..<4 {
      let key = try TrustHistory.key(number)
      guard scope.keys.union(scope.dependents).contains(key) else { continue }
      let last = UInt64(held.logs[TrustHistory.log(number)]?.events.count ?? 0)
      try history.revoke(number, by: author, keeping: [held.landmark(number, last)])
    }
  }

  @Test
  func `Revocation: one or two revocations cut exactly the listed keys`()
    throws
  {
    var pairs = 0
    for held in try allHistories() {
      let admitted = try (0..<4).filter {
        Trust(held.input).admittedKeys.contains(try TrustHistory.key($0))
      }
      let choices = admitted.flatMap { author in
        admitted.filter { $0 != author }.map { (author, $0) }
      }
      let scopes = try choices.map { try scope(of: $1, in: held, by: $0) }
      for (one, first) in zip(choices, scopes) {
        var alone = held
        try revoke(first, by: one.0, as: held, in: &alone)
        let after = Trust(alone.input)
        #expect(after.revokedKeys == first.keys.union(first.dependents))
        let left = RevocationScope.leftBehind(in: after, seenBy: try TrustHistory.key(one.0))
        #expect(left == [])
        for (other, second) in zip(choices, scopes) where other.0 != one.0 {
          var both = alone
          try revoke(second, by: other.0, as: held, in: &both)
          let merged = Trust(both.input)
          let listed = first.keys.union(first.dependents).union(second.keys)
            .union(second.dependents)
          #expect(merged.revokedKeys == listed)
          for number in admitted {
            let log = TrustHistory.log(number)
            let isListed = listed.contains(try TrustHistory.key(number))
            let last = UInt64(held.logs[log]?.events.count ?? 0)
            #expect(merged.admitted[log] == (isListed ? last : .max))
          }
          pairs += 1
        }
      }
    }
    #expect(pairs > 10_000)
  }
}
