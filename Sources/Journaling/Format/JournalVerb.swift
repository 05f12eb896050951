/// The verbs of the journal, with their numbers in `protocol.md`.
///
/// Numbers are never reused. The verbs of ``domain`` belong to the domain; the journal does not decode their bodies.
package enum JournalVerb: UInt64, Sendable {
  case open = 8
  case admit = 9
  case revoke = 10
  case retire = 11
  case erase = 12
  case begin = 16
  case end = 17
  /// The event only names other events as seen, in its header.
  case observe = 18

  /// The numbers of the domain, including unused ones.
  package static let domain: ClosedRange<UInt64> = 0...7
  /// The numbers for membership and erasure, including unused ones.
  package static let trust: ClosedRange<UInt64> = 8...15
  /// The numbers for events that only mark a position in the log, including unused ones.
  package static let markers: ClosedRange<UInt64> = 16...23
}
