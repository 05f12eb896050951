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
  package var givers = Marks()
  /// Deletes, kept like the givers.
  package var deletes: [Mark] = []
  /// The aliases, live or dead, that name it; sorted.
  package var aliases: [EventKey] = []
  /// Writes made before the kind is known; empty once it is.
  package var promises: [Promise] = []

  package init(key: EventKey) { self.key = key }

  package var kind: Kind? { birth?.kind }
  package var source: Source? { birth?.source }

  /// The id that names it outside of this process.
  package var id: UniqueID? { birth.map { UniqueID(ofEntityAddedBy: $0.hash) } }

  /// The kept writes of a field, at most one of each log.
  package func writes(of field: Field) -> ArraySlice<Stored> {
    guard let start = writes.firstIndex(where: { $0.field == field }) else { return [] }
    return writes[start...].prefix { $0.field == field }
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

extension Entity {
  /// Keeps what an add or edit writes.
  ///
  /// - Returns: The parents it names, in whose life it counts.
  mutating func keepWrites(of fact: Fact) -> [EventKey] {
    let isAdd = fact.body.verb == .add
    var parents: [EventKey] = []
    let lastLeftOut = isAdd ? Field.source : .owner
    if writes.isEmpty {
      writes.reserveCapacity(fact.body.writes.count { $0.field > lastLeftOut })
    }
    for write in fact.body.writes where write.field > lastLeftOut {
      keep(
        Stored(
          field: write.field, key: fact.key, time: fact.time, effectiveTime: fact.effectiveTime,
          hash: fact.hash, value: write.value))
      guard let parent = write.value.reference else { continue }
      if birth != nil {
        if write.field.namesParent(in: kind) { parents.append(parent) }
      } else if write.field == Field.Todo.list {
        let promise = Promise(parent: parent, mark: fact.mark)
        if !promises.contains(promise) { promises.append(promise) }
      }
    }
    return parents
  }

  /// Up to so many writes there is just the room for them: an array makes room for twice as many, which an entity
  /// seldom uses.
  private static let few = 16

  /// Keeps a write unless the log has a later one of the field.
  mutating func keep(_ write: Stored) {
    let place =
      writes.firstPlace { ($0.field, $0.key.log) >= (write.field, write.key.log) }
    guard place < writes.count, writes[place].field == write.field,
      writes[place].key.log == write.key.log
    else {
      if writes.count < Self.few { writes.reserveCapacity(writes.count + 1) }
      writes.insert(write, at: place)
      return
    }
    if writes[place].key.sequence <= write.key.sequence { writes[place] = write }
  }
}

extension [Mark] {
  /// Keeps a mark, either as the last of its log or beside the others.
  ///
  /// - Returns: Whether another one was dropped for it, or it for another one.
  mutating func keep(_ mark: Mark, besideOthers keepsAll: Bool) -> Bool {
    let place = firstPlace { $0.key >= mark.key }
    if place < count, self[place].key == mark.key { return false }
    if keepsAll {
      insert(mark, at: place)
      return false
    }
    if place < count, self[place].key.log == mark.key.log { return true }
    guard place > 0, self[place - 1].key.log == mark.key.log else {
      insert(mark, at: place)
      return false
    }
    self[place - 1] = mark
    return true
  }
}
