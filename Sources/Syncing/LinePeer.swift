package import Bytes
package import Crypto
import Journaling
package import Platform

/// What a sync over a line came to.
package struct SessionReport: Hashable, Sendable {
  /// Events of each log that went out.
  package var sent: [UniqueID: UInt64]
  /// Events of each log that came and are on the disk.
  package var received: [UniqueID: UInt64]
  package var peerHello: Hello?
  /// What the peer last said that it holds.
  package var peerFrontier: Frontier
  /// What is held here.
  package var frontier: Frontier
  package var problems: [SyncProblem]

  package init(
    sent: [UniqueID: UInt64], received: [UniqueID: UInt64], peerHello: Hello?,
    peerFrontier: Frontier, frontier: Frontier, problems: [SyncProblem]
  ) {
    (self.sent, self.received, self.problems) = (sent, received, problems)
    (self.peerHello, self.peerFrontier, self.frontier) = (peerHello, peerFrontier, frontier)
  }
}

/// Syncs with another holder over a line.
///
/// ``run()`` does it all; where nothing may wait, as in a simulation, call ``advance(patienceMilliseconds:)`` until
/// it tells that the sync is over.
package struct LinePeer {
  package enum Progress: Hashable, Sendable { case waiting, finished }

  private let line: any Line
  private let holder: any Holder
  private let timekeeper: any Timekeeper
  private let gate: Gate
  private var session: Session
  private var intake: Intake
  private var export: Export
  private var hasStarted = false
  private var phase = Session.Phase.hello
  private var phaseStart: Int64
  private var phaseBytes: Int64 = 0

  /// Begins on a line whose other end has shown a key, if it has; the time to say hello may have begun before.
  package init(
    _ role: Session.Role, over line: any Line, holder: any Holder, timekeeper: any Timekeeper,
    peerKey: PublicKey? = nil, since start: Int64? = nil, proof: Proof? = nil, gate: Gate = .open
  ) {
    self.line = line
    self.holder = holder
    self.timekeeper = timekeeper
    self.gate = gate
    session = Session(
      role, hello: holder.hello, peerKey: peerKey, proof: proof, asksForProof: gate.asksForProof)
    intake = Intake(holder)
    export = Export(holder)
    phaseStart = start ?? timekeeper.monotonicMilliseconds()
  }

  /// What was done up to now, also after an error.
  package var report: SessionReport {
    SessionReport(
      sent: export.sent, received: intake.received, peerHello: session.peer,
      peerFrontier: session.peerFrontier, frontier: intake.frontier,
      problems: intake.problems)
  }

  /// Syncs and closes the line.
  ///
  /// When it throws, what had come until then and proves itself is kept nevertheless.
  package mutating func run() throws(SyncError) -> SessionReport {
    while try advance(patienceMilliseconds: Limit.silenceMilliseconds) == .waiting {}
    return report
  }

  /// Takes what has arrived, and answers it; a patience of 0 takes what is there.
  package mutating func advance(patienceMilliseconds: Int) throws(SyncError) -> Progress {
    do throws(SyncError) {
      if !hasStarted {
        hasStarted = true
        try perform(session.start())
      }
      guard session.phase != .done else { return .finished }
      try checkPace()
      let silence = min(patienceMilliseconds, Int(remainingMilliseconds))
      guard let bytes = try receive(patienceMilliseconds: silence) else { return .waiting }
      phaseBytes += Int64(bytes.count)
      try perform(bytes.isEmpty ? session.closed() : session.receive(bytes))
      guard session.phase == .done else { return .waiting }
      line.close()
      return .finished
    } catch {
      line.close()
      try salvage(after: error)
      throw error
    }
  }

  /// Nil when nothing came in time and there is still time left.
  private func receive(patienceMilliseconds: Int) throws(SyncError) -> [UInt8]? {
    do throws(NetworkError) {
      return try line.receive(
        upTo: Limit.chunkBytes, patienceMilliseconds: patienceMilliseconds)
    } catch .timedOut {
      // A wait as long as silence may be is the end; a shorter one was the caller's wish.
      // Only a peer that writes to its disk may be silent for longer.
      if patienceMilliseconds >= Limit.silenceMilliseconds, phase != .acknowledgement {
        throw .network(.timedOut)
      }
      return nil
    } catch {
      throw .network(error)
    }
  }

  private mutating func perform(_ effects: [Session.Effect]) throws(SyncError) {
    var waiting = effects[...]
    while let effect = waiting.popFirst() {
      do throws(SyncError) {
        waiting = try perform(effect) + waiting
      } catch {
        if error == .network(.cut), let refusal = lastWords { throw .refused(refusal) }
        refuse(error)
        throw error
      }
    }
  }

  private mutating func perform(
    _ effect: Session.Effect
  ) throws(SyncError) -> [Session.Effect] {
    switch effect {
    case .send(let bytes): try send(bytes)
    case .greet(let other):
      holder.hear(of: other.frontier)
      try send(Session.greeting(try holder.hello(to: other)))
    case .export(let frontier):
      holder.hear(of: frontier)
      try holder.checkPeer()
      let line = line
      try export.run(for: frontier) { (log, frame, _) throws(SyncError) in
        try Self.send(Session.message(frame, of: log), over: line)
      }
      return session.sent()
    case .welcome(let proof):
      try gate.welcome(proof)
      // What was written to let it in has not come from elsewhere.
      intake = Intake(holder)
    case .stage(let log, let frame): try intake.take(frame, of: log)
    case .commit: return session.committed(try intake.commit())
    case .finish: break
    case .fail(let error): throw error
    }
    return []
  }

  private mutating func refuse(_ error: SyncError) {
    // A refusal is a courtesy: the error to tell is the one that led to it.
    for case .send(let bytes) in session.fail(error) { try? send(bytes) }
  }

  /// Why the other closed the line while we were talking, if it says so.
  private var lastWords: Refusal? {
    var ending = session
    // The line is broken already; that nothing more comes over it is no news.
    while let bytes = try? line.receive(upTo: Limit.chunkBytes, patienceMilliseconds: 0),
      !bytes.isEmpty
    {
      for case .fail(.refused(let refusal)) in ending.receive(bytes) { return refusal }
    }
    return nil
  }

  /// Keeps what came before an error, where the error is not about what came.
  private mutating func salvage(after error: SyncError) throws(SyncError) {
    if case .journal = error { return }
    try intake.salvage()
  }

  private func send(_ bytes: [UInt8]) throws(SyncError) { try Self.send(bytes, over: line) }

  private static func send(_ bytes: [UInt8], over line: any Line) throws(SyncError) {
    do throws(NetworkError) {
      try line.send(bytes, patienceMilliseconds: Limit.silenceMilliseconds)
    } catch {
      throw .network(error)
    }
  }

  /// Ends a session whose peer keeps us waiting, in drops or in silence.
  private mutating func checkPace() throws(SyncError) {
    if session.phase != phase {
      phase = session.phase
      phaseStart = timekeeper.monotonicMilliseconds()
      phaseBytes = 0
    }
    guard remainingMilliseconds > 0 else {
      refuse(.tooSlow)
      throw .tooSlow
    }
  }

  private var remainingMilliseconds: Int64 {
    let allowed =
      switch phase {
      case .hello: Limit.helloMilliseconds
      case .acknowledgement: Limit.commitMilliseconds
      default: Limit.graceMilliseconds + phaseBytes * 1_000 / Limit.slowestBytesPerSecond
      }
    return allowed - (timekeeper.monotonicMilliseconds() - phaseStart)
  }
}
