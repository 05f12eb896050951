import Bytes
import Crypto
import Journaling
import Testing

@Suite struct TrustTests {
  @Test func `Trust: logs of the founder and of all admitted devices are folded`() throws {
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

  @Test func `Trust: without the founder's log, no device is known`() throws {
    var history = TrustHistory()
    try history.begin(1, key: 1)
    try history.admit(2, by: 1)
    let trust = Trust(history.input)
    #expect(trust.founder == nil)
    #expect(trust.known == [])
    #expect(trust.admitted == [:])
    #expect(trust.names == [TrustHistory.log(1): "device 1"])
  }

  @Test func `Trust: an admission by an unknown device has no effect`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.begin(2, key: 2)
    try history.admit(1, by: 2)
    try history.admit(2, by: 1)
    #expect(history.folded == [0: .max])
  }

  @Test func `Trust: a revocation keeps the named events and cuts the key's other logs`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    try history.begin(2, key: 1, events: 9)
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 5)])
    #expect(history.folded == [0: .max, 1: 5, 2: 0])
  }

  @Test func `Trust: a cut is rounded down to a whole command`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    history.logs[TrustHistory.log(1)]?.commandEnds = [1, 3, 7, 9]
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 6)])
    #expect(history.folded == [0: .max, 1: 3])
  }

  @Test func `Trust: events that are kept with one sequence differ by their hashes`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    try history.admit(1, by: 0)
    // The log has lost an event and has another one in its place.
    let held = history.landmark(1, 6)
    var (lost, wrong) = (held, held)
    (lost.hash, wrong.hash) = (UniqueID(high: 0, low: 1), UniqueID(high: 0, low: 2))
    func cut(keeping kept: Landmark) throws -> UInt64? {
      var revoked = history
      try revoked.revoke(1, by: 0, keeping: [kept])
      var input = revoked.input
      input.keptEnds[lost.mark] = EventName(log: lost.log, sequence: 4)
      return Trust(input).cuts[TrustHistory.log(1)]
    }
    #expect(try [held, lost, wrong].map(cut) == [6, 4, 0])
  }

  @Test func `Trust: a kept event is found by its hash, whatever the id in the revocation`() throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 4)
    try history.begin(2, key: 1, events: 9)
    history.branch(3, from: 1, after: 4, events: 5)
    history.branch(4, from: 1, after: 4, events: 5)
    try history.admit(1, by: 0)
    // The id of the log itself, of a trunk, of another branch, of another log, and of a branch that is not held.
    for id in [3, 1, 4, 2, 9] {
      var revoked = history
      var kept = history.landmark(3, 7)
      kept.log = TrustHistory.log(id)
      try revoked.revoke(1, by: 0, keeping: [kept])
      #expect(revoked.folded == [0: .max, 1: 4, 2: 0, 3: 7, 4: 0], "named \(id)")
    }
  }

  @Test func `Trust: a kept event within the first command of a branch keeps only the trunk`()
    throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 4)
    history.branch(2, from: 1, after: 4, events: 5)
    history.branch(3, from: 1, after: 4, events: 5)
    history.logs[TrustHistory.log(2)]?.commandEnds = [4, 7, 9]
    try history.admit(1, by: 0)
    try history.revoke(1, by: 0, keeping: [history.landmark(2, 6)])
    #expect(history.folded == [0: .max, 1: 4, 2: 0, 3: 0])
  }

  @Test(arguments: [[5, 3], [3, 5]] as [[UInt64]])
  func `Trust: the lowest cut applies, in any order`(ends: [UInt64]) throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 9)
    try history.admit(1, by: 0)
    for end in ends { try history.revoke(1, by: 0, keeping: [history.landmark(1, end)]) }
    #expect(history.folded == [0: .max, 1: 3])
  }

  @Test func `Trust: a revocation applies even beyond its author's own cut`() throws {
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

  @Test func `Trust: an admission beyond its author's cut makes a key known but not admitted`()
    throws
  {
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

  @Test func `Trust: a cut at a wrong hash or a missing event keeps no events`() throws {
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

  @Test func `Trust: two books become one when one admits all keys of the other`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0)
    // The other book, which has its own founder.
    try history.begin(5, key: 5)
    try history.begin(6, key: 6, events: 3)
    try history.admit(6, by: 5)
    #expect(history.folded == [0: .max, 1: .max])
    try history.admit(5, by: 1)
    try history.admit(6, by: 1)
    #expect(history.folded == [0: .max, 1: .max, 5: .max, 6: .max])
  }

  @Test func `Trust: a key revoked in another book stays cut after its revoker is admitted`() throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(5, key: 5)
    try history.begin(6, key: 6, events: 3)
    try history.admit(6, by: 5)
    try history.revoke(6, by: 5, keeping: [history.landmark(6, 2)])
    try history.admit(5, by: 0)
    #expect(history.folded == [0: .max, 5: .max, 6: 2])
  }

  @Test func `Trust: devices that revoke each other are both cut, and neither stays trusted`()
    throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0)
    try history.revoke(0, by: 1, keeping: [history.landmark(0, 2)])
    try history.revoke(1, by: 0, keeping: [history.landmark(1, 1)])
    #expect(history.folded == [0: 2, 1: 1])
    #expect(!Trust(history.input).hasTrustedDevice)
  }

  @Test
  func `Trust: revoking a founder from before its admissions removes the devices it admitted`()
    throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0)
    try history.revoke(0, by: 1)
    #expect(history.folded == [0: 0])
    #expect(!Trust(history.input).hasTrustedDevice)
  }

  @Test func `Trust: a book founded again folds only old logs of the admitted devices`() throws {
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

  @Test func `Trust: the admission with the highest naming number determines the name`() throws {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1)
    try history.admit(1, by: 0, as: "phone")
    history.pass(0, events: 7)
    try history.admit(1, by: 0, as: "phone")
    try history.admit(1, by: 1, as: "tablet", naming: 1)
    #expect(Trust(history.input).names[TrustHistory.log(1)] == "tablet")
  }

  @Test func `Trust: of two first events, the held one names the device, else that of lowest hash`()
    throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    var input = history.input
    var other = input.events[0]
    guard case .open(var opening) = other.verb else { return }
    opening.name = "another"
    other.verb = .open(opening)
    other.place.hash = UniqueID(high: 0, low: 1)
    for events in [input.events + [other], [other] + input.events] {
      input.events = events
      // The other event has the lower hash.
      for (lost, name) in [
        ([], "another"), ([other.place], "device 0"),
        (Set(input.events.map(\.place)), "another"),
      ] as [(Set<Landmark>, String)] {
        input.lost = lost
        #expect(Trust(input).names == [TrustHistory.log(0): name])
      }
    }
  }

  @Test func `Trust: the last valid admission determines the name`() throws {
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

  @Test func `Trust: keeping an event of a branch keeps its trunk and cuts the other branch`()
    throws
  {
    var history = TrustHistory()
    try history.begin(0, key: 0)
    try history.begin(1, key: 1, events: 4)
    history.branch(2, from: 1, after: 4, events: 5)
    history.branch(3, from: 1, after: 4, events: 5)
    try history.admit(1, by: 0)
    #expect(history.folded == [0: .max, 1: .max, 2: .max, 3: .max])
    // The landmark was written before the fork was known, so it names the branch by the id of the log.
    var early = history.landmark(2, 7)
    early.log = TrustHistory.log(1)
    try history.revoke(1, by: 0, keeping: [early])
    #expect(history.folded == [0: .max, 1: 4, 2: 7, 3: 0])
  }

  @Test func `Trust: a cut before a fork removes all branches`() throws {
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
