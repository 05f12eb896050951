package import Bytes

/// One kept write of a field.
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
}

/// An event that gave an entity life or took it.
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

/// What the folded events say about one entity: the state of the fold, before anything is decided.
///
/// A write is beaten by every later write of the same field in its log, and pasts grow along a log: so of each
/// log only the last write of a field matters. It is kept, beaten or not, and so are of each log the last
/// event that gave life and the last delete. What survives is found by comparing those few when someone looks.
/// The state is therefore a join: order of arrival, lateness and duplicates cannot matter, and nothing is
/// ever folded afresh for having come late.
package struct Entity: Hashable, Sendable {
  /// What the event that added it says; an alias is born without a kind.
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

  /// A write that names a parent if the entity turns out to be of a kind whose field does that.
  package struct Promise: Hashable, Sendable {
    package var parent: EventKey
    package var mark: Mark

    package init(parent: EventKey, mark: Mark) {
      self.parent = parent
      self.mark = mark
    }
  }

  package let key: EventKey
  /// Nil until the event that adds it is folded.
  package var birth: Birth?
  /// Sorted by field, then log; one for each.
  package var writes: [Stored] = []
  /// Edits, restores and children that named it as their parent: the last of each log, sorted.
  ///
  /// Of logs that have ``Causality/logsWithExceptions`` all are kept, since who saw a later one need not
  /// have seen an earlier one.
  package var givers: [Mark] = []
  /// Deletes, kept like the givers.
  package var deletes: [Mark] = []
  /// The aliases, live or dead, that name it; sorted.
  package var aliases: [EventKey] = []
  /// Writes made before the kind is known, sorted by event; empty once it is.
  package var promises: [Promise] = []

  package init(key: EventKey) { self.key = key }

  package var kind: Kind? { birth?.kind }
  package var source: Source? { birth?.source }

  /// The id that names it outside of this process.
  package var id: UniqueID? { birth.map { UniqueID(ofEntityAddedBy: $0.hash) } }

  /// The kept writes of a field, at most one of each log.
  package func writes(of field: Field) -> ArraySlice<Stored> {
    let start = writes.firstPlace { $0.field >= field }
    return writes[start..<writes[start...].firstPlace { $0.field > field }]
  }
}

extension UniqueID {
  /// The id of the entity that an event adds: its chain hash, made a UUIDv8.
  package init(ofEntityAddedBy hash: UniqueID) {
    self.init(
      high: hash.high & ~0xF000 | 0x8000,
      low: hash.low & ~(0b11 << 62) | 0b10 << 62)
  }
}
