/// The name of an event within one process, made of the number of its log and its sequence in that log.
///
/// ``Causality`` assigns the log numbers, which are local to the reader of the journal, so data that leaves the process
/// must not contain them. An entity is identified by the event that added it.
package struct EventKey: Hashable, Comparable, Sendable {
  package var log: UInt32
  package var sequence: UInt64

  package init(log: UInt32, sequence: UInt64) {
    self.log = log
    self.sequence = sequence
  }

  /// The sequence numbers that events can have.
  package static let sequences: ClosedRange<UInt64> = 1...(1 << 62 - 1)

  package static func < (left: EventKey, right: EventKey) -> Bool {
    (left.log, left.sequence) < (right.log, right.sequence)
  }
}
