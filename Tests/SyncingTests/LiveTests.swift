import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Sessions that stay open after both sides have the same events.
struct LiveTests {
  /// Two sides that have synced and stay connected.
  static func pair(
    _ left: MemoryHolder, _ right: MemoryHolder,
    clock: SimulatedTimekeeper = SimulatedTimekeeper(now: Moment(milliseconds: 0))
  ) -> (dialler: Talker, listener: Talker) {
    var dialler = Talker(.dialler, left, stays: true, clock: clock)
    var listener = Talker(.listener, right, stays: true, clock: clock)
    syncOutcome(&dialler, &listener)
    return (dialler, listener)
  }

  @Test(arguments: [true, false])
  func `Live session: new events are sent once and cause only an acknowledgement`(
    isDialler: Bool
  ) throws {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    var (dialler, listener) = Self.pair(anna, bert)
    #expect(dialler.state == .settled && listener.state == .settled)
    let holder = isDialler ? anna : bert
    for text in ["new", "newer"] {
      holder.write([text], to: holder.replica)
      for _ in 0..<2 {
        dialler.conversation.announceNews()
        listener.conversation.announceNews()
      }
      let arrivals = anna.arrivals + bert.arrivals
      let said = syncOutcome(&dialler, &listener)
      #expect(anna.frontier == bert.frontier)
      #expect(anna.arrivals + bert.arrivals == arrivals + 1)
      let back = try ConversationTests.messages(isDialler ? said.listener : said.dialler)
      #expect(back.count == 1)
      #expect(dialler.state == .settled && listener.state == .settled)
    }
    dialler.conversation.announceNews()
    listener.conversation.announceNews()
    #expect(!dialler.conversation.hasOutgoing && !listener.conversation.hasOutgoing)
  }

  @Test func `Live session: common places are bounded and include the latest`() {
    func place(_ sequence: UInt64) -> Frontier {
      let hash = Digest([UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: 32))
      return Frontier([Place(log: .anna, sequence: sequence, hash: hash)])
    }
    func hello(_ replica: UniqueID, _ frontier: Frontier) -> Hello {
      Hello(book: .book, replica: replica, frontier: frontier, stays: true)
    }
    var session = Session(.listener, hello: hello(.bert, .nothing))
    func hear(_ message: Message) -> [Session.Effect]? {
      session.receive(message.encoded)
      return session.next()
    }
    _ = hear(.hello(hello(.anna, place(1))))
    _ = session.greeted(with: hello(.bert, .nothing), telling: .nothing, holdingAll: false)
    #expect(hear(.have(.nothing, ends: 0)) == [.stream])
    _ = session.sent(.nothing, holding: .nothing)
    for sequence: UInt64 in 2...1_000 {
      #expect(hear(.frame(log: .anna, [1])) == [.stage(log: .anna, frame: [1])])
      #expect(hear(.end(place(sequence))) == [.commit])
      _ = session.committed(.nothing)
      #expect(session.common.tells(of: place(sequence).places[0]))
    }
    #expect(session.common.places.count < 300)
    #expect(session.peerFrontier == place(1_000))
  }

  @Test func `Live session: a peer's reach is its last known place on the log`() throws {
    let anna = SessionTests.anna()
    let places = ["a1", "a3"].flatMap { anna.place(of: $0, in: .anna) }
    let unknown = Place(log: .anna, sequence: 4, hash: places[0].hash)
    #expect(try anna.reach(of: .anna, by: []) == 0)
    #expect(try anna.reach(of: .anna, by: places) == 3)
    #expect(try anna.reach(of: .anna, by: places + [unknown]) == 3)
    let forked = ForkTests.holder(.anna, ["x1"])
    forked.write(["y1"], to: .cleo, behind: forked.hash(of: "t20", in: .cleo))
    #expect(try forked.reach(of: .cleo, by: forked.place(of: "t9", in: .cleo)) == nil)
  }

  @Test func `Live session: both sides can send news at the same time`() {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    var (dialler, listener) = Self.pair(anna, bert)
    for number in 0..<5 {
      anna.write(["a\(number)"], to: .anna)
      bert.write(["b\(number)"], to: .bert)
      dialler.conversation.announceNews()
      listener.conversation.announceNews()
      let (there, back) = (dialler.takeOutgoing(), listener.takeOutgoing())
      listener.hear(there)
      dialler.hear(back)
    }
    syncOutcome(&dialler, &listener)
    #expect(anna.frontier == bert.frontier)
    #expect(dialler.state == .settled && listener.state == .settled)
  }

  @Test func `Live session: news of one peer is forwarded to the others but not returned`() throws {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    let cleo = MemoryHolder(.cleo)
    var (one, other) = (Self.pair(anna, bert), Self.pair(cleo, bert))
    anna.write(["new"], to: .anna)
    one.dialler.conversation.announceNews()
    syncOutcome(&one.dialler, &one.listener)
    let arrivals = anna.arrivals
    one.listener.conversation.announceNews()
    other.listener.conversation.announceNews()
    syncOutcome(&one.dialler, &one.listener)
    syncOutcome(&other.dialler, &other.listener)
    #expect(cleo.texts(of: .anna).last == "new")
    #expect(anna.arrivals == arrivals)
    #expect(one.listener.state == .settled && other.listener.state == .settled)
  }

  @Test func `Live session: news during a long transfer is sent after it`() {
    let (anna, bert) = ConversationTests.two(9)
    var dialler = Talker(.dialler, anna, stays: true)
    var listener = Talker(.listener, bert, stays: true)
    listener.hear(dialler.takeOutgoing())
    dialler.hear(listener.takeOutgoing())
    listener.hear(dialler.conversation.outgoing(upTo: 300))
    anna.write(["late"], to: .anna)
    dialler.conversation.announceNews()
    syncOutcome(&dialler, &listener)
    #expect(bert.texts(of: .anna).last == "late")
    #expect(bert.arrivals == 10)
    #expect(dialler.state == .settled && listener.state == .settled)
  }

  @Test(arguments: [true, false])
  func `Live session: it ends if one side does not stay connected`(isDialler: Bool) {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    var dialler = Talker(.dialler, anna, stays: isDialler)
    var listener = Talker(.listener, bert, stays: !isDialler)
    syncOutcome(&dialler, &listener)
    #expect(dialler.state == .finished)
    #expect(listener.state == .settled)
    bert.write(["late"], to: .bert)
    listener.conversation.announceNews()
    #expect(!listener.conversation.hasOutgoing)
    // A finished side loses nothing if the line breaks.
    listener.conversation.lineBroke(.network(.cut))
    #expect(listener.state == .finished)
  }

  @Test func `Live session: idle sides send alive messages and detect a silent peer`() throws {
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    var (dialler, listener) = Self.pair(SessionTests.anna(), SessionTests.bert(), clock: clock)
    for _ in 0..<5 {
      clock.advance(milliseconds: 60_000)
      #expect(dialler.conversation.deadline == clock.monotonicMilliseconds())
      dialler.conversation.tick()
      listener.conversation.tick()
      let said = syncOutcome(&dialler, &listener)
      #expect(try ConversationTests.messages(said.dialler) == [.alive])
      #expect(try ConversationTests.messages(said.listener) == [.alive])
    }
    for milliseconds: Int64 in [60_000, 60_000, 29_999] {
      clock.advance(milliseconds: milliseconds)
      dialler.conversation.tick()
      _ = dialler.takeOutgoing()
      #expect(dialler.state == .settled)
    }
    clock.advance(milliseconds: 1)
    dialler.conversation.tick()
    #expect(dialler.state == .failed(.network(.timedOut)))
  }

  @Test func `Live session: a peer may store for ten minutes before it times out`() {
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    let (anna, bert) = ConversationTests.two(2)
    var dialler = Talker(.dialler, anna, clock: clock)
    var listener = Talker(.listener, bert, clock: clock)
    listener.hear(dialler.takeOutgoing())
    dialler.hear(listener.takeOutgoing())
    #expect(!dialler.takeOutgoing().isEmpty)
    clock.advance(milliseconds: 599_000)
    dialler.conversation.tick()
    #expect(dialler.state == .talking)
    clock.advance(milliseconds: 2_000)
    dialler.conversation.tick()
    #expect(dialler.state == .failed(.tooSlow))
  }

  @Test func `Live session: a finished peer that keeps the line open is disconnected`() {
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    var dialler = Talker(.dialler, SessionTests.anna(), clock: clock)
    var listener = Talker(.listener, SessionTests.bert(), clock: clock)
    syncOutcome(&dialler, &listener)
    clock.advance(milliseconds: 29_999)
    listener.conversation.tick()
    #expect(listener.state == .settled)
    clock.advance(milliseconds: 1)
    listener.conversation.tick()
    #expect(listener.state == .finished)
  }

  /// The error of a listener with the same events as the dialler after it receives a message.
  private func answer(to message: Message, stays: Bool) -> SyncError? {
    var (dialler, listener) = (
      Talker(.dialler, SessionTests.anna(), stays: stays),
      Talker(.listener, SessionTests.anna(), stays: true)
    )
    syncOutcome(&dialler, &listener)
    listener.hear(message.encoded)
    guard case .unexpected? = listener.failure else { return listener.failure }
    return .unexpected(at: 0)
  }

  @Test func `Live session: a message out of turn is refused`() throws {
    let hello = SessionTests.anna().hello
    let place = SessionTests.anna().place(of: "a3", in: .anna)
    var frame: [UInt8] = []
    try SessionTests.anna().forEachFrame(of: .anna, lackedBy: place) { frame = $0 }
    let never: [Message] = [
      .hello(hello), .end(.nothing), .have(.nothing, ends: 1),
      .prove(Proof(code: place[0].hash, name: "phone", port: nil)),
    ]
    for message in never {
      #expect(answer(to: message, stays: true) == .unexpected(at: 0))
      #expect(answer(to: message, stays: false) == .unexpected(at: 0))
    }
    for message in [Message.alive, .frame(log: .anna, frame)] {
      #expect(answer(to: message, stays: true) == nil)
      #expect(answer(to: message, stays: false) == .unexpected(at: 0))
    }
  }
}
