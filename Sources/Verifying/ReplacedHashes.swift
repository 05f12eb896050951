import Bytes

/// Compares the chain hashes in replaced files with those in the files that replaced them.
struct ReplacedHashes {
  /// The chain hash at one event according to a replaced file.
  private struct Statement {
    var sequence: UInt64
    var hash: Digest
    /// The fault to report if the log disagrees.
    var fault: Fault
  }

  /// The statements, which are sorted by event once the comparison has begun.
  private var statements: [Statement] = []
  /// The index of the first statement that has not been compared yet.
  private var next = 0

  /// Adds the chain hash at the current event of a replaced file.
  mutating func add(_ chain: ChainState, in faults: FaultCollector) {
    let fault = faults.fault(.disagreement(sequence: chain.sequence))
    statements.append(Statement(sequence: chain.sequence, hash: chain.hash, fault: fault))
  }

  /// Begins the comparison, after all replaced files have been read.
  mutating func beginComparing() { statements.sort { $0.sequence < $1.sequence } }

  /// Compares an event of the log.
  mutating func compare(_ chain: ChainState, _ faults: inout FaultCollector) {
    while next < statements.count, statements[next].sequence <= chain.sequence {
      let statement = statements[next]
      next += 1
      if statement.sequence == chain.sequence, statement.hash != chain.hash {
        faults.report(statement.fault)
      }
    }
  }

  /// Reports the events of replaced files that are beyond the last event of the log.
  ///
  /// If a file contains more events than its replacement, it should not have been replaced.
  func finish(at last: UInt64, _ faults: inout FaultCollector) {
    for statement in statements[next...] where statement.sequence > last {
      faults.report(statement.fault)
    }
  }
}
