import Bytes
import Crypto
import Platform

/// Gives the frames that another lacks of a replica's logs, strand after strand.
package struct ReplicaExport: ~Copyable {
  /// A part of a strand.
  struct Stretch {
    var folder: LogFolder
    /// All up to here is held by the other.
    var after: UInt64
    /// What it holds behind.
    var islands: [ClosedRange<UInt64>]
  }

  /// How many events were left out, since no head proves them and this device cannot sign for their log.
  package private(set) var withheld: UInt64 = 0

  private var waiting: ArraySlice<Stretch>
  private var islands: [ClosedRange<UInt64>] = []
  private var current: LogExport?
  private let signer: (log: UniqueID, keys: any SigningSource)?

  init(_ stretches: [Stretch], signer: (UniqueID, any SigningSource)?) {
    waiting = stretches[...]
    self.signer = signer
  }

  /// The next frame, or nil at the end.
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
