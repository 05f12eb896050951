package import Bytes
package import Domain

/// The events that a request selects, latest first.
package struct History: Sendable {
  package var entries: [HistoryEntry]
  /// The number of earlier events that match the request but exceed its limit.
  package var earlier: Int
  /// The records that the events are about or refer to, by the entities that occur in the events.
  package var documents: [EventKey: Document]
  /// The requested record; nil if none was requested.
  package var subject: Document?
  /// For each value that an undo has brought back into conflict, the event that first wrote it.
  ///
  /// Only conflicts of the requested record are included.
  package var origins: [Stored: EventKey]
}

/// One event about a record, prepared for display.
package struct HistoryEntry: Sendable {
  /// A previous value of a field, and the name of the device that wrote it.
  package struct Replaced: Sendable {
    package var write: Stored
    package var device: String
  }

  /// The record that the event is about; nil if there is none, for example because the event was erased.
  ///
  /// For an event that deletes or restores an alias, this is the first record that the alias joins.
  package var document: Document?
  /// The records that an alias joins, if the event deletes or restores that alias; otherwise empty.
  ///
  /// There is only one record if the two entities belong to the same record.
  package var joined: [Document]
  package var fact: Fact
  /// The log of the event, and the name of its device.
  package var replica: UniqueID
  package var device: String
  /// The name of the log, which also distinguishes branches and devices with the same name.
  package var log: String
  /// Whether the event's command was an undo or a redo; nil if it was neither.
  package var undoer: Undoer?
  /// Whether the event was erased; if so, its fact writes nothing.
  package var isErased: Bool
  /// Whether the effective time is more than a day ahead of the clock of this device.
  package var isClockSuspect: Bool
  /// The sequence of the first event in the event's command.
  package var command: UInt64
  /// The entry of the daybook that the event belongs to.
  package var entry: EntryList.Entry
  /// The reason for the command, in the user's words.
  package var reason: String?
  /// For each field that the event overwrites, the values that its author had seen there, starting with the shown
  /// value.
  package var replaced: [Field: [Replaced]]
  /// If the event joined two records, the values that the first took from the second; see
  /// ``HistoryWish/includesTaken``.
  package var taken = TakenValues.none
}

/// Selects events for the history; a nil property selects all.
package struct HistoryWish: Sendable {
  /// The record that the events are about.
  package var id: UniqueID?
  /// A field that the events write, by its name in JSON or as an option.
  package var field: String?
  /// The device that wrote the events.
  package var device: Device?
  /// The command of the events: its log and its first event.
  package var command: (replica: UniqueID, first: UInt64)?
  package var since: Int64?
  package var until: Int64?
  /// The maximum number of events; the latest are chosen.
  package var limit: Int?
  /// Whether events that joined records include the values that the first record took from the second.
  ///
  /// To find these values, the records are folded as they were before they were joined.
  package var includesTaken: Bool

  package init(
    id: UniqueID? = nil, field: String? = nil, device: Device? = nil,
    command: (replica: UniqueID, first: UInt64)? = nil, since: Int64? = nil, until: Int64? = nil,
    limit: Int? = nil, includesTaken: Bool = false
  ) {
    self.id = id
    self.field = field
    self.device = device
    self.command = command
    self.since = since
    self.until = until
    self.limit = limit
    self.includesTaken = includesTaken
  }
}
