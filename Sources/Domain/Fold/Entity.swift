package import Bytes

/// A write to a field, with the event that made it.
package struct Stored: Hashable, Sendable {
  package var field: Field
  package var key: EventKey
  package var time: Int64
  package var effectiveTime: Int64
  package var hash: UniqueID
  package var value: Value

  package init(
    field: Field, key: EventKey, time: Int64, effectiveTime: Int64, hash: UniqueID, value: Value
  ) {
    self.field = field
    self.key = key
    self.time = time
    self.effectiveTime = effectiveTime
    self.hash = hash
    self.value = value
  }

  /// Whether the write was made later than another write, judged by place if both are in one log, and otherwise by
  /// time.
  func isLater(than other: Stored) -> Bool {
    guard key.log == other.key.log else { return (time, hash) > (other.time, other.hash) }
    return key.sequence > other.key.sequence
  }
}

/// An event that gave life to an entity or deleted it.
package struct Mark: Hashable, Sendable {
  package var key: EventKey
  package var time: Int64
  package var effectiveTime: Int64

  package init(key: EventKey, time: Int64, effectiveTime: Int64) {
    self.key = key
    self.time = time
    self.effectiveTime = effectiveTime
  }
}

/// The state that the fold keeps of one entity, before anything is decided.
///
/// A write is beaten by every later write to the same field in its log, and pasts only grow along a log. So only the
/// last write to a field in each log matters. That write is kept, beaten or not, as are the last event of each log that
/// gave life and the last delete. A query compares these few events to find the ones that survive.
///
/// Folding an event is therefore a join, so the order of arrival, delays and duplicates have no influence. Only
/// ``Records/needsRefold`` requires the facts to be folded again.
package struct Entity: Hashable, Sendable {
  /// The contents of the event that added the entity; an alias has no kind.
  package struct Birth: Hashable, Sendable {
    package var kind: Kind?
    package var time: Int64
    package var effectiveTime: Int64
    package var hash: UniqueID
    package var source: Source?
    /// The two entities that an alias joins.
    package var joins: [EventKey]

    package init(
      kind: Kind?, time: Int64, effectiveTime: Int64, hash: UniqueID, source: Source? = nil,
      joins: [EventKey] = []
    ) {
      self.kind = kind
      self.time = time
      self.effectiveTime = effectiveTime
      self.hash = hash
      self.source = source
      self.joins = joins
    }
  }

  /// A write that refers to a parent if the entity turns out to be a to-do.
  package struct Promise: Hashable, Sendable {
    package var parent: EventKey
    package var mark: Mark

    package init(parent: EventKey, mark: Mark) {
      self.parent = parent
      self.mark = mark
    }
  }

  package let key: EventKey
  /// The event that added the entity; nil until it is folded.
  package var birth: Birth?
  /// The writes, sorted by field, then by log, with at most one write to a field for each log.
  package var writes: [Stored] = []
  /// For each log, the last event that gave life: an edit, a restore, or a child whose parent is the entity; sorted.
  ///
  /// For logs in ``Causality/logsWithExceptions``, all such events are kept, because an event that saw a later giver
  /// need not have seen an earlier giver.
  package var givers: [Mark] = []
  /// The deletes, kept in the same way as the givers.
  package var deletes: [Mark] = []
  /// The aliases that refer to the entity, live or dead; sorted.
  package var aliases: [EventKey] = []
  /// The writes that were folded before the kind was known, sorted by event; empty once the kind is known.
  package var promises: [Promise] = []

  package init(key: EventKey) { self.key = key }

  package var kind: Kind? { birth?.kind }
  package var source: Source? { birth?.source }

  /// The id of the entity outside this process; nil until the event that adds it is folded.
  package var id: UniqueID? { birth.map { UniqueID(ofEntityAddedBy: $0.hash) } }

  /// The kept writes to a field, at most one per log.
  package func writes(of field: Field) -> ArraySlice<Stored> {
    let start = writes.firstPlace { $0.field >= field }
    return writes[start..<writes[start...].firstPlace { $0.field > field }]
  }
}

extension UniqueID {
  /// Creates the id of the entity that an event adds, which is the start of the event's chain hash with the bits of a
  /// UUIDv8.
  package init(ofEntityAddedBy hash: UniqueID) { self.init(version8: hash) }

  /// Creates a UUIDv8 from sixteen bytes by setting its version and variant bits.
  package init(version8 bytes: UniqueID) {
    self.init(
      high: bytes.high & ~0xF000 | 0x8000,
      low: bytes.low & ~(0b11 << 62) | 0b10 << 62)
  }
}
