import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// The messages that the two sides of a conversation send, and their order.
struct ConversationTests {
  /// Holders whose frames have one event each.
  static func two(_ count: Int) -> (anna: MemoryHolder, bert: MemoryHolder) {
    let anna = MemoryHolder(.anna).write((0..<count).map { "a\($0)" }, to: .anna)
    let bert = MemoryHolder(.bert).write((0..<count).map { "b\($0)" }, to: .bert)
    for holder in [anna, bert] { holder.eventsPerFrame = 1 }
    return (anna, bert)
  }

  static func messages(_ bytes: [UInt8]) throws -> [Message] {
    var reader = MessageReader()
    reader.append(bytes)
    var messages: [Message] = []
    while let message = try reader.next() { messages.append(message) }
    return messages
  }

  /// For each acknowledgement in the bytes, Anna's last stored event and the number of ends.
  private static func told(_ bytes: [UInt8]) throws -> [[UInt64]] {
    try messages(bytes).compactMap { message in
      guard case .have(let frontier, let ends) = message else { return nil }
      return [frontier.sequence(of: .anna), ends]
    }
  }

  @Test func `Conversation: two sides with the same events exchange only hellos`() throws {
    let (anna, bert) = (SessionTests.anna(), SessionTests.bert())
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener)
    let commits = anna.commits + bert.commits
    (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    let said = syncOutcome(&dialler, &listener)
    #expect(said.dialler == Message.hello(anna.hello).encoded)
    #expect(said.listener == Message.hello(bert.hello).encoded)
    #expect(said.dialler.count + said.listener.count < 1_024)
    #expect(dialler.state == .finished)
    #expect(listener.state == .settled)
    #expect(dialler.report.traffic.roundTrips == 1)
    #expect(anna.commits + bert.commits == commits)
    listener.hear([])
    #expect(listener.state == .finished)
  }

  @Test func `Conversation: two sides with the same hole still compare all places`() {
    let (left, right) = (HoleTests.two().holed, HoleTests.two().holed)
    var (dialler, listener) = (Talker(.dialler, left), Talker(.listener, right))
    syncOutcome(&dialler, &listener)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(dialler.report.traffic.roundTrips == 2)
  }

  @Test func `Conversation: a listener sends its frames before the dialler's frames arrive`() throws
  {
    let (anna, bert) = Self.two(2)
    var listener = Talker(.listener, bert)
    listener.hear(Message.hello(anna.hello).encoded)
    #expect(try Self.messages(listener.takeOutgoing()) == [.hello(bert.hello)])
    listener.hear(Message.have(.nothing, ends: 0).encoded)
    let said = try Self.messages(listener.takeOutgoing())
    #expect(said.count == 3)
    #expect(said.last == .end(.nothing))
    #expect(bert.departures == 2)
  }

  @Test func `Conversation: outgoing messages are delivered before received frames are stored`()
    throws
  {
    let (anna, bert) = Self.two(2)
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    listener.hear(dialler.takeOutgoing())
    dialler.hear(listener.takeOutgoing())
    listener.hear(dialler.takeOutgoing())
    #expect(bert.commits == 0)
    let portion = listener.conversation.outgoing(upTo: Portion.chunkBytes)
    #expect(try Self.messages(portion).last == .end(.nothing))
    #expect(bert.commits == 0)
    // The conversation is driven either by incoming or by outgoing data.
    var other = listener
    other.hear(Message.alive.encoded)
    #expect(bert.commits == 1)
    #expect(try Self.told(other.takeOutgoing()) == [[2, 1]])
  }

  @Test func `Conversation: received frames are stored at the end and when the line breaks`() throws
  {
    for isCut in [false, true] {
      let (anna, bert) = Self.two(2)
      var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
      listener.hear(dialler.takeOutgoing())
      dialler.hear(listener.takeOutgoing())
      listener.hear(dialler.takeOutgoing())
      if isCut {
        listener.conversation.lineBroke(.network(.cut))
      } else {
        _ = listener.takeOutgoing()
      }
      #expect(bert.commits == 1)
      #expect(bert.texts(of: .anna) == ["a0", "a1"])
    }
  }

  @Test func `Conversation: a listener sends everything after its hello to a peer without a book`()
    throws
  {
    let (anna, bert) = (MemoryHolder(.anna, book: nil), Self.two(2).bert)
    var listener = Talker(.listener, bert)
    listener.hear(Message.hello(anna.hello).encoded)
    #expect(try Self.messages(listener.takeOutgoing()).count == 4)
    listener.hear(Message.have(.nothing, ends: 0).encoded + Message.end(.nothing).encoded)
    // Nothing is sent twice.
    #expect(try Self.messages(listener.takeOutgoing()) == [.have(.nothing, ends: 1)])
  }

  @Test func `Conversation: frames are created as the line accepts them`() {
    let (anna, bert) = Self.two(20)
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    listener.hear(dialler.takeOutgoing())
    dialler.hear(listener.takeOutgoing())
    #expect(anna.departures == 0)
    for most in 1...5 {
      #expect(dialler.conversation.outgoing(upTo: 100).count == 100)
      #expect(anna.departures <= most)
    }
    #expect(dialler.conversation.hasOutgoing)
    syncOutcome(&dialler, &listener)
    #expect(anna.departures == 20)
  }

  @Test func `Conversation: a side that cannot read refuses as busy, and a retry transfers all`() {
    let (anna, bert) = Self.two(2)
    let trouble = JournalError.disk(DiskError(.read, Path("/book"), .io))
    anna.trouble = trouble
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener)
    #expect(dialler.failure == .journal(trouble))
    #expect(listener.failure == .refused(Refusal(.busy, "my disk cannot store the events")))
    #expect(bert.texts(of: .anna) == [])
    anna.trouble = nil
    (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(bert.texts(of: .anna) == ["a0", "a1"])
    #expect(anna.texts(of: .bert) == ["b0", "b1"])
  }

  @Test func `Conversation: progress is computed from both hellos`() {
    let (anna, bert) = (Self.two(20).anna, Self.two(10).bert)
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    #expect(dialler.conversation.progress.total == 0)
    listener.hear(dialler.takeOutgoing())
    dialler.hear(listener.takeOutgoing())
    #expect(dialler.conversation.progress == SyncProgress(sent: 0, received: 0, total: 30))
    syncOutcome(&dialler, &listener)
    for talker in [dialler, listener] { #expect(talker.conversation.progress.done == 30) }
    #expect(dialler.conversation.progress == SyncProgress(sent: 20, received: 10, total: 30))
  }

  @Test func `Conversation: each portion is stored and acknowledged`() throws {
    let (anna, bert) = Self.two(9)
    var dialler = Talker(.dialler, anna)
    var listener = Talker(.listener, bert, stagedBytes: 400)
    let said = syncOutcome(&dialler, &listener)
    #expect(try Self.told(said.listener) == [[3, 0], [6, 0], [9, 1]])
    #expect(bert.commits == 3)
  }

  /// The state after a session in which only the dialler's first bytes arrived.
  private struct Cut {
    let anna: MemoryHolder
    let bert: MemoryHolder
    var total = 0
    /// The dialler's last event that the listener has acknowledged as stored.
    var acknowledged: UInt64 = 0

    init(after count: Int) {
      (anna, bert) = ConversationTests.two(4)
      var dialler = Talker(.dialler, anna, stagedBytes: 250)
      var listener = Talker(.listener, bert, stagedBytes: 250)
      while true {
        let (there, back) = (dialler.takeOutgoing(), listener.takeOutgoing())
        if there.isEmpty && back.isEmpty { break }
        for part in pieces(of: Array(there.prefix(max(0, count - total))), 50) {
          listener.hear(part)
          let answer = listener.takeOutgoing()
          if !answer.isEmpty { dialler.hear(answer) }
        }
        if !back.isEmpty { dialler.hear(back) }
        total += there.count
      }
      dialler.conversation.lineBroke(.network(.cut))
      listener.conversation.lineBroke(.network(.cut))
      acknowledged = dialler.report.peerFrontier.sequence(of: .anna)
    }
  }

  @Test func `Conversation: after a cut at any byte, acknowledged events are not sent again`() {
    let total = Cut(after: .max).total
    #expect(total > 700)
    var seen: Set<UInt64> = []
    for count in 1..<total {
      let cut = Cut(after: count)
      let held = cut.bert.frontier.sequence(of: .anna)
      #expect(held >= cut.acknowledged)
      seen.insert(cut.acknowledged)
      let arrivals = (cut.anna.arrivals, cut.bert.arrivals)
      let lacked = 4 - cut.anna.frontier.sequence(of: .bert)
      var (dialler, listener) = (Talker(.dialler, cut.anna), Talker(.listener, cut.bert))
      syncOutcome(&dialler, &listener)
      #expect(cut.bert.arrivals - arrivals.1 == Int(4 - held), "cut at \(count)")
      #expect(cut.anna.arrivals - arrivals.0 == Int(lacked), "cut at \(count)")
      #expect(cut.anna.frontier == cut.bert.frontier)
    }
    // There were several portions, so the line was cut between them.
    #expect(seen == [0, 2, 4])
  }

  @Test(.timeLimit(.minutes(1)), arguments: [1, 99, 500, 100_000])
  func `Conversation: both sides send more than their lines can buffer`(room: Int) throws {
    let network = SimulatedNetwork(room: room)
    let clock = SimulatedTimekeeper(now: Moment(milliseconds: 0))
    let door = try network.listen(host: "here", port: 7)
    let line = try network.dial(host: "here", port: 7, patienceMilliseconds: 0)
    let caller = try #require(try door.accept(patienceMilliseconds: 0))
    let (anna, bert) = Self.two(60)
    var dialler = LinePeer(.dialler, over: line, holder: anna, timekeeper: clock)
    var listener = LinePeer(.listener, over: caller, holder: bert, timekeeper: clock)
    try LinePeerTests.run(&dialler, &listener)
    #expect(anna.frontier == bert.frontier)
    #expect(anna.frontier.places.map(\.sequence) == [60, 60])
  }
}
