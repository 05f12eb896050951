package import Crypto
package import Platform

/// One side of a sync, without the line: bytes go in, bytes come out, and nothing waits.
///
/// What goes out is made when it is asked for, one frame at a time, so that it needs no more memory
/// than the line takes. Whoever drives it gives it what comes, hands over what it has to say, and
/// when its deadline has come lets it ``tick()``. When it is finished or has failed, what it still
/// has to say is handed over before the line is closed.
package struct Conversation {
  package enum State: Hashable, Sendable {
    case talking
    /// All that either side had is on both disks; each may have more, where both stay.
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
  /// Whether there are frames to be pulled.
  private var isStreaming = false
  private var hasNews = false
  /// Whether the user of this side is asked about the other; what it says is heard once the user has answered.
  private var isAsking = false
  /// To store what has come, and what is to be done then: a portion of what there is to say goes first, so that both
  /// sides can store at the same time.
  private var postponed: [Session.Effect] = []
  private var hasSpoken = false
  private var timeouts: Timeouts
  private var bytes = (sent: 0, received: 0)
  /// How many events are to go, by what both said of themselves.
  private var expected: UInt64 = 0
  package private(set) var state = State.talking

  /// Begins with a peer that has shown a key, if it has; the time to say hello may have begun before.
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

  /// What was done up to now, also after an error.
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

  /// How many bytes wait in memory, whichever way they go.
  package var heldBytes: Int { session.waitingCount + intake.stagedBytes + outbox.count }

  /// What this side says of itself.
  package var hello: Hello { session.hello }

  /// Says hello, as a dialler.
  package mutating func start() {
    perform(session.start())
    look()
  }

  /// Takes what came; nothing at all means that the peer has closed the line.
  package mutating func receive(_ bytes: [UInt8]) {
    guard !isOver else { return }
    guard !bytes.isEmpty else { return lineBroke(.cut) }
    self.bytes.received += bytes.count
    timeouts.hear(bytes.count, at: now)
    store()
    session.receive(bytes)
    attend()
    // Who asks more than it reads the answers to is no friend.
    if outbox.count > 2 * Limit.messageBytes { fail(.tooSlow) }
    look()
  }

  /// Hears that the line is no more.
  package mutating func lineBroke(_ error: SyncError) {
    store()
    guard !isOver else { return }
    (outbox, isStreaming) = (Outbox(), false)
    // Where all is on both disks, going is no failure.
    if session.isSettled, error == .cut || !session.isLive {
      state = .finished
    } else {
      fail(error)
    }
  }

  /// What is to be said next; nothing at all means that there is nothing to say now.
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

  /// Hears that the holder has something that it had not before, whoever it is from.
  package mutating func announceNews() {
    hasNews = true
    look()
  }

  /// Goes on with one of whom a user was asked: lets it in, or tells it why not.
  package mutating func answer(refusing error: SyncError?) {
    guard isAsking, !isOver else { return }
    isAsking = false
    if let error { return fail(error) }
    beginIntake()
    attend()
    look()
  }

  /// When to call ``tick()``, by the monotonic clock.
  package var deadline: Int64? { isOver ? nil : timeouts.deadline }

  /// Looks whether the peer has kept this side waiting for too long.
  package mutating func tick() { tick(at: now) }

  /// Looks whether it has at a moment.
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

// MARK: - What the session asks for

extension Conversation {
  /// Does what is asked for by what has come, up to where it is to be stored.
  private mutating func attend() {
    while !isOver, !isAsking, postponed.isEmpty, let effects = session.next() { perform(effects) }
  }

  /// Stores what was put off, and goes on from there.
  private mutating func store() {
    guard hasPostponed else { return }
    let effects = postponed
    postponed = []
    perform(effects, isPutOff: true)
    attend()
    look()
  }

  /// Does one thing after the other; storing waits while there is something to say, unless it was put off before.
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
      // It may have lost events since, or have them again.
      holder.hear(of: session.peerFrontier)
      return session.committed(try intake.commit())
    case .fail(let error): end(error)
    }
    return []
  }

  /// Begins to count what comes: what was written to let the other in has not come from elsewhere.
  private mutating func beginIntake() { intake = Intake(holder, stagedLimit: stagedBytes) }

  /// Makes a hello that tells the dialler what is held of its places as well.
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

  /// Takes the next frame that is to go out, or ends what goes out.
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

  /// Sends what is new, if there is anything that the peer is not known to hold.
  private mutating func sendNews() throws(SyncError) {
    hasNews = false
    try holder.checkPeer()
    export.begin(for: session.common)
    guard let parcel = try export.next() else { return }
    session.sendNews()
    outbox.append(Session.message(parcel.frame, of: parcel.log))
    isStreaming = true
  }

  /// Sees what the session has come to, and what there is to wait for.
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

  /// Ends it for a reason on this side, which the peer is told if it is any of its business.
  private mutating func fail(_ error: SyncError) {
    guard !isOver else { return }
    isStreaming = false
    for effect in session.fail(error) {
      if case .send(let refusal) = effect { outbox.append(refusal) }
    }
    end(error)
  }

  /// Keeps what came before an error, where the error is not about what came.
  private mutating func end(_ error: SyncError) {
    isStreaming = false
    state = .failed(error)
    if case .journal = error { return }
    do throws(SyncError) { try intake.salvage() } catch { state = .failed(error) }
  }
}
