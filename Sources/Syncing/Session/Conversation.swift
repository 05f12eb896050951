package import Crypto
package import Platform

/// One side of a sync without the line: bytes in, bytes out, and nothing blocks.
///
/// Output is made when it is asked for, one frame at a time, so it needs no more memory than the line accepts. The
/// driver passes in received bytes, sends the output, and calls ``tick()`` when the deadline has come. When the
/// conversation has finished or failed, the driver sends the remaining output before it closes the line.
package struct Conversation {
  package enum State: Hashable, Sendable {
    case talking
    /// Both sides have stored all events of both. New events can follow if both stay connected.
    case settled
    case finished
    case failed(SyncError)
  }

  private let holder: any Holder
  private let timekeeper: any Timekeeper
  private let admissionCheck: AdmissionCheck
  private let stagedBytes: Int
  private var session: Session
  private var intake: Intake
  private var export: Export
  private var outbox = Outbox()
  /// Whether there are frames to send.
  private var isStreaming = false
  private var hasNews = false
  /// Whether the user of this side is being asked about the peer.
  ///
  /// Messages of the peer are handled after the answer.
  private var isAsking = false
  /// Storing what was received, and what follows.
  ///
  /// A portion of output is sent first, so that both sides can store at the same time.
  private var postponed: [Session.Effect] = []
  private var hasSpoken = false
  private var timeouts: Timeouts
  private var bytes = (sent: 0, received: 0)
  /// The number of events to send and to receive, by both hellos.
  private var expected: UInt64 = 0
  package private(set) var state = State.talking

  /// Starts with a peer.
  ///
  /// The key is nil if the line has not proved one. The time limit for the hello may have started earlier.
  package init(
    _ role: Session.Role, holder: any Holder, timekeeper: any Timekeeper,
    peerKey: PublicKey? = nil, since start: Int64? = nil, proof: Proof? = nil,
    admissionCheck: AdmissionCheck = .open,
    stays: Bool = false, stagedBytes: Int = Limit.stagedBytes
  ) {
    (self.holder, self.timekeeper, self.admissionCheck) = (holder, timekeeper, admissionCheck)
    self.stagedBytes = stagedBytes
    var hello = holder.hello
    hello.stays = stays
    session = Session(
      role, hello: hello, peerKey: peerKey, proof: proof, asksForProof: admissionCheck.asksForProof)
    intake = Intake(holder, stagedLimit: stagedBytes)
    export = Export(holder)
    timeouts = Timeouts(since: start ?? timekeeper.monotonicMilliseconds())
  }

  /// The events that were sent and received so far, also after an error.
  package var report: SessionReport {
    SessionReport(
      sent: export.sent, received: intake.received, peerHello: session.peer,
      peerFrontier: session.peerFrontier, frontier: intake.frontier, problems: intake.problems,
      traffic: Traffic(
        bytesSent: bytes.sent, bytesReceived: bytes.received, roundTrips: session.roundTrips))
  }

  /// How far the session is.
  package var progress: SyncProgress {
    SyncProgress(
      sent: export.sent.values.reduce(0, +), received: intake.arrived, total: expected,
      awaitsUser: session.awaitsUser)
  }

  /// The number of bytes that are held in memory, in both directions.
  package var heldBytes: Int { session.waitingCount + intake.stagedBytes + outbox.count }

  /// The hello of this side.
  package var hello: Hello { session.hello }

  /// Sends the hello, as the dialer.
  package mutating func start() {
    perform(session.start())
    look()
  }

  /// Receives bytes; none means that the peer has closed the line.
  package mutating func receive(_ bytes: [UInt8]) {
    guard !isOver else { return }
    guard !bytes.isEmpty else { return lineBroke(.cut) }
    self.bytes.received += bytes.count
    timeouts.hear(bytes.count, at: now)
    store()
    session.receive(bytes)
    attend()
    // A peer that asks for more than it reads is refused.
    if outbox.count > 2 * Limit.messageBytes { fail(.tooSlow) }
    look()
  }

  /// Called when the line has broken.
  package mutating func lineBroke(_ error: SyncError) {
    store()
    guard !isOver else { return }
    (outbox, isStreaming) = (Outbox(), false)
    // If both sides have stored everything, this is no failure.
    if session.isSettled, error == .cut || !session.isLive {
      state = .finished
    } else {
      fail(error)
    }
  }

  /// The next bytes to send; none if there is nothing to send now.
  package mutating func outgoing(upTo count: Int) -> [UInt8] {
    if hasSpoken { store() }
    fill(upTo: count)
    while outbox.isEmpty, hasPostponed {
      store()
      fill(upTo: count)
    }
    let said = outbox.take(upTo: count)
    guard !said.isEmpty else { return [] }
    hasSpoken = true
    bytes.sent += said.count
    timeouts.say(said.count, at: now)
    look()
    return said
  }

  private mutating func fill(upTo count: Int) {
    while isStreaming, outbox.count < count { pull() }
  }

  package var hasOutgoing: Bool { isSpeaking || hasPostponed }

  private var hasPostponed: Bool { !postponed.isEmpty && !isOver }

  private var isSpeaking: Bool { isStreaming || !outbox.isEmpty }

  /// Called when the store has new events from any source.
  package mutating func announceNews() {
    hasNews = true
    look()
  }

  /// Continues after the user was asked about the peer: accepts it, or refuses it with an error.
  package mutating func answer(refusing error: SyncError?) {
    guard isAsking, !isOver else { return }
    isAsking = false
    if let error { return fail(error) }
    beginIntake()
    attend()
    look()
  }

  /// When to call ``tick()``, on the monotonic clock.
  package var deadline: Int64? { isOver ? nil : timeouts.deadline }

  /// Checks timeouts.
  package mutating func tick() { tick(at: now) }

  /// Checks timeouts as of a moment.
  mutating func tick(at moment: Int64) {
    guard !isOver, let verdict = timeouts.verdict(at: moment) else { return }
    switch verdict {
    case .unanswered: fail(.unwelcome(.unanswered))
    case .tooSlow: fail(.tooSlow)
    case .silent: fail(.network(.timedOut))
    case .gone: state = .finished
    case .keepAlive: outbox.append(Message.alive.encoded)
    }
  }

  private var now: Int64 { timekeeper.monotonicMilliseconds() }

  private var isOver: Bool {
    switch state {
    case .talking, .settled: false
    case .finished, .failed: true
    }
  }
}

// MARK: - Effects of the session

extension Conversation {
  /// Performs the effects of received messages, until something has to be stored.
  private mutating func attend() {
    while !isOver, !isAsking, postponed.isEmpty, let effects = session.next() { perform(effects) }
  }

  /// Stores what was postponed, and continues.
  private mutating func store() {
    guard hasPostponed else { return }
    let effects = postponed
    postponed = []
    perform(effects, isPutOff: true)
    attend()
    look()
  }

  /// Performs effects in order.
  ///
  /// If there is output, storing is postponed once, so that the output goes first.
  private mutating func perform(_ effects: [Session.Effect], isPutOff: Bool = false) {
    var (waiting, mayStore) = (effects[...], isPutOff)
    while !isOver, let effect = waiting.popFirst() {
      if case .commit = effect, isSpeaking, !mayStore {
        (postponed, hasSpoken) = ([effect] + waiting, false)
        return
      }
      mayStore = false
      do throws(SyncError) {
        waiting = try perform(effect) + waiting
      } catch {
        fail(error)
      }
    }
  }

  private mutating func perform(
    _ effect: Session.Effect
  ) throws(SyncError) -> [Session.Effect] {
    switch effect {
    case .send(let message): outbox.append(message)
    case .greet(let other): return try greet(other)
    case .answer(let other):
      meet(other, holding: session.hello.frontier)
      let answer = try holder.answer(
        to: other.frontier, beyond: session.hello.frontier, room: Limit.frontierPlaces)
      return session.answered(with: answer.places)
    case .stream:
      try holder.checkPeer()
      export.begin(for: session.common)
      isStreaming = true
    case .welcome(let proof):
      switch try admissionCheck.welcome(proof) {
      case .welcome: beginIntake()
      case .asking:
        isAsking = true
        outbox.append(Message.asking.encoded)
      }
    case .stage(let log, let frame):
      guard try intake.take(frame, of: log) else { break }
      return session.committed(intake.frontier)
    case .commit:
      // Since the hello, the peer may have lost events, or recovered lost ones.
      holder.hear(of: session.peerFrontier)
      return session.committed(try intake.commit())
    case .fail(let error): end(error)
    }
    return []
  }

  /// Starts to count received events.
  ///
  /// Events that were written to admit the peer do not count.
  private mutating func beginIntake() { intake = Intake(holder, stagedLimit: stagedBytes) }

  /// Makes the hello that also tells the dialer which of its places are held.
  private mutating func greet(_ other: Hello) throws(SyncError) -> [Session.Effect] {
    var hello = holder.hello
    hello.stays = session.hello.stays
    let own = hello.frontier
    meet(other, holding: own)
    let room = max(0, Limit.frontierPlaces - own.places.count)
    let answer = try holder.answer(to: other.frontier, beyond: own, room: room)
    hello.frontier = answer.places.union(own)
    return session.greeted(with: hello, telling: own, holdingAll: answer.holdsAll)
  }

  private mutating func meet(_ other: Hello, holding own: Frontier) {
    holder.hear(of: other.frontier)
    let (ours, theirs) = (own.growth(since: other.frontier), other.frontier.growth(since: own))
    expected = (Array(ours.values) + theirs.values).reduce(0) { $0.saturatingSum($1) }
  }

  /// Sends the next frame, or ends the stream.
  private mutating func pull() {
    do throws(SyncError) {
      if let parcel = try export.next() {
        outbox.append(Session.message(parcel.frame, of: parcel.log))
      } else {
        isStreaming = false
        perform(session.sent(export.delivered, holding: holder.hello.frontier))
      }
    } catch {
      fail(error)
    }
  }

  /// Sends new events that the peer is not known to hold.
  private mutating func sendNews() throws(SyncError) {
    hasNews = false
    try holder.checkPeer()
    export.begin(for: session.common)
    guard let parcel = try export.next() else { return }
    session.sendNews()
    outbox.append(Session.message(parcel.frame, of: parcel.log))
    isStreaming = true
  }

  /// Updates the state and the timeouts by the state of the session.
  private mutating func look() {
    guard !isOver else { return }
    if hasNews, session.maySendNews {
      do throws(SyncError) { try sendNews() } catch { return fail(error) }
    }
    state = session.isSettled ? .settled : .talking
    if state == .settled, !session.isLive, session.role == .dialler { state = .finished }
    timeouts.wait(for: waiting, at: now)
  }

  private var waiting: Timeouts.Waiting {
    if isAsking { return .userHere }
    if session.awaitsUser { return .userThere }
    if session.peer == nil { return .hello }
    if session.isSettled { return session.isLive ? .news : .goodbye }
    return session.awaitsOther ? .acknowledgement : .frames
  }

  /// Ends the conversation with an error of this side.
  ///
  /// The peer is told the reason if the reason concerns the peer.
  private mutating func fail(_ error: SyncError) {
    guard !isOver else { return }
    isStreaming = false
    for effect in session.fail(error) {
      if case .send(let refusal) = effect { outbox.append(refusal) }
    }
    end(error)
  }

  /// Stores what came before an error, if the error is not about that.
  private mutating func end(_ error: SyncError) {
    isStreaming = false
    state = .failed(error)
    if case .journal = error { return }
    do throws(SyncError) { try intake.salvage() } catch { state = .failed(error) }
  }
}
