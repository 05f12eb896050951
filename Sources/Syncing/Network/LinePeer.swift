package import Crypto
package import Platform

/// Syncs with another holder over a line.
///
/// ``run()`` does it all; where nothing may wait, as in a simulation, call
/// ``advance(patienceMilliseconds:)`` until it tells that the sync is over.
package struct LinePeer {
  package enum Progress: Hashable, Sendable { case waiting, finished }

  private let line: any Line
  private let timekeeper: any Timekeeper
  private var conversation: Conversation
  /// What the conversation has said and the line has not taken yet.
  private var unsent: ArraySlice<UInt8> = []
  private var hasStarted = false
  private var isClosed = false
  /// Until when the other side has time to hear the last words.
  private var leaveEnd: Int64?

  /// Begins on a line whose other end has shown a key, if it has; the time to say hello may have begun before.
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

  /// What was done up to now, also after an error.
  package var report: SessionReport { conversation.report }

  /// What the two have come to.
  package var state: Conversation.State { conversation.state }

  /// Hears that the holder has something that it had not before.
  package mutating func announceNews() { conversation.announceNews() }

  /// Syncs and closes the line.
  ///
  /// When it throws, what had come until then and proves itself is kept nevertheless.
  package mutating func run(
    _ progressed: (SyncProgress) -> Void = { _ in }
  ) throws(SyncError) -> SessionReport {
    while try advance(patienceMilliseconds: Limit.silenceMilliseconds) == .waiting {
      progressed(conversation.progress)
    }
    return report
  }

  /// Takes what has arrived, and answers it; a patience of 0 takes what is there.
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

  /// Hands over what there is to say, as far as the line takes it without waiting.
  ///
  /// To wait would be to wait for the other side to read, which may be waiting likewise.
  private mutating func speak() {
    do throws(NetworkError) {
      while true {
        if unsent.isEmpty { unsent = conversation.outgoing(upTo: Limit.chunkBytes)[...] }
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
        try line.receive(upTo: Limit.chunkBytes, patienceMilliseconds: min(most, left)))
    } catch .timedOut {
      // Who was to wait until then has waited, whatever the clock says.
      if left <= most, patienceMilliseconds > 0 { conversation.tick(at: deadline) }
    } catch {
      conversation.lineBroke(.network(error))
    }
  }

  /// How often it is looked whether a line that was full takes more.
  private static let lookMilliseconds = 2

  /// Hears why the other closed the line while we were talking, if it says so.
  private mutating func hearLastWords() {
    // The line is broken already; that nothing more comes over it is no news.
    while !isOver, let bytes = try? line.receive(upTo: Limit.chunkBytes, patienceMilliseconds: 0),
      !bytes.isEmpty
    {
      conversation.receive(bytes)
    }
  }

  /// Closes the line when all is said.
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

  /// Whether nothing is left to be said, or the other side has had its time to hear it.
  private mutating func isLeaveOver() -> Bool {
    let now = timekeeper.monotonicMilliseconds()
    let end = leaveEnd ?? now + Int64(Self.leaveMilliseconds)
    leaveEnd = end
    return unsent.isEmpty && !conversation.hasOutgoing || now >= end
  }

  /// Says what is left to be said: that is a courtesy, on which nothing depends here.
  private mutating func takeLeave(patienceMilliseconds: Int) {
    var rest = Array(unsent)
    while conversation.hasOutgoing { rest += conversation.outgoing(upTo: Limit.chunkBytes) }
    try? line.send(rest, patienceMilliseconds: patienceMilliseconds)
  }

  /// How long a peer may take to hear the last words.
  private static let leaveMilliseconds = 2_000
}
