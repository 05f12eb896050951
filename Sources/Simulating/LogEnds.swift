import Bytes
import Crypto
import Journaling

/// The ends of all logs of a station, for comparison with another station that holds the same events.
struct LogEnds {
  /// The ends of all logs that have events.
  ///
  /// A log without events is excluded, because it may be known only by its folder.
  private var ends: [UniqueID: LogEnd]
  private var replicas: [UniqueID: UniqueID] = [:]
  /// For each replica, the chain hashes at the ends of all its branches, independent of the branches' names.
  private var tips: [UniqueID: Set<Digest>] = [:]
  /// The replicas with a hole in their first strand.
  private var torn: Set<UniqueID> = []

  init(of journal: borrowing Journal) {
    // On a station that is not admitted, the station's own log is among the book's logs, whereas other stations have
    // set it aside. Both kinds of logs are therefore included.
    let held = journal.logs.merging(journal.aside) { own, _ in own }
    ends = held.filter { $0.value.sequence > 0 }
    let trunks = Set(journal.forks.values.map(\.trunk))
    for (log, end) in held {
      let replica = journal.lineage(of: log).replica
      replicas[log] = replica
      if !journal.holes(inStrand: replica).isEmpty { torn.insert(replica) }
      if !trunks.contains(log), end.sequence > 0 { tips[replica, default: []].insert(end.hash) }
    }
  }

  /// The first log that ends differently on another station, and its last event on both stations.
  func difference(from other: LogEnds) -> (log: UniqueID, here: UInt64, there: UInt64)? {
    for (log, end) in ends.sorted(by: { $0.key < $1.key })
    where other.ends[log]?.hash != end.hash && !isOnlyNamed(log, otherwiseThan: other) {
      return (log, end.sequence, other.ends[log]?.sequence ?? 0)
    }
    return nil
  }

  /// Whether a log differs only in its name, because only one of the two stations has detected a fork.
  func isNamedDifferently(from other: LogEnds) -> Bool {
    Set(ends.keys).union(other.ends.keys).contains { log in
      ends[log]?.hash != other.ends[log]?.hash && isOnlyNamed(log, otherwiseThan: other)
    }
  }

  /// Whether all events of the log's replica result in the same ends on both stations, so that the logs differ only in
  /// their names.
  ///
  /// If a replica has a hole, it is possible that only the station that holds the rest of a branch has detected the
  /// fork.
  private func isOnlyNamed(_ log: UniqueID, otherwiseThan other: LogEnds) -> Bool {
    guard let replica = replicas[log] ?? other.replicas[log],
      torn.contains(replica) || other.torn.contains(replica)
    else { return false }
    return tips[replica] == other.tips[replica]
  }
}
