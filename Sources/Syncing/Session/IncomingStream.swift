/// The state of the data from the peer: any number of rounds, each of which consists of frames and an `end`.
struct IncomingStream: Sendable {
  /// Whether the dialler still has to state which of the listener's places it holds.
  ///
  /// Until then, the dialler may send nothing else.
  private(set) var lacksAnswer = false
  private var isReceiving = false
  /// The number of `end` messages that have arrived, and of those whose events are all stored here.
  private var ends = (heard: UInt64(0), stored: UInt64(0))

  /// Whether the peer is sending nothing and everything that it sent is stored.
  var isStored: Bool { !isReceiving && ends.heard == ends.stored && !lacksAnswer }

  /// Whether an `end` may arrive.
  var mayEnd: Bool { isReceiving && !lacksAnswer }

  /// Whether a frame may arrive.
  ///
  /// If one of the sides does not stay connected, no frame may arrive after the peer's `end`.
  func mayBringFrame(isLive: Bool) -> Bool { !lacksAnswer && (isReceiving || isLive) }

  /// Expects frames or an `end`.
  mutating func begin() { isReceiving = true }

  /// Expects the dialler's answer, and then frames or an `end`.
  mutating func beginWithAnswer() { (isReceiving, lacksAnswer) = (true, true) }

  mutating func noteAnswer() { lacksAnswer = false }

  mutating func end() {
    isReceiving = false
    ends.heard += 1
  }

  /// Records that everything received so far has been stored.
  ///
  /// - Returns: The number of answered `end` messages.
  mutating func noteStored() -> UInt64 {
    ends.stored = ends.heard
    return ends.stored
  }
}
