import Bytes
import Journaling
import Syncing
import Testing

/// Does a session's effects with a holder in memory, and keeps what it sends.
struct Talker {
  var session: Session
  let holder: any Holder
  let gate: Gate
  var intake: Intake
  var outgoing: [UInt8] = []
  var failure: SyncError?
  var isFinished = false

  init(
    _ role: Session.Role, _ holder: any Holder, proof: Proof? = nil, gate: Gate = .open
  ) {
    self.holder = holder
    self.gate = gate
    session = Session(
      role, hello: holder.hello, proof: proof, asksForProof: gate.asksForProof)
    intake = Intake(holder)
    perform(session.start())
  }

  mutating func hear(_ bytes: [UInt8]) { perform(session.receive(bytes)) }

  mutating func takeOutgoing() -> [UInt8] {
    defer { outgoing = [] }
    return outgoing
  }

  private mutating func perform(_ effects: [Session.Effect]) {
    var waiting = effects[...]
    while let effect = waiting.popFirst(), failure == nil {
      do throws(SyncError) {
        waiting = try perform(effect)[...] + waiting
      } catch {
        for case .send(let bytes) in session.fail(error) { outgoing += bytes }
        failure = error
      }
    }
  }

  private mutating func perform(_ effect: Session.Effect) throws(SyncError) -> [Session.Effect] {
    switch effect {
    case .send(let bytes): outgoing += bytes
    case .greet(let other): outgoing += Session.greeting(try holder.hello(to: other))
    case .export(let frontier):
      var export = Export(holder)
      var out: [UInt8] = []
      try export.run(for: frontier) { (log, frame, _) throws(SyncError) in
        out += Session.message(frame, of: log)
      }
      outgoing += out
      return session.sent()
    case .welcome(let proof):
      try gate.welcome(proof)
      intake = Intake(holder)
    case .stage(let log, let frame): try intake.take(frame, of: log)
    case .commit: return session.committed(try intake.commit())
    case .finish: isFinished = true
    case .fail(let error): throw error
    }
    return []
  }
}

/// Lets two holders talk until both fall silent, and returns all that each has said.
@discardableResult
func talk(
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

  @Test(arguments: [1, 2, 3, 5, 7, 64, 1_000_000])
  func `two holders have the same afterwards, however the bytes are split`(piece: Int) {
    let (anna, bert) = (Self.anna(), Self.bert())
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    talk(&dialler, &listener, piece: piece)
    #expect(Self.contents(anna) == Self.united)
    #expect(Self.contents(bert) == Self.united)
    #expect(dialler.isFinished && listener.isFinished)
    #expect(dialler.intake.received == [.bert: 3])
    #expect(listener.intake.received == [.anna: 2, .cleo: 1])
    #expect(dialler.session.peerFrontier == bert.frontier)
    #expect(listener.session.peerFrontier == anna.frontier)
  }

  @Test func `a split at any byte makes no difference`() {
    let anna = Self.anna()
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, Self.bert()))
    let said = talk(&dialler, &listener)
    let last = Message.acknowledgement(anna.frontier).encoded
    let turn = said.dialler.dropLast(last.count)
    #expect(Array(said.dialler.suffix(last.count)) == last)
    for cut in turn.indices {
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

  @Test func `a line cut at any byte leaves both valid, and the next session goes on`() {
    var (dialler, listener) = (Talker(.dialler, Self.anna()), Talker(.listener, Self.bert()))
    let said = talk(&dialler, &listener)
    for cut in 0..<said.dialler.count {
      let (anna, bert) = (Self.anna(), Self.bert())
      var broken = Talker(.listener, bert)
      broken.hear(Array(said.dialler[..<cut]))
      #expect(broken.session.closed() == [.fail(.cut)])
      #expect(throws: Never.self) { try broken.intake.salvage() }
      for (log, texts) in Self.contents(bert) {
        #expect(texts == Array(Self.united[log, default: []].prefix(texts.count)))
      }
      var (again, answering) = (Talker(.dialler, anna), Talker(.listener, bert))
      talk(&again, &answering)
      #expect(Self.contents(anna) == Self.united)
      #expect(Self.contents(bert) == Self.united)
    }
  }

  @Test func `a log there is no room for does not keep the others back`() {
    let (anna, bert) = (Self.anna(), Self.bert())
    bert.failure = .asideFull
    var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
    talk(&dialler, &listener)
    #expect(listener.intake.problems == [.log(.asideFull)])
    #expect(dialler.isFinished && listener.isFinished)
    #expect(bert.commits == 1)
    #expect(Self.contents(anna)[.bert] == ["b1", "b2", "b3"])
  }

  @Test func `what came before a line broke is kept`() throws {
    let (anna, bert) = (Self.anna(), Self.bert())
    var listener = Talker(.listener, bert)
    listener.hear(Message.hello(anna.hello).encoded)
    try anna.forEachFrame(of: .anna, lackedBy: anna.place(of: "a2", in: .anna)) { (frame) in
      listener.hear(Session.message(frame, of: .anna))
    }
    #expect(bert.texts(of: .anna) == ["a1", "a2"])
    try listener.intake.salvage()
    #expect(bert.texts(of: .anna) == ["a1", "a2", "a3", "a4"])
  }

  @Test func `a second session brings nothing`() {
    let (anna, bert) = (Self.anna(), Self.bert())
    for expected: [UniqueID: UInt64] in [[.anna: 2, .cleo: 1], [:]] {
      var (dialler, listener) = (Talker(.dialler, anna), Talker(.listener, bert))
      talk(&dialler, &listener)
      #expect(listener.intake.received == expected)
    }
  }

  @Test func `a frame sent twice counts once`() throws {
    let (anna, bert) = (Self.anna(), MemoryHolder(.bert))
    var listener = Talker(.listener, bert)
    listener.hear(Message.hello(anna.hello).encoded)
    try anna.forEachFrame(of: .anna, lackedBy: []) { (frame) in
      for _ in 0..<2 { listener.hear(Session.message(frame, of: .anna)) }
    }
    try anna.forEachFrame(of: .anna, lackedBy: []) { (frame) in
      listener.hear(Session.message(frame, of: .anna))
    }
    listener.hear(Message.end.encoded)
    #expect(bert.texts(of: .anna) == ["a1", "a2", "a3", "a4"])
    #expect(listener.failure == nil)
  }

  @Test func `three holders have the same after three sessions in a ring`() {
    let cleo = MemoryHolder(.cleo).write(["c1", "c2", "c3"], to: .cleo)
    let holders = [Self.anna(), Self.bert(), cleo]
    for (left, right) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
      var dialler = Talker(.dialler, holders[left])
      var listener = Talker(.listener, holders[right])
      talk(&dialler, &listener)
    }
    var united = Self.united
    united[.cleo] = ["c1", "c2", "c3"]
    #expect(holders.map(Self.contents) == [united, united, united])
  }

  @Test func `a gap is reported and the log stays as it is`() throws {
    let (anna, bert) = (Self.anna(), MemoryHolder(.bert))
    var listener = Talker(.listener, bert)
    listener.hear(Message.hello(anna.hello).encoded)
    for log in [UniqueID.anna, .cleo] {
      let after: UInt64 = log == .anna ? 1 : 0
      let held = after == 0 ? [] : anna.place(of: "a1", in: log)
      try anna.forEachFrame(of: log, lackedBy: held) { (frame) in
        listener.hear(Session.message(frame, of: log))
      }
    }
    listener.hear(Message.end.encoded)
    #expect(listener.intake.problems == [.log(.gap(.anna, held: 0, received: 2))])
    #expect(Self.contents(bert) == [.cleo: ["c1", "c2"]])
  }
}
