import Bytes
import Crypto
import Journaling
import Testing

@Suite struct TrustTests {
  @Test func `the founder's logs and those it admits are folded, one by another`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 0)
    try history.begin(2, key: 1)
    try history.begin(3, key: 2)
    try history.begin(4, key: 3)
    try history.admit(1, by: 1)
    try history.admit(2, by: 2)
    #expect(history.folded == [0: .max, 1: .max, 2: .max, 3: .max])
    #expect(Trust(history.input).hasTrustedDevice)
  }

  @Test func `without the founder's log nobody is known`() throws {
    var history = TrustHistory()
    try history.begin(1, key: 1)
    try history.admit(2, by: 1)
    let trust = Trust(history.input)
    #expect(trust.founder == nil)
    #expect(trust.known == [])
    #expect(trust.admitted == [:])
    #expect(trust.names == [TrustHistory.log(1): "device 1"])
  }

  @Test func `an admit by a stranger admits nobody`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.begin(2, key: 2)
    try history.admit(1, by: 2)
    try history.admit(2, by: 1)
    #expect(history.folded == [0: .max])
  }

  @Test func `a revoke keeps what it names and nothing of other logs of the key`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    try history.begin(2, key: 1, events: 9)
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 5)])
    #expect(history.folded == [0: .max, 1: 5, 2: 0])
  }

  @Test func `a cut is rounded down to a whole command`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    history.logs[TrustHistory.log(1)]?.commandEnds = [1, 3, 7, 9]
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 6)])
    #expect(history.folded == [0: .max, 1: 3])
  }

  @Test(arguments: [[5, 3], [3, 5]] as [[UInt64]])
  func `the lowest cut holds, whatever the order`(ends: [UInt64]) throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    try history.admit(1, by: 0)
    for end in ends { try history.revoke(1, by: 0, keeping: [history.landmark(1, end)]) }
    #expect(history.folded == [0: .max, 1: 3])
  }

  @Test func `a revoke holds though it lies beyond its author's own cut`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.begin(2, key: 2, events: 4)
    try history.admit(1, by: 0)
    try history.admit(2, by: 0)
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 1)])
    try history.revoke(2, by: 1, keeping: [history.landmark(2, 2)])
    #expect(history.folded == [0: .max, 1: 1, 2: 2])
  }

  @Test func `an admit beyond its author's cut makes known but not admitted`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.begin(2, key: 2)
    try history.admit(1, by: 0)
    try history.admit(2, by: 1)
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 1)])
    let trust = Trust(history.input)
    #expect(trust.known == Set([0, 1, 2].map(TrustHistory.log)))
    #expect(history.folded == [0: .max, 1: 1])
  }

  @Test func `a cut at another hash, or at an event that is not held, keeps nothing`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    try history.begin(2, key: 2, events: 9)
    try history.admit(1, by: 0)
    try history.admit(2, by: 0)
    var forged = history.landmark(1, 5)
    forged.hash = UniqueID(high: 0, low: 0)
    try history.revoke(1, by: 0, keeping: [forged])
    try history.revoke(2, by: 0, keeping: [history.landmark(2, 10)])
    #expect(history.folded == [0: .max, 1: 0, 2: 0])
  }

  @Test func `two books become one when one admits all keys of the other`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0)
    // The other book, with a founder of its own.
    try history.begin(5, key: 5)
    try history.begin(6, key: 6, events: 3)
    try history.admit(6, by: 5)
    #expect(history.folded == [0: .max, 1: .max])
    try history.admit(5, by: 1)
    try history.admit(6, by: 1)
    #expect(history.folded == [0: .max, 1: .max, 5: .max, 6: .max])
  }

  @Test func `a key revoked in the other book stays cut when its revoker is admitted`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(5, key: 5)
    try history.begin(6, key: 6, events: 3)
    try history.admit(6, by: 5)
    try history.revoke(6, by: 5, keeping: [history.landmark(6, 2)])
    try history.admit(5, by: 0)
    #expect(history.folded == [0: .max, 5: .max, 6: 2])
  }

  @Test func `devices that revoke each other are both cut, and nobody is left`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0)
    try history.revoke(0, by: 1, keeping: [history.landmark(0, 2)])
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 1)])
    #expect(history.folded == [0: 2, 1: 1])
    #expect(!Trust(history.input).hasTrustedDevice)
  }

  @Test func `a founder revoked to before its admit takes its guests along`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0)
    try history.revoke(0, by: 1)
    #expect(history.folded == [0: 0])
    #expect(!Trust(history.input).hasTrustedDevice)
  }

  @Test func `a book founded anew folds the old logs of those it names and of no others`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 3)
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0)
    try history.begin(9, key: 9)
    try history.admit(1, by: 9)
    history.founder = TrustHistory.log(9)
    #expect(history.folded == [1: .max, 9: .max])
  }

  @Test func `a later naming gives the name, whoever has written more`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0, as: "phone")
    history.pass(0, events: 7)
    try history.admit(1, by: 0, as: "phone")
    try history.admit(1, by: 1, as: "tablet", naming: 1)
    #expect(Trust(history.input).names[TrustHistory.log(1)] == "tablet")
  }

  @Test func `the last admit that counts gives the name`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.begin(2, key: 2)
    try history.admit(1, by: 0, as: "phone")
    try history.admit(1, by: 0, as: "old phone")
    history.pass(2, events: 7)
    try history.admit(1, by: 2, as: "mine")
    #expect(
      Trust(history.input).names == [
        TrustHistory.log(0): "device 0", TrustHistory.log(1): "old phone",
        TrustHistory.log(2): "device 2",
      ])
  }

  @Test func `who kept one branch keeps the way to it, and not the other branch`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 4)
    history.branch(2, from: 1, after: 4, events: 5)
    history.branch(3, from: 1, after: 4, events: 5)
    try history.admit(1, by: 0)
    #expect(history.folded == [0: .max, 1: .max, 2: .max, 3: .max])
    // Written before the fork came to light, so the branch goes by the name of the log.
    var early = history.landmark(2, 7)
    early.log = TrustHistory.log(1)
    try history.revoke(1, by: 0, keeping: [early])
    #expect(history.folded == [0: .max, 1: 4, 2: 7, 3: 0])
  }

  @Test func `a cut before the fork takes all branches`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 4)
    history.branch(2, from: 1, after: 4, events: 5)
    history.branch(3, from: 2, after: 9, events: 2)
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 4), history.landmark(3, 10)])
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 3)])
    #expect(history.folded == [0: .max, 1: 3, 2: 0, 3: 0])
  }
}

@Suite struct FoundingTrustTests {
  @Test func `whom the founder revokes before it admits anybody is not of the book at all`() throws
  {
    var history = TrustHistory()
    // The old book: the thief was admitted by a device that the new book takes along.
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

  @Test func `after the founder's first admit a revoke is like any other`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 3)
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0)
    try history.revoke(0, by: 1, keeping: [history.landmark(0, 2)])
    #expect(history.folded == [0: 2, 1: 0])
  }

  @Test func `a key is left behind when the old one admitted the new, and the new says so`() throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.begin(2, key: 2)
    try history.begin(3, key: 3)
    for key in [1, 3] { try history.admit(key, by: 0) }
    try history.admit(2, by: 1, route: .newKey)
    history.retire(1, by: 2)
    // Nobody but the device itself can say so.
    history.retire(2, by: 3)
    let trust = Trust(history.input)
    #expect(trust.formerKeys == [try TrustHistory.key(1)])
    #expect(trust.admitted.count == 4)
  }

  @Test func `Successor: the admission by the old key may lie behind a cut`() throws {
    var history = TrustHistory()
    for number in 0...2 { try history.begin(number, key: number) }
    try history.admit(1, by: 0)
    // The founder had not seen that the device takes a new key.
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 1)])
    try history.admit(2, by: 1, route: .newKey)
    history.retire(1, by: 2)
    #expect(Trust(history.input).formerKeys == [])
    #expect(history.folded == [0: .max, 1: 1])
    try history.admit(2, by: 0)
    #expect(Trust(history.input).formerKeys == [try TrustHistory.key(1)])
    #expect(history.folded == [0: .max, 1: 1, 2: .max])
  }
}
