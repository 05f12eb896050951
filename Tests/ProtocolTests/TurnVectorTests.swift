import Bytes
import Journaling
import SimulatedPlatform
import Syncing
import Testing

/// The course of a session: messages in and out of turn, and a listener's answers to the places of a dialler.
struct TurnVectorTests {
  /// The receiver of the messages of a vector, without events to send.
  private struct Side {
    private var session: Session
    private let other: Hello
    private(set) var failure: SyncError?
    private(set) var refusal: UInt64?

    init(_ vector: TestVector) throws {
      let desk = try LogVector("log of desk")
      let held = Frontier([Place(log: desk.id, sequence: 9, hash: desk.events[8].hash)])
      let book = try ProtocolText.vector("names").id("book id")
      var proof: Proof?
      if try vector.text("proof") == "shown" {
        let shown = try ProtocolText.vector("message: prove").message()
        if case .prove(let found) = shown { proof = found }
      }
      session = Session(
        try vector.text("receiver") == "listener" ? .listener : .dialler,
        hello: Hello(book: book, replica: desk.id, frontier: held, stays: true), proof: proof)
      other = Hello(
        book: book, replica: UniqueID.none,
        frontier: try vector.text("hellos") == "equal" ? held : .nothing,
        stays: try vector.text("staying") == "both")
      _ = session.start()
    }

    /// Receives a message, which is a word of the vector.
    mutating func hear(_ word: Substring) throws {
      session.receive(try message(word).encoded)
      let first = session.next()
      var effects = try #require(first)
      while !effects.isEmpty { effects += try perform(effects.removeFirst()) }
    }

    private func message(_ word: Substring) throws -> Message {
      switch word {
      case "hello": return .hello(other)
      case "frame": return .frame(log: try LogVector("log of desk").id, [1, 2])
      case "end": return .end(.nothing)
      default:
        if word.hasPrefix("have-") {
          return .have(.nothing, ends: try #require(UInt64(word.dropFirst(5))))
        }
        // The other messages are those of the vectors of the same names.
        return try ProtocolText.vector("message: \(word)").message()
      }
    }

    private mutating func perform(_ effect: Session.Effect) throws -> [Session.Effect] {
      let frontier = session.hello.frontier
      switch effect {
      case .send(let bytes):
        var reader = MessageReader()
        reader.append(bytes)
        if case .refusal(let refusal)? = try reader.next() { self.refusal = refusal.code }
      case .greet: return session.greeted(with: session.hello, telling: frontier, holdingAll: false)
      case .answer: return session.answered(with: .nothing)
      case .stream: return session.sent(.nothing, holding: frontier)
      case .commit: return session.committed(frontier)
      case .stage, .welcome: break
      case .fail(let error): failure = error
      }
      return []
    }
  }

  static func turns() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("turns: ") }
  }

  @Test(arguments: try turns())
  func `Turns: each line of the vectors is taken, or its last message refused`(
    vector: TestVector
  ) throws {
    let lines = vector.pairs.dropFirst(4)
    #expect(lines.contains { $0.key.hasPrefix("taken") })
    for (key, line) in lines {
      var side = try Side(vector)
      let words = line.split(separator: " ")
      for (index, word) in words.enumerated() {
        try side.hear(word)
        let isRefused = key.hasPrefix("refused") && index == words.count - 1
        #expect((side.failure != nil) == isRefused, "\(line): \(word)")
        #expect(side.refusal == (isRefused ? 3 : nil), "\(line): \(word)")
      }
    }
  }

  static func answers() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("answer: ") }
  }

  @Test(arguments: try answers())
  func `Answers: a listener states the places of the vectors, and sends when it may`(
    vector: TestVector
  ) throws {
    let bundle = try BundleVector()
    let holder = try VectorHolder(bundle.hello, holding: bundle.frames)
    var listener = Conversation(
      .listener, holder: holder, timekeeper: holder.simulated.timekeeper)
    listener.start()
    let hello = Hello(
      book: bundle.hello.book, replica: UniqueID.none, frontier: Frontier(try vector.places()))
    listener.receive(Message.hello(hello).encoded)
    var reader = MessageReader()
    while listener.hasOutgoing { reader.append(listener.outgoing(upTo: 1 << 16)) }
    var messages: [Message] = []
    while let message = try reader.next() { messages.append(message) }
    guard case .hello(let answer)? = messages.first else {
      Issue.record("no hello")
      return
    }
    #expect(try VectorDevice.spelling(of: answer.frontier) == vector.text("frontier"))
    let start = messages.count > 1 ? "at once" : "after the have"
    #expect(start == (try vector.text("sends")))
  }
}
