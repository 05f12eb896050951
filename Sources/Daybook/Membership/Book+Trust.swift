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
      for place in kept {
        for found in try held(place, in: tree) {
          landmarks[found.place.log, default: [:]][place.sequence] = found.place.hash
          commandEnds[found.place.log, default: [:]][place.sequence] = found.commandEnd
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

  /// The events that a revoke may mean by one that it keeps, as they are held or were.
  ///
  /// Who revoked may have named a branch by the log, if nobody knew of the fork yet.
  private func held(
    _ place: Landmark, in tree: LogTree
  ) throws(DaybookError) -> [TrustRecord.Kept] {
    let logs = tree.subtree(of: place.log)
    var held: [TrustRecord.Kept] = []
    for log in logs {
      let (hash, commandEnd) = try landmark(of: log, at: place.sequence)
      guard let hash else { continue }
      let found = Landmark(log: log, sequence: place.sequence, hash: hash)
      held.append(TrustRecord.Kept(place: found, commandEnd: commandEnd))
    }
    if held.contains(where: { $0.place.hash == place.hash }) { return held }
    // What was kept once stays so where the event is lost.
    guard var kept = try storedTrust()?.kept.first(where: { $0.place.mark == place.mark }) else {
      return held
    }
    if !logs.contains(kept.place.log) { kept.place.log = place.log }
    return held.filter { $0.place.log != kept.place.log } + [kept]
  }

  /// Each event that a revoke keeps and that is held, or was.
  func keptPlaces(by ledger: Ledger) throws(DaybookError) -> [TrustRecord.Kept] {
    let tree = logTree
    var found: [Landmark: TrustRecord.Kept] = [:]
    for event in ledger.trustEvents {
      guard case .revoke(_, let kept) = event.verb else { continue }
      for place in kept {
        for held in try held(place, in: tree) where held.place.hash == place.hash {
          found[held.place] = held
        }
      }
    }
    return found.values.sorted {
      ($0.place.log, $0.place.sequence, $0.place.hash)
        < ($1.place.log, $1.place.sequence, $1.place.hash)
    }
  }

  /// The chain hash at an event, and the last event at or before it with which a command ends.
  func landmark(
    of log: UniqueID, at sequence: UInt64
  ) throws(DaybookError) -> (hash: UniqueID?, commandEnd: UInt64) {
    var hash: UniqueID?
    var commandEnd = sequence
    guard let end = journal.end(of: log, on: .logs), end.sequence >= sequence,
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
