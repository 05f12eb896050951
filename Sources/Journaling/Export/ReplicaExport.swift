import Bytes
import Crypto
import Platform

/// Returns those frames of a replica that a peer lacks, strand by strand.
package struct ReplicaExport: ~Copyable {
  /// The part of a strand that is exported.
  struct Stretch {
    var folder: LogFolder
    /// The last event up to which the peer holds everything.
    var after: UInt64
    /// The ranges after ``after`` that the peer holds.
    var islands: [ClosedRange<UInt64>]
  }

  /// The number of events omitted because no head proves them and this device cannot sign their log, or because they do
  /// not fit into one frame with the head that proves them.
  package private(set) var withheld: UInt64 = 0

  private var waiting: ArraySlice<Stretch>
  private var islands: [ClosedRange<UInt64>] = []
  private var current: LogExport?
  private let signer: (log: UniqueID, keys: any SigningSource)?

  init(_ stretches: [Stretch], signer: (UniqueID, any SigningSource)?) {
    waiting = stretches[...]
    self.signer = signer
  }

  /// Returns the next frame, or nil at the end.
  package mutating func next() throws(JournalError) -> [UInt8]? {
    while true {
      if var export = current.take() {
        let frame = try export.next()
        let last = export.sequence
        let first = export.firstSequence
        if let frame {
          current = consume export
          let isHeld = islands.contains { $0.lowerBound <= first && last <= $0.upperBound }
          if isHeld { continue }
          return frame
        }
        withheld += export.withheld
      }
      guard let stretch = waiting.popFirst() else { return nil }
      islands = stretch.islands
      current = LogExport(
        LogReader(stretch.folder, from: stretch.after + 1), after: stretch.after, signer: signer)
    }
  }
}
