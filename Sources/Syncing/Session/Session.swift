package import Bytes
package import Crypto

/// The sync protocol as a state machine over messages, without I/O.
///
/// The dialer sends a hello, and the listener answers with its own. If both hold the same events, that is all.
/// Otherwise the dialer answers with what it holds of the listener's places. Then both send what the other lacks, at
/// the same time, and send `end`. Each reports what it has stored, portion by portion. When everything that was sent
/// is stored, the session is *settled*, and a dialer that does not stay closes the line. If both stay, each sends new
/// events at any time, followed by `end`.
///
/// The driver performs the effects in order. After an effect that asks for work, it calls the function that the
/// effect names.
package struct Session: Sendable {
  package enum Role: Hashable, Sendable { case dialler, listener }

  package enum Effect: Hashable, Sendable {
    case send([UInt8])
    /// Make the hello for a peer that has sent this one, then call ``Session/greeted(with:telling:holdingAll:)``.
    case greet(Hello)
    /// Find out what is held of the places in this hello, then call ``Session/answered(with:)``.
    case answer(Hello)
    /// Send the frames that a peer with ``Session/common`` lacks, each as ``Session/message(_:of:)``, then call
    /// ``Session/sent(_:holding:)``.
    case stream
    case stage(log: UniqueID, frame: [UInt8])
    /// Admit a peer with this proof, or fail.
    case welcome(Proof)
    /// Store what was received, then call ``Session/committed(_:)``.
    case commit
    /// Close the line. The session is over.
    case fail(SyncError)
  }

  package enum Phase: Hashable, Sendable { case hello, talking, done }

  package let role: Role
  /// The hello of this side.
  ///
  /// For a listener, as it was before it received the dialer's.
  package private(set) var hello: Hello
  package private(set) var phase = Phase.hello
  package private(set) var peer: Hello?
  /// What the peer last stated that it holds.
  package private(set) var peerFrontier = Frontier.nothing
  /// All that the peer has stated that it holds, or will hold once it has stored what it was sent.
  package private(set) var common = Frontier.nothing
  /// What the peer will hold once it has stored what it was last sent.
  private var delivered = Frontier.nothing
  /// What this side has last stated that it holds.
  private var told = Frontier.nothing
  private var reader = MessageReader()
  /// The proof of the dialer's invitation, if it has one.
  private let proof: Proof?
  /// Whether the dialer still has to prove an invitation.
  private var lacksProof: Bool
  private var hasHeardProof = false
  /// Whether the listener has said that its user is being asked about this dialer.
  private var isAskedAbout = false
  /// Whether the dialer still has to answer with what it holds of the listener's places.
  package private(set) var lacksAnswer = false
  package private(set) var isSending = false
  package private(set) var isPeerSending = false
  /// The number of `end` messages of this side, and of those that the peer has answered.
  private var ends = (told: UInt64(0), answered: UInt64(0))
  /// The number of `end` messages of the peer, and of those for which everything is stored here.
  private var peerEnds = (heard: UInt64(0), stored: UInt64(0))
  /// The key of the peer, if the line has proved it.
  private let peerKey: PublicKey?

  package init(
    _ role: Role, hello: Hello, peerKey: PublicKey? = nil, proof: Proof? = nil,
    asksForProof: Bool = false
  ) {
    self.role = role
    self.peerKey = peerKey
    self.hello = hello
    self.proof = proof
    lacksProof = asksForProof
  }

  /// The number of received bytes that are not decoded yet.
  package var waitingCount: Int { reader.waitingCount }

  /// Whether both sides stay connected once they hold the same events.
  package var isLive: Bool { hello.stays && peer?.stays ?? false }

  /// Whether it is not known yet that the peer has stored everything that it was sent.
  package var awaitsOther: Bool { isSending || ends.told > ends.answered }

  /// Whether both sides have stored everything that was sent, and know it.
  package var isSettled: Bool {
    phase == .talking && !awaitsOther && !isPeerSending && peerEnds.heard == peerEnds.stored
      && !lacksAnswer
  }

  /// Whether the dialer waits for the user of the listener.
  package var awaitsUser: Bool { isAskedAbout && peer == nil }

  /// The number of round trips so far: the hello, and each `end` that was answered.
  package var roundTrips: Int { peer == nil ? 0 : 1 + Int(clamping: ends.answered) }

  package mutating func start() -> [Effect] {
    guard role == .dialler else { return [] }
    told = hello.frontier
    let shown = proof.map { [Effect.send(Message.prove($0).encoded)] } ?? []
    return shown + [.send(Message.hello(hello).encoded)]
  }

  /// Receives bytes in any portions.
  ///
  /// Then call ``next()`` until it returns nil.
  package mutating func receive(_ bytes: [UInt8]) { reader.append(bytes) }

  /// The effects of the next complete message.
  package mutating func next() -> [Effect]? {
    guard phase != .done else { return nil }
    let offset = reader.offset
    do throws(SyncError) {
      guard let message = try reader.next() else { return nil }
      return try take(message, at: offset)
    } catch {
      return fail(error)
    }
  }

  /// Ends the session with an error of this side.
  package mutating func fail(_ error: SyncError) -> [Effect] {
    guard phase != .done else { return [] }
    phase = .done
    let refusal = Refusal(error).map { Effect.send(Message.refusal($0).encoded) }
    return (refusal.map { [$0] } ?? []) + [.fail(error)]
  }

  /// A frame as a message.
  package static func message(_ frame: [UInt8], of log: UniqueID) -> [UInt8] {
    Message.frame(log: log, frame).encoded
  }

  private mutating func take(
    _ message: Message, at offset: Int
  ) throws(SyncError) -> [Effect] {
    switch (message, phase) {
    case (.refusal(let refusal), _):
      phase = .done
      return [.fail(.refused(refusal))]
    case (.prove(let proof), .hello) where role == .listener && !hasHeardProof:
      hasHeardProof = true
      lacksProof = false
      return [.welcome(proof)]
    case (.asking, .hello) where proof != nil && !isAskedAbout:
      isAskedAbout = true
      return []
    case (.hello(let other), .hello):
      // A peer that is not known learns nothing about the book.
      guard !lacksProof else { throw .unwelcome(.notInvited) }
      return meet(other)
    case (.have(let theirs, let count), .talking)
    where count >= ends.answered && count <= ends.told:
      return hear(theirs, answering: count)
    case (.frame(let log, let frame), .talking) where mayPeerSend:
      isPeerSending = true
      return [.stage(log: log, frame: frame)]
    case (.end(let theirs), .talking) where isPeerSending && !lacksAnswer:
      hear(theirs)
      isPeerSending = false
      peerEnds.heard += 1
      return [.commit]
    case (.alive, .talking) where isLive: return []
    default: throw .unexpected(at: offset)
    }
  }

  /// Whether a frame may arrive.
  ///
  /// Unless both sides stay, none may arrive after the `end` of the peer.
  private var mayPeerSend: Bool { !lacksAnswer && (isPeerSending || isLive) }
}

// MARK: - Results of effects

extension Session {
  /// Continues with the hello that was made for the peer.
  ///
  /// A part of its frontier is what this side states about itself. The rest answers the places of the peer. If this
  /// side holds all places of the peer, sending starts at once.
  package mutating func greeted(
    with hello: Hello, telling own: Frontier, holdingAll holdsAll: Bool
  ) -> [Effect] {
    guard phase == .talking else { return [] }
    (self.hello, told) = (hello, own)
    let greeting = Effect.send(Message.hello(hello).encoded)
    guard !isSame else { return [greeting] }
    (isPeerSending, lacksAnswer) = (true, true)
    return [greeting] + (holdsAll ? stream() : [])
  }

  /// Continues with what is held of the listener's places.
  package mutating func answered(with places: Frontier) -> [Effect] {
    guard phase == .talking else { return [] }
    isPeerSending = true
    return [.send(Message.have(places, ends: 0).encoded)] + stream()
  }

  /// Whether new events may be sent now.
  package var maySendNews: Bool { phase == .talking && isLive && !isSending && !lacksAnswer }

  /// Starts to send new events.
  package mutating func sendNews() {
    precondition(maySendNews, "news is sent when it may be")
    isSending = true
  }

  /// Continues after everything that the peer lacked was sent.
  package mutating func sent(
    _ delivered: Frontier, holding frontier: Frontier
  ) -> [Effect] {
    // The session may have ended meanwhile, by a message that came later.
    guard phase == .talking else { return [] }
    isSending = false
    ends.told += 1
    self.delivered = delivered
    learn(delivered)
    return [.send(Message.end(tell(frontier)).encoded)]
  }

  /// Continues after what was received was stored.
  package mutating func committed(_ frontier: Frontier) -> [Effect] {
    guard phase == .talking else { return [] }
    peerEnds.stored = peerEnds.heard
    return [.send(Message.have(tell(frontier), ends: peerEnds.stored).encoded)]
  }

  private mutating func stream() -> [Effect] {
    isSending = true
    return [.stream]
  }

  /// The places that are held and were not stated yet.
  private mutating func tell(_ frontier: Frontier) -> Frontier {
    defer { told = frontier }
    return frontier.news(since: told)
  }
}

// MARK: - Messages of the peer

extension Session {
  private mutating func meet(_ other: Hello) -> [Effect] {
    if let peerKey {
      do throws(SyncError) { try other.checkSpeaker(peerKey) } catch { return fail(error) }
    }
    peer = other
    (peerFrontier, common) = (other.frontier, other.frontier)
    do throws(SyncError) {
      try hello.check(other)
    } catch {
      // A dialer that is refused receives the hello as well, so that it can show the reason.
      let greeting = Effect.send(Message.hello(hello).encoded)
      return (role == .listener ? [greeting] : []) + fail(error)
    }
    phase = .talking
    if role == .listener { return [.greet(other)] }
    return isSame ? [] : [.answer(other)]
  }

  /// Whether both hellos show that neither side lacks anything.
  ///
  /// Both sides come to the same answer.
  private var isSame: Bool { peer.map { hello.frontier.isSame(as: $0.frontier) } ?? false }

  private mutating func hear(_ frontier: Frontier, answering count: UInt64) -> [Effect] {
    hear(frontier)
    ends.answered = count
    guard lacksAnswer else { return [] }
    lacksAnswer = false
    // It may have started when the hello arrived.
    return isSending || ends.told > 0 ? [] : stream()
  }

  private mutating func hear(_ frontier: Frontier) {
    // The answer to a hello also has places before the ends.
    if !lacksAnswer {
      peerFrontier = Self.bounded(peerFrontier.replaced(by: frontier), or: frontier)
    }
    learn(frontier)
  }

  /// Adds to ``common``, and from time to time drops places that were replaced since.
  private mutating func learn(_ frontier: Frontier) {
    common = common.union(frontier)
    // Places before the ends help in the first round only.
    let most = ends.told > 0 ? 2 * peerFrontier.places.count + 256 : 4 * Limit.frontierPlaces
    if common.places.count > most { common = peerFrontier.union(delivered) }
  }

  /// What is known of the peer, or only the latest part if the peer has stated more than is kept.
  private static func bounded(_ frontier: Frontier, or latest: Frontier) -> Frontier {
    frontier.places.count <= 4 * Limit.frontierPlaces ? frontier : latest
  }
}
