import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

extension Proof {
  static var shown: Proof {
    Proof(code: Digest([UInt8](repeating: 0xaa, count: 32)), name: "phone", port: nil)
  }
}

/// Callers with and without an invitation.
struct ProofTests {
  /// Accepts one proof and then writes an event.
  private final class Door {
    let holder: MemoryHolder
    var shown: [Proof] = []
    var refusal: Refusal.Code?
    /// Whether the user is asked.
    var asks = false

    func letIn() { holder.write(["welcome"], to: .bert) }

    init(_ holder: MemoryHolder) { self.holder = holder }

    func admissionCheck(asksForProof: Bool) -> AdmissionCheck {
      AdmissionCheck(asksForProof: asksForProof) { [self] proof throws(SyncError) in
        shown.append(proof)
        if let refusal { throw .unwelcome(refusal) }
        if asks { return .asking }
        letIn()
        return .welcome
      }
    }
  }

  @Test(arguments: [true, false])
  func `Proof: an admitted dialler receives its admission in the same session`(
    asksForProof: Bool
  ) {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    let door = Door(bert)
    var dialler = Talker(.dialler, anna, proof: .shown)
    var listener = Talker(
      .listener, bert, admissionCheck: door.admissionCheck(asksForProof: asksForProof))
    syncOutcome(&dialler, &listener, piece: 7)
    #expect(door.shown == [.shown])
    #expect(dialler.isFinished && listener.isFinished)
    #expect(SessionTests.contents(anna)[.bert] == ["b1", "b2", "b3", "welcome"])
    #expect(SessionTests.contents(anna) == SessionTests.contents(bert))
    // The events that it wrote itself were not received.
    #expect(listener.report.received == [.anna: 2, .cleo: 1])
  }

  @Test func `Proof: a report does not count the admission as received from the dialler`() throws {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    let wire = try LinePeerTests.Wire()
    let clock = wire.machine.timekeeper
    let admissionCheck = Door(bert).admissionCheck(asksForProof: true)
    var dialler = LinePeer(
      .dialler, over: wire.dialler, holder: anna, timekeeper: clock, proof: .shown)
    var listener = LinePeer(
      .listener, over: wire.listener, holder: bert, timekeeper: clock,
      admissionCheck: admissionCheck)
    try LinePeerTests.run(&dialler, &listener)
    #expect(listener.report.received == [.anna: 2, .cleo: 1])
    #expect(dialler.report.received == [.bert: 4])
  }

  @Test func `Proof: a dialler without the required proof learns nothing`() {
    let bert = SessionTests.bert()
    let door = Door(bert)
    var dialler = Talker(.dialler, SessionTests.anna())
    var listener = Talker(.listener, bert, admissionCheck: door.admissionCheck(asksForProof: true))
    let said = syncOutcome(&dialler, &listener)
    #expect(said.listener == Message.refusal(Refusal(.notInvited, "I do not know you")).encoded)
    #expect(listener.failure == .unwelcome(.notInvited))
    #expect(dialler.failure == .refused(Refusal(.notInvited, "I do not know you")))
    #expect(door.shown == [])
  }

  @Test func `Proof: a dialler with a used invitation learns only the reason`() {
    let bert = SessionTests.bert()
    let door = Door(bert)
    door.refusal = .usedInvitation
    var dialler = Talker(.dialler, SessionTests.anna(), proof: .shown)
    var listener = Talker(.listener, bert, admissionCheck: door.admissionCheck(asksForProof: true))
    let said = syncOutcome(&dialler, &listener)
    let refusal = Refusal(.usedInvitation, "the invitation has already been used")
    #expect(said.listener == Message.refusal(refusal).encoded)
    #expect(listener.failure == .unwelcome(.usedInvitation))
    #expect(SessionTests.contents(bert) == SessionTests.contents(SessionTests.bert()))
  }

  /// Both sides of a session in which the listener's user is asked, up to the point at which the dialler knows this.
  private static func asking(_ door: Door) -> (dialler: Talker, listener: Talker) {
    door.asks = true
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    var dialler = Talker(.dialler, SessionTests.anna(), proof: .shown, clock: clock)
    var listener = Talker(
      .listener, door.holder, admissionCheck: door.admissionCheck(asksForProof: true), clock: clock)
    let said = syncOutcome(&dialler, &listener)
    #expect(said.listener == Message.asking.encoded)
    #expect(dialler.conversation.progress.awaitsUser)
    return (dialler, listener)
  }

  @Test func `Proof: a dialler admitted by the user syncs all events sent in the meantime`() {
    let bert = SessionTests.bert()
    let door = Door(bert)
    var (dialler, listener) = Self.asking(door)
    door.letIn()
    listener.conversation.answer(refusing: nil)
    syncOutcome(&dialler, &listener)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(!dialler.conversation.progress.awaitsUser)
    #expect(SessionTests.contents(bert)[.anna] == ["a1", "a2", "a3", "a4"])
    #expect(dialler.report.received == [.bert: 4])
    // A second answer has no effect.
    listener.conversation.answer(refusing: .unwelcome(.declined))
    #expect(listener.isFinished)
  }

  @Test func `Proof: a dialler declined by the user learns only the refusal`() {
    let bert = SessionTests.bert()
    var (dialler, listener) = Self.asking(Door(bert))
    listener.conversation.answer(refusing: .unwelcome(.declined))
    let refusal = Refusal(.declined, "my user did not let you in")
    #expect(syncOutcome(&dialler, &listener).listener == Message.refusal(refusal).encoded)
    #expect(dialler.failure == .refused(refusal))
    #expect(SessionTests.contents(bert) == SessionTests.contents(SessionTests.bert()))
  }

  @Test func `Proof: a user question times out after two minutes`() {
    var (dialler, listener) = Self.asking(Door(SessionTests.bert()))
    listener.clock.advance(milliseconds: 119_999)
    for side in [dialler, listener] {
      var waiting = side
      waiting.conversation.tick()
      #expect(waiting.failure == nil)
    }
    listener.clock.advance(milliseconds: 1)
    listener.conversation.tick()
    #expect(listener.failure == .unwelcome(.unanswered))
    dialler.conversation.tick()
    #expect(dialler.failure == nil)
    // Unless the listener has disconnected, the dialler learns the reason.
    var alone = dialler
    listener.clock.advance(milliseconds: 10_000)
    alone.conversation.tick()
    #expect(alone.failure == .tooSlow)
    dialler.hear(listener.takeOutgoing())
    #expect(dialler.failure == .refused(Refusal(.unanswered, "my user did not answer in time")))
  }

  @Test func `Proof: a dialler that hangs up while the user decides is not admitted`() {
    var (_, listener) = Self.asking(Door(SessionTests.bert()))
    listener.hear([])
    #expect(listener.failure == .cut)
    listener.conversation.answer(refusing: nil)
    #expect(listener.failure == .cut)
  }

  @Test func `Proof: asking is accepted once, and only by a dialler with a proof`() {
    let asking = Message.asking.encoded
    var uninvited = Talker(.dialler, SessionTests.anna())
    uninvited.hear(asking)
    #expect(uninvited.failure == .unexpected(at: 0))
    var invited = Talker(.dialler, SessionTests.anna(), proof: .shown)
    invited.hear(asking + asking)
    #expect(invited.failure == .unexpected(at: asking.count))
    var listener = Talker(.listener, SessionTests.bert())
    listener.hear(asking)
    #expect(listener.failure == .unexpected(at: 0))
  }

  @Test func `Proof: a proof is accepted once, before the hello, and only by a listener`() {
    let bert = SessionTests.bert()
    let hello = Message.hello(SessionTests.anna().hello).encoded
    let proof = Message.prove(.shown).encoded
    for said in [proof + proof, hello + proof] {
      var listener = Talker(
        .listener, bert, admissionCheck: Door(bert).admissionCheck(asksForProof: false))
      listener.hear(said)
      #expect(listener.failure == .unexpected(at: said.count - proof.count))
    }
    var dialler = Talker(.dialler, SessionTests.anna())
    dialler.hear(proof)
    #expect(dialler.failure == .unexpected(at: 0))
    // A holder without open invitations accepts no proof.
    var plain = Talker(.listener, bert)
    plain.hear(proof)
    #expect(plain.failure == .unwelcome(.wrongProof))
  }

  @Test(arguments: [
    ("no name", "8405" + VectorTests.digest + "60f6"),
    ("a name with a line feed", "8405" + VectorTests.digest + "610af6"),
    ("a short code", "8405" + "41076170f6"),
    ("port 0", "8405" + VectorTests.digest + "617000"),
    ("a port above 65,535", "8405" + VectorTests.digest + "61701a00010000"),
    ("too few elements", "8305" + VectorTests.digest + "6170"),
    ("a secret name of one byte", "8505" + VectorTests.digest + "6170f6" + "4101"),
    (
      "a long name",
      "8405" + VectorTests.digest + "7865" + String(repeating: "61", count: 101) + "f6"
    ),
  ])
  func `Proof: a malformed proof is refused`(name: String, hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    var reader = MessageReader()
    reader.append([0, 0, 0, UInt8(bytes.count)] + bytes)
    #expect(throws: SyncError.self, "\(name)") { try reader.next() }
  }

  @Test func `Proof: additions of later versions are ignored`() throws {
    let name = UniqueID.id(0x77)
    let hex = "8605" + VectorTests.digest + "6570686f6e65" + "f6" + "50" + name.hex + "8101"
    let bytes = try #require(Hex.decode(hex))
    var reader = MessageReader()
    reader.append([0, 0, 0, UInt8(bytes.count)] + bytes)
    var expected = Proof.shown
    expected.secretName = name
    #expect(try reader.next() == .prove(expected))
    // The proof is encoded without the addition.
    #expect(Message.prove(expected).encoded.count == 4 + bytes.count - 2)
  }
}
