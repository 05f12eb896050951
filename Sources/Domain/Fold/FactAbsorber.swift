/// Joins facts with the kept state of entities.
struct FactAbsorber: Sendable {
  /// The entities that the last fact has changed.
  private(set) var changed: [EventKey] = []
  /// The logs that may have lost earlier marks because only the last mark was kept.
  private var thinnedLogs: Set<UInt32> = []

  init() {}

  /// Whether any of the given logs may have lost earlier marks.
  func hasThinned(anyOf logs: Set<UInt32>) -> Bool { !thinnedLogs.isDisjoint(with: logs) }

  /// Joins one fact with the kept state; a verb that does not fit its target changes nothing.
  mutating func absorb(_ fact: Fact, into joined: inout JoinedEntities) {
    changed.removeAll(keepingCapacity: true)
    switch (fact.body.verb, fact.body.target) {
    case (.add, .kind(let kind)): add(fact, kind, to: &joined)
    case (.alias, .entity(let target)): alias(fact, target, in: &joined)
    case (.edit, .entity(let key)):
      let origin = joined.entities.note(fact.origin)
      let place = joined.entities.place(adding: key)
      keep(origin, at: place, as: .giver, of: fact.key.log, in: &joined)
      write(fact, by: origin, at: place, in: &joined)
    case (.restore, .entity(let key)):
      let place = joined.entities.place(adding: key)
      keep(joined.entities.note(fact.origin), at: place, as: .giver, of: fact.key.log, in: &joined)
    case (.delete, .entity(let key)):
      let place = joined.entities.place(adding: key)
      keep(joined.entities.note(fact.origin), at: place, as: .delete, of: fact.key.log, in: &joined)
    default: return
    }
    joined.forgetComponents(of: changed)
  }

  /// Inserts the kept state of an entity, in place of the facts that led to it.
  mutating func insert(_ entity: Entity, into joined: inout JoinedEntities) {
    joined.insert(entity)
    for mark in entity.givers + entity.deletes
    where !joined.causality.logsWithExceptions.contains(mark.key.log) {
      thinnedLogs.insert(mark.key.log)
    }
  }

  private mutating func add(_ fact: Fact, _ kind: Kind, to joined: inout JoinedEntities) {
    let source = fact.body.writes.last { $0.field == .source }.flatMap { Source($0.value) }
    let origin = joined.entities.note(fact.origin)
    let place = joined.entities.place(adding: fact.key)
    joined.entities.setBirth(at: place, by: origin, kind: kind, source: source)
    write(fact, by: origin, at: place, in: &joined)
    keepPromises(at: place, in: &joined)
    joined.indexSource(at: place)
  }

  private mutating func alias(
    _ fact: Fact, _ target: EventKey, in joined: inout JoinedEntities
  ) {
    let with = fact.body.writes.last { $0.field == .with }?.value.reference
    let joins = with.map { [target, $0] } ?? []
    let place = joined.entities.place(adding: fact.key)
    joined.entities.setBirth(
      at: place, by: joined.entities.note(fact.origin), kind: nil, source: nil, joins: joins)
    for end in joins {
      joined.entities.keep(alias: fact.key, at: joined.entities.place(adding: end))
    }
    keepPromises(at: place, in: &joined)
    changed.append(fact.key)
  }

  private mutating func write(
    _ fact: Fact, by origin: UInt32, at place: Int, in joined: inout JoinedEntities
  ) {
    changed.append(joined.entities.key(at: place))
    for parent in joined.entities.keepWrites(of: fact, by: origin, at: place) {
      keep(
        origin, at: joined.entities.place(adding: parent), as: .giver, of: fact.key.log, in: &joined
      )
    }
  }

  /// If the entity is a to-do, adds givers to its parents for references that were folded before its kind was known.
  private mutating func keepPromises(at place: Int, in joined: inout JoinedEntities) {
    let promises = joined.entities.takePromises(at: place)
    guard Field.Todo.list.namesParent(in: joined.entities.kind(at: place)) else { return }
    for promise in promises {
      let origin = joined.entities.note(Origin(of: promise.mark))
      let parent = joined.entities.place(adding: promise.parent)
      keep(origin, at: parent, as: .giver, of: promise.mark.key.log, in: &joined)
    }
  }

  /// Keeps an event that gave life to an entity or deleted it.
  private mutating func keep(
    _ origin: UInt32, at place: Int, as role: MarkRole, of log: UInt32,
    in joined: inout JoinedEntities
  ) {
    changed.append(joined.entities.key(at: place))
    let keepsAll = joined.causality.logsWithExceptions.contains(log)
    if joined.entities.keep(origin, as: role, at: place, besideOthers: keepsAll) {
      thinnedLogs.insert(log)
    }
  }
}
