import Crypto
import Journaling
import Testing

/// The keys that revoked keys have let in, none of which is admitted.
struct KeySponsorTests {
  /// A founder, key 0, and key 1, whose device was stolen and then let in key 2 as its next key, and key 3.
  private func theft() throws -> TrustHistory {
    var history = TrustHistory()
    for number in 0..<5 { try history.begin(number, key: number) }
    try history.admit(1, by: 0, as: "laptop", route: .command)
    let kept = history.landmark(1, 1)
    try history.admit(2, by: 1, as: "phone", route: .newKey)
    try history.admit(3, by: 1, as: "tablet", route: .command)
    try history.admit(4, by: 3, as: "watch", route: .command)
    try history.revoke(1, by: 0, keeping: [kept])
    return history
  }

  private func sponsor(
    of key: Int, in history: TrustHistory
  ) throws -> KeySponsor? {
    Trust(history.input).sponsors[try TrustHistory.key(key)]
  }

  @Test func `Sponsor: a key that a revoked key let in after the cut names that key`() throws {
    let (history, thief) = (try theft(), try TrustHistory.key(1))
    #expect(try sponsor(of: 2, in: history) == KeySponsor(key: thief, link: .nextKey))
    #expect(try sponsor(of: 3, in: history) == KeySponsor(key: thief, link: .admission))
    #expect(try sponsor(of: 4, in: history) == KeySponsor(key: thief, link: .chain))
    #expect(try sponsor(of: 1, in: history) == nil)
  }

  @Test func `Sponsor: a key that a member has admitted, too, has none`() throws {
    var history = try theft()
    try history.admit(2, by: 0, as: "phone", route: .command)
    #expect(try sponsor(of: 2, in: history) == nil)
    #expect(try sponsor(of: 3, in: history) != nil)
  }

  @Test func `Sponsor: a key that has been revoked itself has none`() throws {
    var history = try theft()
    try history.revoke(2, by: 0)
    #expect(try sponsor(of: 2, in: history) == nil)
  }

  @Test func `Sponsor: without a revocation, no key has one`() throws {
    var history = TrustHistory()
    for number in 0..<3 { try history.begin(number, key: number) }
    try history.admit(1, by: 0, as: "laptop", route: .command)
    #expect(Trust(history.input).sponsors.isEmpty)
  }
}
