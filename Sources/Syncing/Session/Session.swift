package import Bytes
package import Crypto

/// The talk of two holders, as a state machine over messages.
///
/// The dialler says hello, and the listener answers with its own. When these show that both hold
/// the same, that was all. Else the dialler tells what it holds of the listener's places; then both
/// send what the other lacks, at the same time, and end; each tells what it has put on its disk,
/// portion by portion. When all that was sent is there, the session is *settled*: a dialler that
/// does not stay goes. Where both stay, either sends at any time what is new, and ends.
///
/// Whoever drives it does the effects in order, and after one that asks for it calls what it names.
package struct Session: Sendable {
  package enum Role: Hashable, Sendable { case dialler, listener }

  package enum Effect: Hashable, Sendable {
    case send([UInt8])
    /// Make the hello for one who has said this, then call ``Session/greeted(with:telling:holdingAll:)``.
    case greet(Hello)
    /// Find out what is held of what this one tells, then call ``Session/answered(with:)``.
    case answer(Hello)
    /// Send the frames that are lacked by one who holds ``Session/common``, each as
    /// ``Session/message(_:of:)``, then call ``Session/sent(_:holding:)``.
    case stream
    case stage(log: UniqueID, frame: [UInt8])
    /// Let in who proves to be invited, or fail.
    case welcome(Proof)
    /// Commit, then call ``Session/committed(_:)``.
    case commit
    /// Close the line; nothing more can be done.
    case fail(SyncError)
  }

  package enum Phase: Hashable, Sendable { case hello, talking, done }

  package let role: Role
  /// What this side says of itself; of a listener as it was before it heard the dialler.
  package private(set) var hello: Hello
  package private(set) var phase = Phase.hello
  package private(set) var peer: Hello?
  /// What the other last said that it holds.
  package private(set) var peerFrontier = Frontier.nothing
  /// All that the other has said that it holds, or will hold by what it was sent.
  package private(set) var common = Frontier.nothing
  /// What the other will hold when it has stored what it was last sent.
  private var delivered = Frontier.nothing
  /// What this side has last told that it holds.
  private var told = Frontier.nothing
  private var reader = MessageReader()
  /// What the dialler shows of an invitation, if it has one.
  private let proof: Proof?
  /// Whether the dialler has to show that it was invited, and has not yet.
  private var lacksProof: Bool
  private var hasHeardProof = false
  /// Whether the listener has said that its user is asked about the dialler.
  private var isAskedAbout = false
  /// Whether the dialler has yet to tell what it holds of the listener's places.
  package private(set) var lacksAnswer = false
  package private(set) var isSending = false
  package private(set) var isPeerSending = false
  /// How often this side has told the end of what it sends, and how much of that is on the other's disk.
  private var ends = (told: UInt64(0), answered: UInt64(0))
  /// How often the other has, and how much of that is on the disk here.
  private var peerEnds = (heard: UInt64(0), stored: UInt64(0))
  /// The key that the other has shown, where the line can tell.
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

  /// How many bytes wait for the rest of their message.
  package var waitingCount: Int { reader.waitingCount }

  /// Whether both stay when they have the same.
  package var isLive: Bool { hello.stays && peer?.stays ?? false }

  /// Whether something was sent of which it is not known that it is on the other's disk.
  package var awaitsOther: Bool { isSending || ends.told > ends.answered }

  /// Whether all that either has sent is on the other's disk, and each knows it.
  package var isSettled: Bool {
    phase == .talking && !awaitsOther && !isPeerSending && peerEnds.heard == peerEnds.stored
      && !lacksAnswer
  }

  /// Whether the dialler waits for the listener's user.
  package var awaitsUser: Bool { isAskedAbout && peer == nil }

  /// How often this side has asked and was answered: by a hello, or for an end.
  package var roundTrips: Int { peer == nil ? 0 : 1 + Int(clamping: ends.answered) }

  package mutating func start() -> [Effect] {
    guard role == .dialler else { return [] }
    told = hello.frontier
    let shown = proof.map { [Effect.send(Message.prove($0).encoded)] } ?? []
    return shown + [.send(Message.hello(hello).encoded)]
  }

  /// Takes bytes of the other's, split as they may be; then call ``next()`` until it is nil.
  package mutating func receive(_ bytes: [UInt8]) { reader.append(bytes) }

  /// What is to be done about the next message that is whole.
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

  /// Ends the session for a reason on this side.
  package mutating func fail(_ error: SyncError) -> [Effect] {
    guard phase != .done else { return [] }
    phase = .done
    let refusal = Refusal(error).map { Effect.send(Message.refusal($0).encoded) }
    return (refusal.map { [$0] } ?? []) + [.fail(error)]
  }

  /// A frame of an export, ready to be sent.
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
      // Who is not known learns nothing of the book.
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

  /// Whether a frame may come; where nobody stays, none comes after the end.
  private var mayPeerSend: Bool { !lacksAnswer && (isPeerSending || isLive) }
}

// MARK: - What was asked for

extension Session {
  /// Goes on with the hello that was made for the other, of which only a part is news of this side itself.
  ///
  /// If all that the other told is held here, it can be sent what it lacks at once.
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

  /// Goes on with what is held of the listener's places.
  package mutating func answered(with places: Frontier) -> [Effect] {
    guard phase == .talking else { return [] }
    isPeerSending = true
    return [.send(Message.have(places, ends: 0).encoded)] + stream()
  }

  /// Whether it may send what is new now.
  package var maySendNews: Bool { phase == .talking && isLive && !isSending && !lacksAnswer }

  /// Begins to send what is new, as if that had been asked for.
  package mutating func sendNews() {
    precondition(maySendNews, "news is sent when it may be")
    isSending = true
  }

  /// Goes on after all that the other lacked was sent, which is what it will hold by that.
  package mutating func sent(
    _ delivered: Frontier, holding frontier: Frontier
  ) -> [Effect] {
    // It may have ended meanwhile, by what came behind.
    guard phase == .talking else { return [] }
    isSending = false
    ends.told += 1
    self.delivered = delivered
    learn(delivered)
    return [.send(Message.end(tell(frontier)).encoded)]
  }

  /// Goes on after a commit.
  package mutating func committed(_ frontier: Frontier) -> [Effect] {
    guard phase == .talking else { return [] }
    peerEnds.stored = peerEnds.heard
    return [.send(Message.have(tell(frontier), ends: peerEnds.stored).encoded)]
  }

  private mutating func stream() -> [Effect] {
    isSending = true
    return [.stream]
  }

  /// What is held now and was not told yet.
  private mutating func tell(_ frontier: Frontier) -> Frontier {
    defer { told = frontier }
    return frontier.news(since: told)
  }
}

// MARK: - What the other says

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
      // The dialler hears who we are even when it is turned away, and can see for itself why.
      let greeting = Effect.send(Message.hello(hello).encoded)
      return (role == .listener ? [greeting] : []) + fail(error)
    }
    phase = .talking
    if role == .listener { return [.greet(other)] }
    return isSame ? [] : [.answer(other)]
  }

  /// Whether the hellos show that neither lacks anything; both sides find the same.
  private var isSame: Bool { peer.map { hello.frontier.isSame(as: $0.frontier) } ?? false }

  private mutating func hear(_ frontier: Frontier, answering count: UInt64) -> [Effect] {
    hear(frontier)
    ends.answered = count
    guard lacksAnswer else { return [] }
    lacksAnswer = false
    // It may have begun when it heard the hello.
    return isSending || ends.told > 0 ? [] : stream()
  }

  private mutating func hear(_ frontier: Frontier) {
    // The answer to a hello tells of places on the way as well.
    if !lacksAnswer {
      peerFrontier = Self.bounded(peerFrontier.replaced(by: frontier), or: frontier)
    }
    learn(frontier)
  }

  /// Notes what is common, and forgets from time to time what has been replaced since.
  private mutating func learn(_ frontier: Frontier) {
    common = common.union(frontier)
    // In the first round places on the way are of use; later the ends are enough.
    let most = ends.told > 0 ? 2 * peerFrontier.places.count + 256 : 4 * Limit.frontierPlaces
    if common.places.count > most { common = peerFrontier.union(delivered) }
  }

  /// What is known of the other, or the latest of it where it has told too much to be kept in mind.
  private static func bounded(_ frontier: Frontier, or latest: Frontier) -> Frontier {
    frontier.places.count <= 4 * Limit.frontierPlaces ? frontier : latest
  }
}
