package import Bytes

/// An event of a frame: its position in the frame's content, and its most frequently used properties.
package struct EventRecord: Sendable {
  package var sequence: UInt64
  /// The time in ms since 1970, according to the author's clock.
  package var time: Int64
  /// The time that a source states for the event, in ms since 1970; nil if no source states a time.
  package var when: Int64?
  package var header: Range<Int>
  package var body: Range<Int>
  /// The number of the body's verb, or nil if the body was stripped.
  package var verb: UInt64?
  /// In the first event of a command, the number of the command's other events; otherwise 0.
  package var more: UInt64
  /// Whether the header names other events, as seen or as undone.
  package var namesOthers: Bool
  /// Whether a command begins at this event.
  package var isCommandStart: Bool
  /// The chain hash of the log at this event.
  package var hash: Digest

  package var isStripped: Bool { verb == nil }
}
