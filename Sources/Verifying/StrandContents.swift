import Bytes

/// The parts of a strand on which the report and the checks of other logs depend.
struct StrandContents {
  var log: VerifiedLog
  /// The stripped events, in order.
  private(set) var stripped: [StrippedEvent] = []
  /// The `erase` events.
  private(set) var erasures: [EventMark] = []

  init(of log: VerifiedLog) { self.log = log }

  /// Adds the content of the event that the chain has reached.
  mutating func add(_ content: BodyCheck.Content, at chain: ChainState) {
    switch content {
    case .erase: erasures.append(EventMark(sequence: chain.sequence, hash: chain.hash.prefix16))
    case .stripped(let erase):
      log.stripped += 1
      stripped.append(StrippedEvent(sequence: chain.sequence, erase: erase))
    case .opening, .other: break
    }
    if chain.sequence == 1 { log.firstHash = chain.hash }
  }
}

/// An event whose body was stripped.
struct StrippedEvent {
  var sequence: UInt64
  var erase: EventMark
}
