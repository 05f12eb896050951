package import Bytes
package import Crypto

/// The sync protocol as a state machine over messages, without I/O.
///
/// The dialler sends a hello, and the listener answers with its own hello. If both hold the same events, the sync is
/// complete. Otherwise the dialler states which of the listener's places it holds. Then both sides simultaneously send
/// the events that the other lacks, followed by `end`. Each side reports what it has stored, portion by portion. When
/// everything that was sent has been stored, the session is *settled*, and a dialler that does not stay connected
/// closes the line. If both sides stay, either can send new events at any time, followed by `end`.
///
/// The driver performs the effects in order. After an effect that requires work, the driver calls the function named in
/// the effect's description.
package struct Session: Sendable {
  package enum Role: Hashable, Sendable { case dialler, listener }

  package enum Effect: Hashable, Sendable {
    case send([UInt8])
    /// Create the hello for the peer that sent this hello, then call ``Session/greeted(with:telling:holdingAll:)``.
    case greet(Hello)
    /// Find out which places in this hello this side has, then call ``Session/answered(with:)``.
    case answer(Hello)
    /// Send the frames that a peer with ``Session/common`` lacks, each as ``Session/message(_:of:)``, then call
    /// ``Session/sent(_:holding:)``.
    case stream
    case stage(log: UniqueID, frame: [UInt8])
    /// Admit the peer that sent this proof, or fail.
    case welcome(Proof)
    /// Store the received events, then call ``Session/committed(_:)``.
    case commit
    /// Close the line. The session is over.
    case fail(SyncError)
  }

  package enum Phase: Hashable, Sendable { case hello, talking, done }

  package let role: Role
  /// The hello of this side.
  ///
  /// For a listener, this is the hello as it was before the dialler's hello arrived.
  package private(set) var hello: Hello
  package private(set) var phase = Phase.hello
  package private(set) var peer: Hello?
  private var reader = MessageReader()
  private var authentication: Authentication
  private var frontiers = FrontierExchange()
  private var outgoing = OutgoingStream()
  private var incoming = IncomingStream()

  package init(
    _ role: Role, hello: Hello, peerKey: PublicKey? = nil, proof: Proof? = nil,
    asksForProof: Bool = false
  ) {
    (self.role, self.hello) = (role, hello)
    authentication = Authentication(of: peerKey, showing: proof, asksForProof: asksForProof)
  }

  /// The latest frontier that the peer has stated.
  package var peerFrontier: Frontier { frontiers.peerFrontier }

  /// All places that the peer has stated, or will have once it has stored the events that were sent.
  package var common: Frontier { frontiers.common }

  /// The number of received bytes that have not been decoded yet.
  package var waitingCount: Int { reader.waitingCount }

  /// Whether both sides stay connected once they hold the same events.
  package var isLive: Bool { hello.stays && peer?.stays ?? false }

  /// Whether the peer might not yet have stored everything that it was sent.
  package var awaitsOther: Bool { outgoing.awaitsPeer }

  /// Whether both sides have stored everything that was sent, and each side knows that the other has done so.
  package var isSettled: Bool { phase == .talking && !awaitsOther && incoming.isStored }

  /// Whether the dialler is waiting for the listener's user.
  package var awaitsUser: Bool { authentication.isAskedAbout && peer == nil }

  /// The number of round trips so far: one for the hello, and one for each `end` that has been answered.
  package var roundTrips: Int { peer == nil ? 0 : 1 + Int(clamping: outgoing.answeredCount) }

  package mutating func start() -> [Effect] {
    guard role == .dialler else { return [] }
    frontiers.noteTold(hello.frontier)
    let shown = authentication.proof.map { [Effect.send(Message.prove($0).encoded)] } ?? []
    return shown + [.send(Message.hello(hello).encoded)]
  }

  /// Receives bytes in portions of any size.
  ///
  /// After this call, call ``next()`` until it returns nil.
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

  /// Encodes a frame as a message.
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
    case (.prove(let proof), .hello) where role == .listener && !authentication.hasHeardProof:
      authentication.hearProof()
      return [.welcome(proof)]
    case (.asking, .hello) where authentication.maySayAsking:
      authentication.hearAsking()
      return []
    case (.hello(let other), .hello):
      try authentication.check(other)
      return meet(other)
    case (.have(let theirs, let count), .talking) where outgoing.mayBeAnswered(count):
      return hear(theirs, answering: count)
    case (.frame(let log, let frame), .talking) where incoming.mayBringFrame(isLive: isLive):
      incoming.begin()
      return [.stage(log: log, frame: frame)]
    case (.end(let theirs), .talking) where incoming.mayEnd:
      frontiers.hear(theirs)
      incoming.end()
      return [.commit]
    case (.alive, .talking) where isLive: return []
    default: throw .unexpected(at: offset)
    }
  }
}

// MARK: - Results of effects

extension Session {
  /// Continues with the hello that was created for the peer.
  ///
  /// A part of the frontier in the hello describes this side. The rest answers the peer's places. If this side holds
  /// all of the peer's places, sending begins immediately.
  package mutating func greeted(
    with hello: Hello, telling own: Frontier, holdingAll holdsAll: Bool
  ) -> [Effect] {
    guard phase == .talking else { return [] }
    self.hello = hello
    frontiers.noteTold(own)
    let greeting = Effect.send(Message.hello(hello).encoded)
    guard !isSame else { return [greeting] }
    incoming.beginWithAnswer()
    return [greeting] + (holdsAll ? stream() : [])
  }

  /// Continues with those of the listener's places that this side has.
  package mutating func answered(with places: Frontier) -> [Effect] {
    guard phase == .talking else { return [] }
    incoming.begin()
    return [.send(Message.have(places, ends: 0).encoded)] + stream()
  }

  /// Whether new events may be sent now.
  package var maySendNews: Bool {
    phase == .talking && isLive && !outgoing.isSending && !incoming.lacksAnswer
  }

  /// Begins to send new events.
  package mutating func sendNews() {
    precondition(maySendNews, "new events are sent only when they are allowed")
    outgoing.begin()
  }

  /// Continues after everything that the peer lacked has been sent.
  package mutating func sent(
    _ delivered: Frontier, holding frontier: Frontier
  ) -> [Effect] {
    // A later message may have ended the session in the meantime.
    guard phase == .talking else { return [] }
    outgoing.end()
    frontiers.deliver(delivered)
    return [.send(Message.end(frontiers.tell(frontier)).encoded)]
  }

  /// Continues after the received events have been stored.
  package mutating func committed(_ frontier: Frontier) -> [Effect] {
    guard phase == .talking else { return [] }
    let ends = incoming.noteStored()
    return [.send(Message.have(frontiers.tell(frontier), ends: ends).encoded)]
  }

  private mutating func stream() -> [Effect] {
    outgoing.begin()
    return [.stream]
  }
}

// MARK: - Messages of the peer

extension Session {
  private mutating func meet(_ other: Hello) -> [Effect] {
    peer = other
    frontiers.meet(other.frontier)
    do throws(SyncError) {
      try hello.check(other)
    } catch {
      // A refused dialler receives the hello as well, so that it can show the reason.
      let greeting = Effect.send(Message.hello(hello).encoded)
      return (role == .listener ? [greeting] : []) + fail(error)
    }
    phase = .talking
    if role == .listener { return [.greet(other)] }
    return isSame ? [] : [.answer(other)]
  }

  /// Whether both hellos show that neither side lacks anything.
  ///
  /// Both sides obtain the same result.
  private var isSame: Bool { peer.map { hello.frontier.isSame(as: $0.frontier) } ?? false }

  private mutating func hear(_ frontier: Frontier, answering count: UInt64) -> [Effect] {
    outgoing.noteAnswered(count)
    guard incoming.lacksAnswer else {
      frontiers.hear(frontier)
      return []
    }
    frontiers.hearAnswer(frontier)
    incoming.noteAnswer()
    // Sending may already have begun when the hello arrived.
    return outgoing.hasBegun ? [] : stream()
  }
}
