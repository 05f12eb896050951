package import Crypto
package import Platform

/// Syncs with a peer over a line.
///
/// ``run()`` performs the whole sync. A caller that must not block, such as a simulation, calls
/// ``advance(patienceMilliseconds:)`` until the sync is over.
package struct LinePeer {
  package enum Progress: Hashable, Sendable { case waiting, finished }

  private let line: any Line
  private let timekeeper: any Timekeeper
  private var conversation: Conversation
  /// Bytes of the conversation that the line has not yet accepted.
  private var unsent: ArraySlice<UInt8> = []
  private var hasStarted = false
  private var isClosed = false
  /// The time at which to stop waiting for the peer to read the closing messages.
  private var leaveEnd: Int64?

  /// Creates one side of a sync over a line.
  ///
  /// The key is nil if the line does not authenticate the peer. The time limit for the hello may already have started.
  package init(
    _ role: Session.Role, over line: any Line, holder: any Holder, timekeeper: any Timekeeper,
    peerKey: PublicKey? = nil, since start: Int64? = nil, proof: Proof? = nil,
    admissionCheck: AdmissionCheck = .open,
    stays: Bool = false
  ) {
    (self.line, self.timekeeper) = (line, timekeeper)
    conversation = Conversation(
      role, holder: holder, timekeeper: timekeeper, peerKey: peerKey, since: start, proof: proof,
      admissionCheck: admissionCheck, stays: stays)
  }

  /// The events that have been sent and received so far, even after an error.
  package var report: SessionReport { conversation.report }

  /// The state of the conversation.
  package var state: Conversation.State { conversation.state }

  /// Notifies the conversation that the store has new events.
  package mutating func announceNews() { conversation.announceNews() }

  /// Syncs and closes the line.
  ///
  /// If the method throws, received events that are proved are kept.
  package mutating func run(
    _ progressed: (SyncProgress) -> Void = { _ in }
  ) throws(SyncError) -> SessionReport {
    while try advance(patienceMilliseconds: Limit.silenceMilliseconds) == .waiting {
      progressed(conversation.progress)
    }
    return report
  }

  /// Receives and answers the messages that have arrived.
  ///
  /// With a patience of 0, the method does not wait.
  package mutating func advance(patienceMilliseconds: Int) throws(SyncError) -> Progress {
    if !hasStarted {
      hasStarted = true
      conversation.start()
    }
    speak()
    if !isOver { listen(patienceMilliseconds: patienceMilliseconds) }
    speak()
    return try conclude(mayWait: patienceMilliseconds > 0)
  }

  private var isOver: Bool {
    switch conversation.state {
    case .talking, .settled: false
    case .finished, .failed: true
    }
  }

  /// Sends as much as the line accepts without blocking.
  ///
  /// If this method blocked, it might wait for a peer that is blocked in the same way.
  private mutating func speak() {
    do throws(NetworkError) {
      while true {
        if unsent.isEmpty { unsent = conversation.outgoing(upTo: Portion.chunkBytes)[...] }
        guard !unsent.isEmpty else { return }
        let count = try line.offer(unsent)
        unsent = unsent.dropFirst(count)
        guard unsent.isEmpty else { return }
      }
    } catch {
      hearLastWords()
      conversation.lineBroke(.network(error))
      unsent = []
    }
  }

  private mutating func listen(patienceMilliseconds: Int) {
    conversation.tick()
    guard !isOver, let deadline = conversation.deadline else { return }
    let left = Int(clamping: max(0, deadline - timekeeper.monotonicMilliseconds()))
    let most =
      unsent.isEmpty ? patienceMilliseconds : min(patienceMilliseconds, Self.lookMilliseconds)
    do throws(NetworkError) {
      conversation.receive(
        try line.receive(upTo: Portion.chunkBytes, patienceMilliseconds: min(most, left)))
    } catch .timedOut {
      // The timeout has passed, even if the clock does not show it yet.
      if left <= most, patienceMilliseconds > 0 { conversation.tick(at: deadline) }
    } catch {
      conversation.lineBroke(.network(error))
    }
  }

  /// The interval at which sending is retried while the line accepts no data, in milliseconds.
  private static let lookMilliseconds = 2

  /// Reads the reason why the peer closed the line, if the peer sent it.
  private mutating func hearLastWords() {
    // The line is already broken, so an error here is ignored.
    while !isOver, let bytes = try? line.receive(upTo: Portion.chunkBytes, patienceMilliseconds: 0),
      !bytes.isEmpty
    {
      conversation.receive(bytes)
    }
  }

  /// Closes the line once everything has been sent.
  private mutating func conclude(mayWait: Bool) throws(SyncError) -> Progress {
    guard isOver else { return .waiting }
    if !isClosed {
      guard mayWait || isLeaveOver() else { return .waiting }
      isClosed = true
      takeLeave(patienceMilliseconds: mayWait ? Self.leaveMilliseconds : 0)
      line.close()
    }
    if case .failed(let error) = conversation.state { throw error }
    return .finished
  }

  /// Whether all closing messages have been sent or the time for them has passed.
  private mutating func isLeaveOver() -> Bool {
    let now = timekeeper.monotonicMilliseconds()
    let end = leaveEnd ?? now + Int64(Self.leaveMilliseconds)
    leaveEnd = end
    return unsent.isEmpty && !conversation.hasOutgoing || now >= end
  }

  /// Sends as much of the closing messages as possible.
  ///
  /// The sync does not depend on these messages.
  private mutating func takeLeave(patienceMilliseconds: Int) {
    var rest = Array(unsent)
    while conversation.hasOutgoing { rest += conversation.outgoing(upTo: Portion.chunkBytes) }
    try? line.send(rest, patienceMilliseconds: patienceMilliseconds)
  }

  /// The time that a peer has to read the closing messages, in milliseconds.
  private static let leaveMilliseconds = 2_000
}
