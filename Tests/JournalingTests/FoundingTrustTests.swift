import Bytes
import Crypto
import Journaling
import Testing

/// Books that were founded anew from the logs of another, and keys that replace others.
@Suite struct FoundingTrustTests {
  @Test func `Founding: a device that the founder revokes before any admission is unknown`() throws
  {
    var history = TrustHistory()
    // In the old book, the thief was admitted by a device that the new book also admits.
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 3)
    try history.admit(1, by: 0)
    try history.revoke(0, by: 1)
    try history.begin(9, key: 9)
    try history.revoke(1, by: 9)
    try history.admit(0, by: 9)
    history.founder = TrustHistory.log(9)
    let trust = Trust(history.input)
    #expect(trust.known == Set([0, 9].map(TrustHistory.log)))
    #expect(history.folded == [0: .max, 9: .max])
    #expect(trust.hasTrustedDevice)
  }

  @Test func `Founding: a revocation after the first admission is like any other`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 3)
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0)
    try history.revoke(0, by: 1, keeping: [history.landmark(0, 2)])
    #expect(history.folded == [0: 2, 1: 0])
  }

  @Test
  func `Former key: it is recognised if it admitted its successor and the successor confirms`()
    throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.begin(2, key: 2)
    try history.begin(3, key: 3)
    for key in [1, 3] { try history.admit(key, by: 0) }
    try history.admit(2, by: 1, route: .newKey)
    history.retire(1, by: 2)
    // Only the device itself can confirm this.
    history.retire(2, by: 3)
    let trust = Trust(history.input)
    #expect(trust.formerKeys == [try TrustHistory.key(1)])
    #expect(trust.admitted.count == 4)
  }

  @Test func `Former key: may have admitted its successor beyond a cut`() throws {
    var history = TrustHistory()
    for number in 0...2 { try history.begin(number, key: number) }
    try history.admit(1, by: 0)
    // The founder had not yet seen that the device took a new key.
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 1)])
    try history.admit(2, by: 1, route: .newKey)
    history.retire(1, by: 2)
    #expect(Trust(history.input).formerKeys == [])
    #expect(history.folded == [0: .max, 1: 1])
    try history.admit(2, by: 0)
    #expect(Trust(history.input).formerKeys == [try TrustHistory.key(1)])
    #expect(history.folded == [0: .max, 1: 1, 2: .max])
  }

  @Test func `Founding: with a lost branch, what the log has after the fork strikes no device`()
    throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.revoke(1, by: 0)
    // The log has the events of the other branch, because only remembered events show that it has forked.
    history.branch(3, from: 0, after: 1, events: 0)
    try history.admit(1, by: 3)
    try history.admit(2, by: 3)
    try history.revoke(2, by: 1)
    // The revoked device is known, so its own revocation counts.
    #expect(Trust(history.input).revokedKeys == [try TrustHistory.key(1), try TrustHistory.key(2)])
  }
}
