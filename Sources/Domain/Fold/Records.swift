package import Bytes

/// The fold: all entities and documents, as a function of the set of applied facts.
///
/// Applying a fact joins it with the kept state (see ``Entity``), so facts may be applied in any order and more than
/// once. Documents are computed on demand.
///
/// The pasts of the facts must be noted in ``causality`` before documents are read. For a complete result of
/// ``apply(_:)``, they must be noted before the fact is applied.
package struct Records: Sendable {
  package private(set) var joined: JoinedEntities
  /// The entities that the last fact has changed.
  private var changed: [EventKey] = []
  /// The entities that ``apply(_:)`` has reached since ``takeTouched()`` was last called.
  package private(set) var touched: Set<EventKey> = []
  private var ids = IDIndex()
  /// The logs that may have lost earlier marks because only the last mark was kept.
  private var thinnedLogs: Set<UInt32> = []

  package init(causality: Causality = Causality()) {
    joined = JoinedEntities(causality: causality)
  }

  // These lend what they return, because it is large and read for each entity.

  package var causality: Causality {
    _read { yield joined.causality }
    _modify { yield &joined.causality }
  }

  package var entities: EntityTable { _read { yield joined.entities } }

  /// Reserves space for the state that a number of events is likely to add.
  package mutating func reserveCapacity(forEvents count: Int) {
    joined.entities.reserveCapacity(forEvents: min(count, Self.mostReserved))
  }

  /// The most events to reserve space for; beyond it, growing costs little in comparison.
  private static let mostReserved = 1 << 21

  /// Folds a set of facts, with pasts from the whole set that they belong to.
  package static func fold(_ facts: some Sequence<Fact>, causality: Causality) -> Records {
    var records = Records(causality: causality)
    for fact in facts { records.absorb(fact) }
    return records
  }

  /// Whether the facts must be folded again because dropped marks may matter.
  ///
  /// That happens when an event of a log is first named as an exception after earlier marks of the log were dropped
  /// for later ones: an event that saw the later mark need not have seen the earlier one.
  package var needsRefold: Bool {
    !thinnedLogs.isDisjoint(with: joined.causality.logsWithExceptions)
  }

  /// Returns ``touched``, and empties it.
  package mutating func takeTouched() -> Set<EventKey> {
    defer { touched = [] }
    return touched
  }

  /// The entity with an id; a linear search unless ``indexIDs()`` was called.
  package func entity(withID id: UniqueID) -> EventKey? {
    ids.entity(withID: id, in: joined.entities)
  }

  /// Builds an index that makes ``entity(withID:)`` fast, for about a twentieth of the cost of a fold.
  package mutating func indexIDs() { ids.build(of: joined.entities) }

  /// Applies one fact; a verb that does not fit its target changes nothing.
  ///
  /// - Returns: The entities whose documents may have changed, with all entities joined with them. A document that
  ///   refers to one of them may change too: it may show another document or none, or be hidden.
  @discardableResult
  package mutating func apply(_ fact: Fact) -> [EventKey] { apply([fact]) }

  /// Applies some facts.
  ///
  /// The entities that they reach are collected once, because each fact may reach all those that the others reach.
  ///
  /// - Returns: The entities whose documents may have changed; sorted.
  @discardableResult
  package mutating func apply(_ facts: [Fact]) -> [EventKey] {
    var named: Set<EventKey> = []
    for fact in facts {
      absorb(fact)
      named.formUnion(changed)
    }
    let reached = joined.reach(of: Array(named))
    touched.formUnion(reached)
    return reached
  }

  /// Applies one fact without collecting the entities that it reaches, for folding many facts.
  package mutating func absorb(_ fact: Fact) {
    changed.removeAll(keepingCapacity: true)
    switch (fact.body.verb, fact.body.target) {
    case (.add, .kind(let kind)): add(fact, kind)
    case (.alias, .entity(let target)): alias(fact, target)
    case (.edit, .entity(let key)):
      let origin = joined.entities.note(fact.origin)
      let place = joined.entities.place(adding: key)
      keep(origin, at: place, as: .giver, in: fact.key.log)
      write(fact, by: origin, at: place)
    case (.restore, .entity(let key)):
      let place = joined.entities.place(adding: key)
      keep(joined.entities.note(fact.origin), at: place, as: .giver, in: fact.key.log)
    case (.delete, .entity(let key)):
      let place = joined.entities.place(adding: key)
      keep(joined.entities.note(fact.origin), at: place, as: .delete, in: fact.key.log)
    default: return
    }
    joined.forgetComponents(of: changed)
  }

  /// Inserts the kept state of an entity, in place of the facts that led to it.
  package mutating func insert(_ entity: Entity) {
    joined.insert(entity)
    if ids.isBuilt { ids.note(entity.key, of: joined.entities) }
    for mark in entity.givers + entity.deletes
    where !joined.causality.logsWithExceptions.contains(mark.key.log) {
      thinnedLogs.insert(mark.key.log)
    }
  }
}

// What users of the fold read of its entities.

extension Records {
  /// The member under which the document of an entity is shown; nil if the add of the entity is not folded.
  package func shownMember(of key: EventKey) -> EventKey? { joined.shownMember(of: key) }

  /// The member under which the document of an entity is shown, and whether the document is alive.
  ///
  /// - Returns: nil if the add of the entity is not folded.
  package func home(of entity: borrowing Entity) -> (shown: EventKey, isAlive: Bool)? {
    joined.home(of: entity)
  }

  /// The living documents that live aliases join with an entity, each with the events that joined them.
  ///
  /// A document is given by the member under which it is shown.
  package func homes(joinedWith key: EventKey) -> [(shown: EventKey, events: [EventKey])] {
    joined.homes(joinedWith: key)
  }
}

extension Records {
  private mutating func add(_ fact: Fact, _ kind: Kind) {
    let source = fact.body.writes.last { $0.field == .source }.flatMap { Source($0.value) }
    let origin = joined.entities.note(fact.origin)
    let place = joined.entities.place(adding: fact.key)
    joined.entities.setBirth(at: place, by: origin, kind: kind, source: source)
    write(fact, by: origin, at: place)
    keepPromises(at: place)
    joined.indexSource(at: place)
    if ids.isBuilt { ids.note(fact.key, of: joined.entities) }
  }

  private mutating func alias(_ fact: Fact, _ target: EventKey) {
    let with = fact.body.writes.last { $0.field == .with }?.value.reference
    let joins = with.map { [target, $0] } ?? []
    let place = joined.entities.place(adding: fact.key)
    joined.entities.setBirth(
      at: place, by: joined.entities.note(fact.origin), kind: nil, source: nil, joins: joins)
    for end in joins {
      joined.entities.keep(alias: fact.key, at: joined.entities.place(adding: end))
    }
    keepPromises(at: place)
    changed.append(fact.key)
  }

  private mutating func write(_ fact: Fact, by origin: UInt32, at place: Int) {
    changed.append(joined.entities.key(at: place))
    for parent in joined.entities.keepWrites(of: fact, by: origin, at: place) {
      keep(origin, at: joined.entities.place(adding: parent), as: .giver, in: fact.key.log)
    }
  }

  /// Counts list references from before the kind was known as givers of the parents, if the entity is a to-do.
  private mutating func keepPromises(at place: Int) {
    let promises = joined.entities.takePromises(at: place)
    guard Field.Todo.list.namesParent(in: joined.entities.kind(at: place)) else { return }
    for promise in promises {
      let origin = joined.entities.note(Origin(of: promise.mark))
      let parent = joined.entities.place(adding: promise.parent)
      keep(origin, at: parent, as: .giver, in: promise.mark.key.log)
    }
  }

  /// Keeps an event that gave life to an entity or deleted it.
  private mutating func keep(
    _ origin: UInt32, at place: Int, as role: MarkRole, in log: UInt32
  ) {
    changed.append(joined.entities.key(at: place))
    let keepsAll = joined.causality.logsWithExceptions.contains(log)
    if joined.entities.keep(origin, as: role, at: place, besideOthers: keepsAll) {
      thinnedLogs.insert(log)
    }
  }
}
