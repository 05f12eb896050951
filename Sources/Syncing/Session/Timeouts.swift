/// The limits on the time for which the peer may keep this side waiting.
struct Timeouts {
  /// The event that this side waits for.
  enum Waiting: Hashable, Sendable {
    /// The peer's hello.
    case hello
    /// The decision of this side's user about the peer.
    case userHere
    /// The decision of the peer's user about this device.
    case userThere
    /// The peer's frames.
    case frames
    /// A report that the peer has stored what it was sent. The peer may still be sending.
    case acknowledgement
    /// The peer's closing of the line.
    case goodbye
    /// New events from either side.
    case news
  }

  /// The consequence of a timeout that has passed.
  enum Verdict: Hashable, Sendable { case unanswered, tooSlow, silent, gone, keepAlive }

  private var waiting = Waiting.hello
  private var start: Int64
  /// The number of bytes transferred since `start`.
  private var byteCount: Int64 = 0
  /// The times at which bytes were last received and last sent.
  private var lastHeard: Int64
  private var lastSaid: Int64

  init(since start: Int64) { (self.start, lastHeard, lastSaid) = (start, start, start) }

  mutating func hear(_ count: Int, at now: Int64) {
    byteCount += Int64(count)
    lastHeard = now
  }

  mutating func say(_ count: Int, at now: Int64) {
    byteCount += Int64(count)
    lastSaid = now
  }

  mutating func wait(for waiting: Waiting, at now: Int64) {
    guard waiting != self.waiting else { return }
    (self.waiting, start, byteCount) = (waiting, now, 0)
  }

  /// The timeouts, with the consequence of each.
  private var ends: [(Int64, Verdict)] {
    let moved = byteCount * 1_000 / Limit.slowestBytesPerSecond
    switch waiting {
    case .hello: return [(start + Limit.helloMilliseconds, .tooSlow)]
    case .userHere: return [(start + Limit.answerMilliseconds, .unanswered)]
    // The peer ends this wait, unless it has disconnected.
    case .userThere:
      return [(start + Limit.answerMilliseconds + Limit.helloMilliseconds, .tooSlow)]
    case .frames:
      return [
        (lastHeard + Int64(Limit.silenceMilliseconds), .silent),
        (start + Limit.graceMilliseconds + moved, .tooSlow),
      ]
    case .acknowledgement:
      // The peer may be storing events and may be silent in the meantime.
      return [(start + Limit.commitMilliseconds + moved, .tooSlow)]
    case .goodbye: return [(max(start, lastHeard) + Int64(Limit.silenceMilliseconds), .gone)]
    case .news:
      return [
        (lastHeard + Limit.restMilliseconds, .silent),
        (lastSaid + Limit.keepAliveMilliseconds, .keepAlive),
      ]
    }
  }

  var deadline: Int64 { ends.map(\.0).min() ?? .max }

  /// The consequence at the given time, if a timeout has passed.
  func verdict(at now: Int64) -> Verdict? { ends.first { $0.0 <= now }?.1 }
}
