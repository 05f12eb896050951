/// The state of the data for the peer: any number of rounds, each of which consists of frames and an `end`.
struct OutgoingStream: Sendable {
  private(set) var isSending = false
  /// The number of `end` messages from this side, and the number of those that the peer has answered.
  private var ends = (told: UInt64(0), answered: UInt64(0))

  /// Whether sending has begun, even if it has finished.
  var hasBegun: Bool { isSending || ends.told > 0 }

  /// Whether the peer might not yet have stored everything that it was sent.
  var awaitsPeer: Bool { isSending || ends.told > ends.answered }

  /// The number of `end` messages that the peer has answered.
  var answeredCount: UInt64 { ends.answered }

  /// Whether the peer may have answered the given number of `end` messages by now.
  func mayBeAnswered(_ count: UInt64) -> Bool { count >= ends.answered && count <= ends.told }

  mutating func begin() { isSending = true }

  mutating func end() {
    isSending = false
    ends.told += 1
  }

  /// Records how many `end` messages the peer has answered.
  mutating func noteAnswered(_ count: UInt64) { ends.answered = count }
}
