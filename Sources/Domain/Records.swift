package import Bytes

/// The fold: everything the domain knows, as a function of the set of facts applied.
///
/// Applying is a join of what is known with one fact (see ``Entity``), so facts may come in any order and as
/// often as they like. Documents are worked out when asked for.
///
/// The pasts of the facts must be noted in ``causality`` by the time someone looks, and before the fact is
/// applied if the answer of ``apply(_:)`` is to be complete.
package struct Records: Sendable {
  struct SourceKey: Hashable {
    let kind: Kind
    let source: Source
  }

  package var causality: Causality
  package private(set) var entities: [EventKey: Entity] = [:]
  private var touched: Set<EventKey> = []
  private var identities: [UniqueID: EventKey] = [:]
  private(set) var sources: [SourceKey: [EventKey]] = [:]
  /// The logs of which only the last mark was kept somewhere.
  private var thinnedLogs: Set<UInt32> = []

  package init(causality: Causality = Causality()) { self.causality = causality }

  /// Folds a set of facts, with the pasts taken from the whole set it belongs to.
  package static func fold(_ facts: some Sequence<Fact>, causality: Causality) -> Records {
    var records = Records(causality: causality)
    for fact in facts { records.apply(fact) }
    return records
  }

  /// Whether the facts must be folded afresh because something dropped turns out to matter.
  ///
  /// That happens when the first event of a log is named as missing by someone after earlier events of that
  /// log were dropped for later ones: whoever saw the later need not have seen the earlier.
  package var needsRefold: Bool { !thinnedLogs.isDisjoint(with: causality.logsWithExceptions) }

  /// The entities touched since this was last asked.
  package mutating func takeTouched() -> Set<EventKey> {
    defer { touched = [] }
    return touched
  }

  package func entity(withID id: UniqueID) -> EventKey? { identities[id] }

  /// Takes in one fact; a body that makes no sense changes nothing.
  ///
  /// - Returns: The entities whose document may look different now, with all those joined with them. A document
  ///   that refers to one of them may also show it as another document, or as nothing, or be hidden.
  @discardableResult
  package mutating func apply(_ fact: Fact) -> [EventKey] {
    var changed: [EventKey] = []
    switch (fact.body.verb, fact.body.target) {
    case (.add, .kind(let kind)): add(fact, kind, &changed)
    case (.alias, .entity(let target)): alias(fact, target, &changed)
    case (.edit, .entity(let key)):
      give(fact.mark, to: key, &changed)
      write(fact, to: key, &changed)
    case (.restore, .entity(let key)): give(fact.mark, to: key, &changed)
    case (.delete, .entity(let key)): take(fact.mark, from: key, &changed)
    default: return []
    }
    let reached = reach(of: changed)
    touched.formUnion(reached)
    return reached
  }

  /// Takes in the kept state of an entity, in place of the facts that led to it.
  package mutating func insert(_ entity: Entity) {
    entities[entity.key] = entity
    index(entity)
    for mark in entity.givers + entity.deletes
    where !causality.logsWithExceptions.contains(mark.key.log) {
      thinnedLogs.insert(mark.key.log)
    }
  }
}

extension Records {
  private mutating func add(_ fact: Fact, _ kind: Kind, _ changed: inout [EventKey]) {
    let source = fact.body.writes.last { $0.field == .source }.flatMap { Source($0.value) }
    let birth = Entity.Birth(
      kind: kind, time: fact.time, effectiveTime: fact.effectiveTime, hash: fact.hash,
      source: source)
    entities[fact.key, default: Entity(key: fact.key)].birth = birth
    write(fact, to: fact.key, &changed)
    keepPromises(of: fact.key, &changed)
    if let entity = entities[fact.key] { index(entity) }
  }

  private mutating func alias(_ fact: Fact, _ target: EventKey, _ changed: inout [EventKey]) {
    let with = fact.body.writes.last { $0.field == .with }?.value.reference
    let joins = with.map { [target, $0] } ?? []
    entities[fact.key, default: Entity(key: fact.key)].birth = Entity.Birth(
      kind: nil, time: fact.time, effectiveTime: fact.effectiveTime, hash: fact.hash, joins: joins)
    for end in joins { entities[end, default: Entity(key: end)].aliases.insertSorted(fact.key) }
    keepPromises(of: fact.key, &changed)
    changed.append(fact.key)
  }

  private mutating func write(_ fact: Fact, to key: EventKey, _ changed: inout [EventKey]) {
    changed.append(key)
    let parents = entities[key, default: Entity(key: key)].keepWrites(of: fact)
    for parent in parents { give(fact.mark, to: parent, &changed) }
  }

  /// Lets what was written before the kind was known count for the parents it names.
  private mutating func keepPromises(of key: EventKey, _ changed: inout [EventKey]) {
    guard let entity = entities[key], !entity.promises.isEmpty else { return }
    entities[key]?.promises = []
    guard Field.Todo.list.namesParent(in: entity.kind) else { return }
    for promise in entity.promises { give(promise.mark, to: promise.parent, &changed) }
  }

  private mutating func give(_ mark: Mark, to key: EventKey, _ changed: inout [EventKey]) {
    changed.append(key)
    let keepsAll = causality.logsWithExceptions.contains(mark.key.log)
    let thins = entities[key, default: Entity(key: key)].givers.keep(mark, besideOthers: keepsAll)
    if thins { thinnedLogs.insert(mark.key.log) }
  }

  private mutating func take(_ mark: Mark, from key: EventKey, _ changed: inout [EventKey]) {
    changed.append(key)
    let keepsAll = causality.logsWithExceptions.contains(mark.key.log)
    let thins = entities[key, default: Entity(key: key)].deletes.keep(mark, besideOthers: keepsAll)
    if thins { thinnedLogs.insert(mark.key.log) }
  }

  private mutating func index(_ entity: Entity) {
    guard let kind = entity.kind, let id = entity.id else { return }
    identities[id] = entity.key
    guard let source = entity.source else { return }
    sources[SourceKey(kind: kind, source: source), default: []].insertSorted(entity.key)
  }
}

extension Fact {
  var mark: Mark { Mark(key: key, time: time, effectiveTime: effectiveTime) }
}
