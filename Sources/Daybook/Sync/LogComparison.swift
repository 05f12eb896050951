package import Bytes

/// Where this device and a peer stand with the log of one replica, before they sync.
package struct LogComparison: Sendable {
  package var device: String
  package var replica: UniqueID
  /// The events that are held here.
  package var here: [ClosedRange<UInt64>]
  /// The events that the peer says it holds.
  package var there: [ClosedRange<UInt64>]
  /// The events that are held here after the sync.
  package var hereNow: [ClosedRange<UInt64>]
  /// Whether the log has branches, so that numbers alone do not tell what either side lacks.
  package var isForked: Bool
  /// Whether the peer takes anything: a bundle does not.
  package var takes: Bool

  /// The events that go to the peer.
  package var toThem: [ClosedRange<UInt64>] { takes ? here.without(there) : [] }
  /// Events that the peer claims to hold and that were missing here.
  private var lacking: [ClosedRange<UInt64>] { there.without(here) }
  /// The events that come from the peer.
  package var toUs: [ClosedRange<UInt64>] { lacking.without(untaken) }
  /// Missing events that did not come: they are unreadable at the peer, or refused here.
  package var untaken: [ClosedRange<UInt64>] { lacking.without(hereNow) }

  /// The events that are lost here, as far as the numbers tell.
  package var holesHere: [ClosedRange<UInt64>] { Self.holes(in: here) }
  /// The events that are not there though later ones are.
  package var holesThere: [ClosedRange<UInt64>] { Self.holes(in: there) }

  private static func holes(in held: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    guard let last = held.last?.upperBound else { return [] }
    return [1...last].without(held)
  }
}
