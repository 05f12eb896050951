import Bytes
import Crypto
import Journaling

extension Book {
  /// Who may write to the book, or to one that was made of the same logs, by their trust events.
  func trust(by ledger: Ledger, in book: UniqueID? = nil) throws(DaybookError) -> Trust {
    var landmarks: [UniqueID: [UInt64: UniqueID]] = [:]
    var commandEnds: [UniqueID: [UInt64: UInt64]] = [:]
    let tree = logTree
    for event in ledger.trustEvents {
      guard case .revoke(_, let kept) = event.verb else { continue }
      // Who revoked may have named a branch by the log, if nobody knew of the fork yet.
      for place in kept {
        for log in tree.subtree(of: place.log) {
          let found = try landmark(of: log, at: place.sequence)
          landmarks[log, default: [:]][place.sequence] = found.hash
          commandEnds[log, default: [:]][place.sequence] = found.commandEnd
        }
      }
    }
    return Trust(
      TrustInput(
        book: book ?? file.book, events: ledger.trustEvents, forks: tree.forks,
        hash: { log, sequence in
          sequence == 1 ? ledger.firstHashes[log] : landmarks[log]?[sequence]
        },
        commandEnd: { log, sequence in commandEnds[log]?[sequence] ?? sequence }))
  }

  /// The chain hash at an event, and the last event at or before it with which a command ends.
  func landmark(
    of log: UniqueID, at sequence: UInt64
  ) throws(DaybookError) -> (hash: UniqueID?, commandEnd: UInt64) {
    var hash: UniqueID?
    var commandEnd = sequence
    guard let end = journal.logs[log], end.sequence >= sequence,
      sequence >= journal.lineage(of: log).first
    else { return (nil, sequence) }
    try forEachFrame(of: log, from: sequence, upTo: sequence) { frame in
      for event in frame.events where event.sequence <= sequence {
        if event.sequence == sequence { hash = event.hash.prefix16 }
        guard event.isCommandStart else { continue }
        let last = event.sequence + event.more
        commandEnd = last <= sequence ? last : event.sequence - 1
      }
    }
    return (hash, commandEnd)
  }
}
