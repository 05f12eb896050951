package import Bytes

/// Where an event lies in its frame's content, and what a reader asks of it most.
package struct EventRecord: Sendable {
  package var sequence: UInt64
  /// In ms since 1970, as the author's clock told it.
  package var time: Int64
  /// In ms since 1970, where a source gives another time for the fact.
  package var when: Int64?
  package var header: Range<Int>
  package var body: Range<Int>
  /// The number of the body's verb, or nil where an `erase` took the body away.
  package var verb: UInt64?
  /// How many events of the command follow.
  package var more: UInt64
  /// Whether the header names other events, as seen or undone.
  package var namesOthers: Bool
  /// Whether a command begins here.
  package var isCommandStart: Bool
  /// The log's chain hash at this event.
  package var hash: Digest

  package var isStripped: Bool { verb == nil }
}
