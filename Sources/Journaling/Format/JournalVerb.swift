/// The verbs the journal itself understands, by their numbers in ``protocol.md``.
///
/// A number is never used again for anything else. All other verbs are the domain's business, and
/// their bodies are opaque bytes here.
package enum JournalVerb: UInt64, Sendable {
  case open = 8
  case admit = 9
  case revoke = 10
  case retire = 11
  case erase = 12
  case begin = 16
  case end = 17
  /// Says nothing but what its header names as seen.
  case observe = 18

  /// Numbers that are the domain's, taken or not.
  package static let domain: ClosedRange<UInt64> = 0...7
  /// Numbers that say who may write and what is erased, taken or not.
  package static let trust: ClosedRange<UInt64> = 8...15
  /// Numbers that mark a place in the log and change nothing, taken or not.
  package static let markers: ClosedRange<UInt64> = 16...23
}
