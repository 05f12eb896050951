package import Crypto
package import Platform

/// One side of a sync without the line: the conversation receives and returns bytes, and never blocks.
///
/// Output is created on demand, one frame at a time, so memory is needed only for what the line can accept. The driver
/// passes in received bytes, sends the output, and calls ``tick()`` when the deadline has passed. When the conversation
/// has finished or failed, the driver sends the remaining output before it closes the line.
package struct Conversation {
  package enum State: Hashable, Sendable {
    case talking
    /// Both sides have stored all events. New events can follow if both sides stay connected.
    case settled
    case finished
    case failed(SyncError)
  }

  private let holder: any Holder
  private let admissionCheck: AdmissionCheck
  private var session: Session
  private var intake: Intake
  private var sendQueue: SendQueue
  private var postponed = PostponedEffects()
  private var lineMonitor: LineMonitor
  /// Whether there may be events that the peer does not hold.
  private var hasNews = false
  /// Whether this side's user is being asked about the peer.
  ///
  /// The peer's messages are not handled until the user has answered.
  private var isAsking = false
  /// The number of events to send and to receive, according to both hellos.
  private var expected: UInt64 = 0
  package private(set) var state = State.talking

  /// Creates a conversation with a peer.
  ///
  /// The key is nil if the line has not proved one. The time limit for the hello may already have started.
  package init(
    _ role: Session.Role, holder: any Holder, timekeeper: any Timekeeper,
    peerKey: PublicKey? = nil, since start: Int64? = nil, proof: Proof? = nil,
    admissionCheck: AdmissionCheck = .open,
    stays: Bool = false, stagedBytes: Int = Portion.stagedBytes
  ) {
    (self.holder, self.admissionCheck) = (holder, admissionCheck)
    var hello = holder.hello
    hello.stays = stays
    session = Session(
      role, hello: hello, peerKey: peerKey, proof: proof, asksForProof: admissionCheck.asksForProof)
    intake = Intake(holder, stagedLimit: stagedBytes)
    sendQueue = SendQueue(holder)
    lineMonitor = LineMonitor(timekeeper, since: start)
  }

  /// The events that have been sent and received so far, even after an error.
  package var report: SessionReport {
    let byteCounts = lineMonitor.byteCounts
    return SessionReport(
      sent: sendQueue.sent, received: intake.received, peerHello: session.peer,
      peerFrontier: session.peerFrontier, frontier: intake.frontier, problems: intake.problems,
      traffic: Traffic(
        bytesSent: byteCounts.sent, bytesReceived: byteCounts.received,
        roundTrips: session.roundTrips))
  }

  /// The progress of the session.
  package var progress: SyncProgress {
    SyncProgress(
      sent: sendQueue.sent.values.reduce(0, +), received: intake.arrived, total: expected,
      awaitsUser: session.awaitsUser)
  }

  /// The number of bytes that are kept in memory, in both directions.
  package var heldBytes: Int {
    session.waitingCount + intake.stagedBytes + sendQueue.byteCount
  }

  /// The hello of this side.
  package var hello: Hello { session.hello }

  /// Sends the hello if this side is the dialler.
  package mutating func start() {
    perform(session.start())
    look()
  }

  /// Processes received bytes; an empty array means that the peer has closed the line.
  package mutating func receive(_ bytes: [UInt8]) {
    guard !isOver else { return }
    guard !bytes.isEmpty else { return lineBroke(.cut) }
    lineMonitor.hear(bytes.count)
    store()
    session.receive(bytes)
    attend()
    // A peer that requests more data than it reads is refused.
    if sendQueue.byteCount > 2 * Limit.messageBytes { fail(.tooSlow) }
    look()
  }

  /// Called when the line has broken.
  package mutating func lineBroke(_ error: SyncError) {
    store()
    guard !isOver else { return }
    sendQueue.discard()
    // If both sides have stored everything, a broken line is not a failure.
    if session.isSettled, error == .cut || !session.isLive {
      state = .finished
    } else {
      fail(error)
    }
  }

  /// The next bytes to send; empty if there is nothing to send now.
  package mutating func outgoing(upTo count: Int) -> [UInt8] {
    if postponed.areDue { store() }
    fill(upTo: count)
    while sendQueue.byteCount == 0, hasPostponed {
      store()
      fill(upTo: count)
    }
    let said = sendQueue.take(upTo: count)
    guard !said.isEmpty else { return [] }
    postponed.noteSent()
    lineMonitor.say(said.count)
    look()
    return said
  }

  package var hasOutgoing: Bool { !sendQueue.isEmpty || hasPostponed }

  private var hasPostponed: Bool { !postponed.isEmpty && !isOver }

  /// Called when the store has received new events from any source.
  package mutating func announceNews() {
    hasNews = true
    look()
  }

  /// Continues once the user has answered the question about the peer: accepts the peer if the error is nil, or refuses
  /// it with the error.
  package mutating func answer(refusing error: SyncError?) {
    guard isAsking, !isOver else { return }
    isAsking = false
    if let error { return fail(error) }
    letIn()
    attend()
    look()
  }

  /// The time at which to call ``tick()``, according to the monotonic clock.
  package var deadline: Int64? { isOver ? nil : lineMonitor.deadline }

  /// Checks timeouts.
  package mutating func tick() { tick(at: lineMonitor.now) }

  /// Checks timeouts as of the given time.
  mutating func tick(at moment: Int64) {
    guard !isOver, let verdict = lineMonitor.verdict(at: moment) else { return }
    switch verdict {
    case .unanswered: fail(.unwelcome(.unanswered))
    case .tooSlow: fail(.tooSlow)
    case .silent: fail(.network(.timedOut))
    case .gone: state = .finished
    case .keepAlive: sendQueue.append(Message.alive.encoded)
    }
  }

  private var isOver: Bool {
    switch state {
    case .talking, .settled: false
    case .finished, .failed: true
    }
  }
}

// MARK: - Effects of the session

extension Conversation {
  /// Performs the effects of received messages until events have to be stored.
  private mutating func attend() {
    while !isOver, !isAsking, postponed.isEmpty, let effects = session.next() { perform(effects) }
  }

  /// Performs the postponed effects, and then handles the next messages.
  private mutating func store() {
    guard hasPostponed else { return }
    perform(postponed.takeAll(), isPutOff: true)
    attend()
    look()
  }

  /// Performs effects in order.
  ///
  /// If there is output, storing is postponed once, so that the output is sent first.
  private mutating func perform(_ effects: [Session.Effect], isPutOff: Bool = false) {
    var (waiting, mayStore) = (effects[...], isPutOff)
    while !isOver, let effect = waiting.popFirst() {
      if case .commit = effect, !sendQueue.isEmpty, !mayStore {
        return postponed.postpone([effect] + waiting)
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
    case .send(let message): sendQueue.append(message)
    case .greet(let other): return try greet(other)
    case .answer(let other):
      meet(other, holding: session.hello.frontier)
      let answer = try holder.answer(
        to: other.frontier, beyond: session.hello.frontier, room: Limit.frontierPlaces)
      return session.answered(with: answer.places)
    case .stream:
      try holder.checkPeer()
      sendQueue.stream(to: session.common)
    case .welcome(let proof):
      switch try admissionCheck.welcome(proof) {
      case .welcome: letIn()
      case .asking:
        isAsking = true
        sendQueue.append(Message.asking.encoded)
      }
    case .stage(let log, let frame):
      guard try intake.take(frame, of: log) else { break }
      return session.committed(intake.frontier)
    case .commit:
      // Since its hello, the peer may have lost events or recovered lost events.
      holder.hear(of: session.peerFrontier)
      return session.committed(try intake.commit())
    case .fail(let error): end(error)
    }
    return []
  }

  /// Begins to count received events once the peer has been admitted.
  ///
  /// Events that were written to admit the peer are not included.
  private mutating func letIn() { intake.startOver() }

  /// Creates the hello that also informs the dialler which of the dialler's places the listener has.
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

  /// Creates frames to send and, after the last frame, the end of the stream.
  private mutating func fill(upTo count: Int) {
    do throws(SyncError) {
      guard let delivered = try sendQueue.fill(upTo: count) else { return }
      perform(session.sent(delivered, holding: holder.hello.frontier))
    } catch {
      fail(error)
    }
  }

  /// Sends new events that the peer is not known to hold.
  private mutating func sendNews() throws(SyncError) {
    hasNews = false
    try holder.checkPeer()
    if try sendQueue.streamNews(to: session.common) { session.sendNews() }
  }

  /// Updates the conversation's state and timeouts according to the session's state.
  private mutating func look() {
    guard !isOver else { return }
    if hasNews, session.maySendNews {
      do throws(SyncError) { try sendNews() } catch { return fail(error) }
    }
    state = session.isSettled ? .settled : .talking
    if state == .settled, !session.isLive, session.role == .dialler { state = .finished }
    lineMonitor.wait(for: waiting)
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
  /// If the reason concerns the peer, it is sent to the peer.
  private mutating func fail(_ error: SyncError) {
    guard !isOver else { return }
    sendQueue.stopStreaming()
    for effect in session.fail(error) {
      if case .send(let refusal) = effect { sendQueue.append(refusal) }
    }
    end(error)
  }

  /// Stores the events that were received before an error, unless the error comes from the journal.
  private mutating func end(_ error: SyncError) {
    sendQueue.stopStreaming()
    state = .failed(error)
    if case .journal = error { return }
    do throws(SyncError) { try intake.salvage() } catch { state = .failed(error) }
  }
}
