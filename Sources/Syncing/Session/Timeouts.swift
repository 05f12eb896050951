/// How long the other side of a session may keep this one waiting.
struct Timeouts {
  /// What is waited for.
  enum Waiting: Hashable, Sendable {
    /// That it says who it is.
    case hello
    /// That the user of this side says whether it comes in.
    case userHere
    /// That the user of the other side says whether this side comes in.
    case userThere
    /// What it sends.
    case frames
    /// That it puts on its disk what it was sent, while it sends or not.
    case acknowledgement
    /// That it goes.
    case goodbye
    /// Nothing in particular: either may have news.
    case news
  }

  /// Whose patience is at an end, and what becomes of the session by that.
  enum Verdict: Hashable, Sendable { case unanswered, tooSlow, silent, gone, keepAlive }

  private var waiting = Waiting.hello
  private var start: Int64
  /// Bytes that have moved since then.
  private var byteCount: Int64 = 0
  /// When something last came, and when something last went out.
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

  /// The moments that end this side's patience, with what they mean.
  private var ends: [(Int64, Verdict)] {
    let moved = byteCount * 1_000 / Limit.slowestBytesPerSecond
    switch waiting {
    case .hello: return [(start + Limit.helloMilliseconds, .tooSlow)]
    case .userHere: return [(start + Limit.answerMilliseconds, .unanswered)]
    // The other side ends it, unless it has gone.
    case .userThere:
      return [(start + Limit.answerMilliseconds + Limit.helloMilliseconds, .tooSlow)]
    case .frames:
      return [
        (lastHeard + Int64(Limit.silenceMilliseconds), .silent),
        (start + Limit.graceMilliseconds + moved, .tooSlow),
      ]
    case .acknowledgement:
      // It may write to its disk, and be silent meanwhile.
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

  /// What is to be done at a moment, if patience is at an end.
  func verdict(at now: Int64) -> Verdict? { ends.first { $0.0 <= now }?.1 }
}
