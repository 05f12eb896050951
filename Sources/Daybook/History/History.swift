package import Bytes
package import Domain

/// What happened, the latest first.
package struct History: Sendable {
  package var entries: [HistoryEntry]
  /// How many there are before these.
  package var earlier: Int
  /// The records that the entries are about and those that they name, by the keys that stand there.
  package var documents: [EventKey: Document]
  /// The record that was asked for, if one was.
  package var subject: Document?
  /// The events that first wrote the values that an undo has brought back into conflict.
  package var origins: [Stored: EventKey]
}

/// One event of a record, as people are told of it.
package struct HistoryEntry: Sendable {
  /// A value that a field held before, and who had written it.
  package struct Replaced: Sendable {
    package var write: Stored
    package var device: String
  }

  /// The record it is about, or nil if that is of no known kind.
  package var document: Document?
  /// The two records, or the one, that an alias joins or has joined, if it takes that back or gives it again.
  package var joined: [Document]
  package var fact: Fact
  /// The log it stands in, and what its device is called.
  package var replica: UniqueID
  package var device: String
  /// What the log is called where devices are listed, which tells its branches apart.
  package var log: String
  /// Whether it undid an earlier command, or did one again.
  package var undoer: Undoer?
  /// Whether what it said is erased; the fact says nothing then.
  package var isErased: Bool
  /// Whether its time lies so far ahead that the clock behind it was wrong.
  package var isClockSuspect: Bool
  /// The first event of its command, by its place in the log.
  package var command: UInt64
  /// What it is told of as a part of.
  package var entry: EntryList.Entry
  /// Why the command was given, in the user's words.
  package var reason: String?
  /// What its author knew the fields to hold that it gave other values, the value shown then first.
  package var replaced: [Field: [Replaced]]
}

/// Which events are asked for; all, where nothing is said.
package struct HistoryWish: Sendable {
  /// The record they are about.
  package var id: UniqueID?
  /// A field they write, by its name in JSON or as an option.
  package var field: String?
  /// The device that wrote them.
  package var device: Device?
  /// The command they belong to: the log it stands in, and its first event.
  package var command: (replica: UniqueID, first: UInt64)?
  package var since: Int64?
  package var until: Int64?
  /// How many at most, the latest ones.
  package var limit: Int?

  package init(
    id: UniqueID? = nil, field: String? = nil, device: Device? = nil,
    command: (replica: UniqueID, first: UInt64)? = nil, since: Int64? = nil, until: Int64? = nil,
    limit: Int? = nil
  ) {
    self.id = id
    self.field = field
    self.device = device
    self.command = command
    self.since = since
    self.until = until
    self.limit = limit
  }
}
