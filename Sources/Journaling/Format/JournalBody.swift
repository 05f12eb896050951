import Bytes

/// What an event's body means to the journal.
///
/// The same interpretation is used when a frame is checked and when its events are folded.
///
/// Neither an invalid body nor a body of a newer version has any effect, because a reader cannot always distinguish the
/// two. Both are kept and sent on, because other devices may understand them. Only the body of an `open` must be valid,
/// because nothing in its log can be checked without it.
package enum JournalBody: Hashable, Sendable {
  /// A body that the domain decodes.
  case domain
  case trust(TrustVerb)
  case marker(RunMarker)
  /// The body of an event that only names other events as seen, in its header.
  case observation
  /// An invalid body, or a body of a newer version.
  case unread

  /// The marker, if the body is a marker.
  package var marker: RunMarker? { if case .marker(let marker) = self { marker } else { nil } }

  /// Interprets a body from its bytes alone.
  package init(_ body: Span<UInt8>) {
    do throws(CBORError) {
      var reader = CBORReader(body)
      guard try reader.arrayHeader() > 0 else {
        self = .unread
        return
      }
      let verb = try reader.unsigned()
      if JournalVerb.domain.contains(verb) {
        self = .domain
      } else if let trust = try TrustVerb.decode(body) {
        self = .trust(trust)
      } else if let marker = try RunMarker.decode(body) {
        self = .marker(marker)
      } else {
        self = verb == JournalVerb.observe.rawValue ? .observation : .unread
      }
    } catch {
      self = .unread
    }
  }
}
