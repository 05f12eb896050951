import Bytes
import Crypto
import Platform

/// What lies behind events that whoever sends the rest has lost, too: it is as good as what lies before.
extension Journal {
  /// Stages the first frame behind such a hole.
  ///
  /// It must tell the table of logs and end in a head: nothing else says what it follows. A forked log is left
  /// alone, since nobody could tell which branch this is.
  mutating func leap(
    to frame: Frame, _ bytes: [UInt8], of replica: UniqueID, from held: UInt64
  ) throws(JournalError) {
    let refusal = JournalError.gap(replica, held: held, received: frame.firstSequence)
    // What came before the hole is stored first: it may have been more than was held.
    try store(replica)
    receptions[replica] = nil
    try seal(replica, keys: nil)
    guard let state = states[replica], state.ending.isSound, state.tail == nil,
      strands(of: replica) == [replica], frame.firstSequence > state.end.sequence + 1,
      state.losses.events.count < Limit.holes, let start = frame.start, frame.head != nil
    else { throw refusal }
    let key = try publicKey(of: replica)
    let arrived = try stripArriving(frame, bytes, of: replica, after: start, open: nil)
    var reception = Reception(of: replica, on: state.shelf, after: start, publicKey: key)
    try reception.stage(arrived.frame, bytes: arrived.bytes, &chain)
    reception.missing = state.end.sequence + 1...frame.firstSequence - 1
    receptions[replica] = reception
  }
}
