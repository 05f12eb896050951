import Bytes
import Crypto
import Journaling

/// Where the logs of a machine end, to be compared with another's that holds the same events.
struct LogEnds {
  /// The events that each log leads to; of one that is lost from its beginning on, nothing but its folder is there.
  private var ends: [UniqueID: LogEnd]
  private var replicas: [UniqueID: UniqueID] = [:]
  /// What the logs of each replica lead to on all branches, whatever these are called.
  private var tips: [UniqueID: Set<Digest>] = [:]
  /// The replicas with a hole in what came first.
  private var torn: Set<UniqueID> = []

  init(of journal: borrowing Journal) {
    // Who writes a log that nobody admits has it among the book's, and others have it beside them.
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

  /// The first log that another machine has otherwise, and how far each of the two has it.
  func difference(from other: LogEnds) -> (log: UniqueID, here: UInt64, there: UInt64)? {
    for (log, end) in ends.sorted(by: { $0.key < $1.key })
    where other.ends[log]?.hash != end.hash && !isOnlyNamed(log, otherwiseThan: other) {
      return (log, end.sequence, other.ends[log]?.sequence ?? 0)
    }
    return nil
  }

  /// Whether a fork that one of the two alone sees gives events of some log other names.
  func isNamedDifferently(from other: LogEnds) -> Bool {
    Set(ends.keys).union(other.ends.keys).contains { log in
      ends[log]?.hash != other.ends[log]?.hash && isOnlyNamed(log, otherwiseThan: other)
    }
  }

  /// Whether all that the log's replica wrote leads to the same, and a fork gives it other names.
  ///
  /// What is left of a branch whose first command nobody has shows a fork to the one who holds it alone.
  private func isOnlyNamed(_ log: UniqueID, otherwiseThan other: LogEnds) -> Bool {
    guard let replica = replicas[log] ?? other.replicas[log],
      torn.contains(replica) || other.torn.contains(replica)
    else { return false }
    return tips[replica] == other.tips[replica]
  }
}
