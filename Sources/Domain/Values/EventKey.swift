/// Names an event inside one process: the number of its log, and its place there.
///
/// Log numbers are local to whoever reads the journal (``Causality`` hands them out), so nothing that leaves
/// the process may contain one. An entity is named by the event that added it.
package struct EventKey: Hashable, Comparable, Sendable {
  package var log: UInt32
  package var sequence: UInt64

  package init(log: UInt32, sequence: UInt64) {
    self.log = log
    self.sequence = sequence
  }

  /// The sequences that events can have.
  package static let sequences: ClosedRange<UInt64> = 1...(1 << 62 - 1)

  package static func < (left: EventKey, right: EventKey) -> Bool {
    (left.log, left.sequence) < (right.log, right.sequence)
  }
}
