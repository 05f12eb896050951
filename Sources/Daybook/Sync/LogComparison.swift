package import Bytes

/// The events of one replica that this device and a peer held before a sync.
package struct LogComparison: Sendable {
  package var device: String
  package var replica: UniqueID
  /// The events that were held here.
  package var here: [ClosedRange<UInt64>]
  /// The events that the peer reported holding.
  package var there: [ClosedRange<UInt64>]
  /// The events that are held here after the sync.
  package var hereNow: [ClosedRange<UInt64>]
  /// Whether the log has branches; if so, sequences do not show what either side lacks.
  package var isForked: Bool
  /// Whether the peer accepts events.
  ///
  /// A bundle does not accept events.
  package var takes: Bool

  /// The events that were sent to the peer.
  package var toThem: [ClosedRange<UInt64>] { takes ? here.without(there) : [] }
  /// Events that the peer claims to hold and that were missing here.
  private var lacking: [ClosedRange<UInt64>] { there.without(here) }
  /// The events that were received from the peer.
  package var toUs: [ClosedRange<UInt64>] { lacking.without(untaken) }
  /// Missing events that were not received, because the peer cannot read them or because they were refused here.
  package var untaken: [ClosedRange<UInt64>] { lacking.without(hereNow) }

  /// The events that are lost here, according to the sequences.
  package var holesHere: [ClosedRange<UInt64>] { Self.holes(in: here) }
  /// The events that are missing at the peer although it holds later events.
  package var holesThere: [ClosedRange<UInt64>] { Self.holes(in: there) }

  private static func holes(in held: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    guard let last = held.last?.upperBound else { return [] }
    return [1...last].without(held)
  }
}
