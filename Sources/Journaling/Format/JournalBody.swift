import Bytes

/// What a body says to the journal: the one judgement by which a frame is taken, and events are folded and remembered.
///
/// A body that makes no sense changes nothing, and so does one of a newer version: a reader cannot always tell the two
/// apart. Both are kept and sent on, since others may understand them. Only an `open` has to make sense, because nothing
/// of its log can be checked without it.
package enum JournalBody: Hashable, Sendable {
  /// The domain's, which reads it itself.
  case domain
  case trust(TrustVerb)
  case marker(RunMarker)
  /// It only names what was seen.
  case observation
  /// Of no sense, or of a newer version.
  case unread

  /// The mark of a run, where it is one.
  package var marker: RunMarker? { if case .marker(let marker) = self { marker } else { nil } }

  /// Judges a body by its bytes alone; nothing else that is known plays a part.
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
