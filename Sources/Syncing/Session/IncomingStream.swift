/// The state of the data from the peer: frames and an `end`, any number of times.
struct IncomingStream: Sendable {
  /// Whether the dialler still has to state which of the listener's places it holds.
  ///
  /// Before that, the dialler may send nothing else.
  private(set) var lacksAnswer = false
  private var isReceiving = false
  /// The number of `end` messages from the peer, and the number of those for which everything is stored here.
  private var ends = (heard: UInt64(0), stored: UInt64(0))

  /// Whether the peer is sending nothing and everything that it sent is stored.
  var isStored: Bool { !isReceiving && ends.heard == ends.stored && !lacksAnswer }

  /// Whether an `end` may arrive.
  var mayEnd: Bool { isReceiving && !lacksAnswer }

  /// Whether a frame may arrive.
  ///
  /// Unless both sides stay connected, no frame may arrive after the `end` of the peer.
  func mayBringFrame(isLive: Bool) -> Bool { !lacksAnswer && (isReceiving || isLive) }

  /// Expects frames or an `end`.
  mutating func begin() { isReceiving = true }

  /// Expects the answer of the dialler, and then frames or an `end`.
  mutating func beginWithAnswer() { (isReceiving, lacksAnswer) = (true, true) }

  mutating func noteAnswer() { lacksAnswer = false }

  mutating func end() {
    isReceiving = false
    ends.heard += 1
  }

  /// Records that everything received so far is stored.
  ///
  /// - Returns: The number of answered `end` messages.
  mutating func noteStored() -> UInt64 {
    ends.stored = ends.heard
    return ends.stored
  }
}
