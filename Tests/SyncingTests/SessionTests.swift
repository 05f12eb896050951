import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// One side of a session, with its outgoing bytes.
struct Talker {
  var conversation: Conversation
  let clock: SimulatedTimekeeper

  init(
    _ role: Session.Role, _ holder: any Holder, proof: Proof? = nil,
    admissionCheck: AdmissionCheck = .open,
    stays: Bool = false, stagedBytes: Int = Portion.stagedBytes,
    clock: SimulatedTimekeeper = SimulatedTimekeeper(now: Moment(milliseconds: 0))
  ) {
    self.clock = clock
    conversation = Conversation(
      role, holder: holder, timekeeper: clock, proof: proof, admissionCheck: admissionCheck,
      stays: stays,
      stagedBytes: stagedBytes)
    conversation.start()
  }

  var report: SessionReport { conversation.report }

  var state: Conversation.State { conversation.state }

  var failure: SyncError? { if case .failed(let error) = state { error } else { nil } }

  var isFinished: Bool { state == .finished || state == .settled }

  /// An empty array means that the other side has closed the line.
  mutating func hear(_ bytes: [UInt8]) { conversation.receive(bytes) }

  mutating func takeOutgoing() -> [UInt8] {
    var said: [UInt8] = []
    while conversation.hasOutgoing { said += conversation.outgoing(upTo: 1_000) }
    return said
  }
}

/// Runs two sides until neither sends any data, and returns all bytes that each has sent.
@discardableResult
func syncOutcome(
  _ dialler: inout Talker, _ listener: inout Talker, piece: Int = .max
) -> (dialler: [UInt8], listener: [UInt8]) {
  var said: (dialler: [UInt8], listener: [UInt8]) = ([], [])
  while true {
    let (there, back) = (dialler.takeOutgoing(), listener.takeOutgoing())
    if there.isEmpty && back.isEmpty { return said }
    said.dialler += there
    said.listener += back
    for part in pieces(of: there, piece) { listener.hear(part) }
    for part in pieces(of: back, piece) { dialler.hear(part) }
  }
}

func pieces(of bytes: [UInt8], _ count: Int) -> [[UInt8]] {
  var (rest, parts) = (bytes[...], [[UInt8]]())
  while !rest.isEmpty {
    parts.append(Array(rest.prefix(count)))
    rest = rest.dropFirst(count)
  }
  return parts
}

struct SessionTests {
  static func anna() -> MemoryHolder {
    MemoryHolder(.anna).write(["a1", "a2", "a3", "a4"], to: .anna).write(["c1", "c2"], to: .cleo)
  }

  static func bert() -> MemoryHolder {
    MemoryHolder(.bert).write(["b1", "b2", "b3"], to: .bert).write(["a1", "a2"], to: .anna)
      .write(["c1"], to: .cleo)
  }

  static let united: [UniqueID: [String]] = [
    .anna: ["a1", "a2", "a3", "a4"], .bert: ["b1", "b2", "b3"], .cleo: ["c1", "c2"],
  ]

  static func contents(_ holder: MemoryHolder) -> [UniqueID: [String]] {
    holder.logs.reduce(into: [:]) { $0[$1.key] = holder.texts(of: $1.key) }
  }

  /// The first messages of a dialler that shares no events with the listener.
  static func opening(_ holder: MemoryHolder) -> [UInt8] {
    Message.hello(holder.hello).encoded + Message.have(.nothing, ends: 0).encoded
  }

  @Test(arguments: [1, 2, 3, 5, 7, 64, 1_000_000])
  func `Session: both holders end with the same events, however the bytes are split`(piece: Int) {
    let (anna, bert) = (Self.anna(), Self.bert())
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener, piece: piece)
    #expect(Self.contents(anna) == Self.united)
    #expect(Self.contents(bert) == Self.united)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(dialler.report.received == [.bert: 3])
    #expect(listener.report.received == [.anna: 2, .cleo: 1])
    #expect(dialler.report.peerFrontier == bert.frontier)
    #expect(listener.report.peerFrontier == anna.frontier)
  }

  @Test func `Session: a split at any byte gives the same answer`() {
    let anna = Self.anna()
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, Self.bert()))
    let said = syncOutcome(&dialler, &listener)
    let news = anna.frontier.news(since: Self.anna().frontier)
    let last = Message.have(news, ends: 1).encoded
    let turn = said.dialler.dropLast(last.count)
    #expect(Array(said.dialler.suffix(last.count)) == last)
    for cut in turn.indices.dropFirst() {
      let bert = Self.bert()
      var other = Talker(.listener, bert)
      other.hear(Array(turn[..<cut]))
      other.hear(Array(turn[cut...]))
      let isSame = other.takeOutgoing() == said.listener
      #expect(isSame, "cut at \(cut)")
      #expect(bert.texts(of: .anna) == ["a1", "a2", "a3", "a4"])
      other.hear(last)
      #expect(other.isFinished)
    }
  }

  @Test func `Session: a line cut at any byte is recovered by the next session`() {
    var (dialler, listener) = (Talker(.dialler, Self.anna()), Talker(.listener, Self.bert()))
    let said = syncOutcome(&dialler, &listener)
    for cut in 1..<said.dialler.count {
      let (anna, bert) = (Self.anna(), Self.bert())
      var broken = Talker(.listener, bert)
      broken.hear(Array(said.dialler[..<cut]))
      broken.hear([])
      #expect(broken.failure == .cut)
      for (log, texts) in Self.contents(bert) {
        #expect(texts == Array(Self.united[log, default: []].prefix(texts.count)))
      }
      var (again, answering) = (Talker(.dialler, anna), Talker(.listener, bert))
      syncOutcome(&again, &answering)
      #expect(Self.contents(anna) == Self.united)
      #expect(Self.contents(bert) == Self.united)
    }
  }

  @Test func `Session: a log that cannot be set aside does not block the others`() {
    let (anna, bert) = (Self.anna(), Self.bert())
    bert.failure = .asideFull
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener)
    #expect(listener.report.problems == [.log(.asideFull)])
    #expect(dialler.isFinished && listener.isFinished)
    #expect(bert.commits == 1)
    #expect(Self.contents(anna)[.bert] == ["b1", "b2", "b3"])
  }

  @Test func `Session: a frame that does not join its log does not block the other logs`() {
    let (anna, bert) = (Self.anna(), Self.bert())
    anna.failure = .unjoined(.bert, sequence: 3)
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    syncOutcome(&dialler, &listener)
    #expect(dialler.report.problems == [.log(.unjoined(.bert, sequence: 3))])
    #expect(dialler.isFinished && listener.isFinished)
    #expect(Self.contents(bert) == Self.united)
  }

  @Test func `Session: frames received before a line broke are kept`() throws {
    let (anna, bert) = (Self.anna(), Self.bert())
    var listener = Talker(.listener, bert)
    listener.hear(Self.opening(anna))
    try anna.forEachFrame(of: .anna, lackedBy: anna.place(of: "a2", in: .anna)) { (frame) in
      listener.hear(Session.message(frame, of: .anna))
    }
    #expect(bert.texts(of: .anna) == ["a1", "a2"])
    listener.hear([])
    #expect(bert.texts(of: .anna) == ["a1", "a2", "a3", "a4"])
  }

  @Test func `Session: a second session transfers nothing`() {
    let (anna, bert) = (Self.anna(), Self.bert())
    for expected: [UniqueID: UInt64] in [[.anna: 2, .cleo: 1], [:]] {
      var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
      syncOutcome(&dialler, &listener)
      #expect(listener.report.received == expected)
    }
  }

  @Test func `Session: a frame sent twice is stored once`() throws {
    let (anna, bert) = (Self.anna(), MemoryHolder(.bert))
    var listener = Talker(.listener, bert)
    listener.hear(Self.opening(anna))
    try anna.forEachFrame(of: .anna, lackedBy: []) { (frame) in
      for _ in 0..<2 { listener.hear(Session.message(frame, of: .anna)) }
    }
    try anna.forEachFrame(of: .anna, lackedBy: []) { (frame) in
      listener.hear(Session.message(frame, of: .anna))
    }
    listener.hear(Message.end(.nothing).encoded)
    _ = listener.takeOutgoing()
    #expect(bert.texts(of: .anna) == ["a1", "a2", "a3", "a4"])
    #expect(listener.failure == nil)
  }

  @Test func `Session: three holders in a ring end with the same events`() {
    let cleo = MemoryHolder(.cleo).write(["c1", "c2", "c3"], to: .cleo)
    let holders = [Self.anna(), Self.bert(), cleo]
    for (left, right) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
      var dialler = Talker(.dialler, holders[left])
      var listener = Talker(.listener, holders[right])
      syncOutcome(&dialler, &listener)
    }
    var united = Self.united
    united[.cleo] = ["c1", "c2", "c3"]
    #expect(holders.map(Self.contents) == [united, united, united])
  }

  @Test func `Session: a gap is reported and its log stays unchanged`() throws {
    let (anna, bert) = (Self.anna(), MemoryHolder(.bert))
    var listener = Talker(.listener, bert)
    listener.hear(Self.opening(anna))
    for log in [UniqueID.anna, .cleo] {
      let after: UInt64 = log == .anna ? 1 : 0
      let held = after == 0 ? [] : anna.place(of: "a1", in: log)
      try anna.forEachFrame(of: log, lackedBy: held) { (frame) in
        listener.hear(Session.message(frame, of: log))
      }
    }
    listener.hear(Message.end(.nothing).encoded)
    _ = listener.takeOutgoing()
    #expect(listener.report.problems == [.log(.gap(.anna, held: 0, received: 2))])
    #expect(Self.contents(bert) == [.cleo: ["c1", "c2"]])
  }
}
