/// An event to write.
package struct NewEvent: Hashable, Sendable {
  /// The time in ms since 1970; nil unless a source states the time.
  package var when: Int64?
  package var seen: [Seen]
  package var link: Reference?
  package var body: [UInt8]

  package init(
    when: Int64? = nil, seen: [Seen] = [], link: Reference? = nil, body: [UInt8]
  ) {
    self.when = when
    self.seen = seen
    self.link = link
    self.body = body
  }
}

/// Events that are written together or not at all.
package struct Command: Hashable, Sendable {
  /// The time in ms since 1970; replaced by the time of the log's last event if that is later.
  package var time: Int64
  package var events: [NewEvent]

  package init(time: Int64, events: [NewEvent]) {
    self.time = time
    self.events = events
  }
}
