package import Bytes

/// The fold: everything the domain knows, as a function of the set of facts applied.
///
/// Applying is a join of what is known with one fact (see ``Entity``), so facts may come in any order and as
/// often as they like. Documents are worked out when asked for.
///
/// The pasts of the facts must be noted in ``causality`` by the time someone looks, and before the fact is
/// applied if the answer of ``apply(_:)`` is to be complete.
package struct Records: Sendable {
  package var causality: Causality
  package private(set) var entities = EntityTable()
  /// The entities that the fact taken in last has changed.
  private var changed: [EventKey] = []
  private var touched: Set<EventKey> = []
  /// The entities by their ids; nil while nobody looks for many, see ``indexIDs()``.
  private var identities: [UniqueID: EventKey]?
  private var sources = SourceIndex()
  /// The entities of a source that several have; sorted.
  private var twins: [SourceIndex.Name: [EventKey]] = [:]
  /// The logs of which only the last mark was kept somewhere.
  private var thinnedLogs: Set<UInt32> = []

  package init(causality: Causality = Causality()) { self.causality = causality }

  /// Makes room for the entities that so many events are likely to add.
  package mutating func reserveCapacity(forEvents count: Int) {
    let likely = min(count / 3, Self.mostReserved)
    // Where a table is one entity too small, all of them are moved, and there is room for twice as many.
    entities.reserveCapacity(min(count * 2 / 5, Self.mostReserved))
    sources.reserveCapacity(likely)
  }

  /// Beyond that, growing costs little beside the rest.
  private static let mostReserved = 1 << 20

  /// Folds a set of facts, with the pasts taken from the whole set it belongs to.
  package static func fold(_ facts: some Sequence<Fact>, causality: Causality) -> Records {
    var records = Records(causality: causality)
    for fact in facts { records.absorb(fact) }
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

  /// The entity of an id, for which all are gone through unless they were indexed.
  package func entity(withID id: UniqueID) -> EventKey? {
    if let identities { return identities[id] }
    return entities.values.first { $0.kind != nil && $0.id == id }?.key
  }

  /// Makes it quick from now on to find an entity by its id, which costs a twentieth of a fold.
  package mutating func indexIDs() {
    guard identities == nil else { return }
    var index: [UniqueID: EventKey] = [:]
    index.reserveCapacity(entities.values.count)
    for entity in entities.values where entity.kind != nil {
      if let id = entity.id { index[id] = entity.key }
    }
    identities = index
  }

  /// Takes in one fact; a body that makes no sense changes nothing.
  ///
  /// - Returns: The entities whose document may look different now, with all those joined with them. A document
  ///   that refers to one of them may also show it as another document, or as nothing, or be hidden.
  @discardableResult
  package mutating func apply(_ fact: Fact) -> [EventKey] {
    absorb(fact)
    let reached = reach(of: changed)
    #if PLANTED
    if Planted.touchItselfOnly.isOn {
      touched.formUnion(changed)
      return changed
    }
    #endif
    touched.formUnion(reached)
    return reached
  }

  /// Takes in one fact of so many that nobody asks what each of them touches.
  package mutating func absorb(_ fact: Fact) {
    changed.removeAll(keepingCapacity: true)
    switch (fact.body.verb, fact.body.target) {
    case (.add, .kind(let kind)): add(fact, kind)
    case (.alias, .entity(let target)): alias(fact, target)
    case (.edit, .entity(let key)):
      #if PLANTED
      if Planted.dropEarlyEdits.isOn, entities[key]?.birth == nil { return }
      #endif
      give(fact.mark, to: key)
      write(fact, to: key)
    case (.restore, .entity(let key)): give(fact.mark, to: key)
    case (.delete, .entity(let key)): take(fact.mark, from: key)
    default: return
    }
  }

  /// Takes in the kept state of an entity, in place of the facts that led to it.
  package mutating func insert(_ entity: Entity) {
    entities.insert(entity)
    if let birth = entity.birth { index(entity.key, birth) }
    for mark in Array(entity.givers) + entity.deletes
    where !causality.logsWithExceptions.contains(mark.key.log) {
      thinnedLogs.insert(mark.key.log)
    }
  }
}

extension Records {
  private mutating func add(_ fact: Fact, _ kind: Kind) {
    let source = fact.body.writes.last { $0.field == .source }.flatMap { Source($0.value) }
    let birth = Entity.Birth(
      kind: kind, time: fact.time, effectiveTime: fact.effectiveTime, hash: fact.hash,
      source: source)
    entities.change(fact.key) { $0.birth = birth }
    write(fact, to: fact.key)
    keepPromises(of: fact.key)
    index(fact.key, birth)
  }

  private mutating func alias(_ fact: Fact, _ target: EventKey) {
    let with = fact.body.writes.last { $0.field == .with }?.value.reference
    let joins = with.map { [target, $0] } ?? []
    let birth = Entity.Birth(
      kind: nil, time: fact.time, effectiveTime: fact.effectiveTime, hash: fact.hash, joins: joins)
    entities.change(fact.key) { $0.birth = birth }
    #if PLANTED
    if Planted.dropEarlyJoins.isOn, joins.contains(where: { entities[$0]?.birth == nil }) { return }
    #endif
    for end in joins { entities.change(end) { $0.aliases.insertSorted(fact.key) } }
    keepPromises(of: fact.key)
    changed.append(fact.key)
  }

  private mutating func write(_ fact: Fact, to key: EventKey) {
    changed.append(key)
    let parents = entities.change(key) { $0.keepWrites(of: fact) }
    for parent in parents { give(fact.mark, to: parent) }
  }

  /// Lets what was written before the kind was known count for the parents it names.
  private mutating func keepPromises(of key: EventKey) {
    let (kind, promises) = entities.change(key) { entity in
      defer { entity.promises = [] }
      return (entity.kind, entity.promises)
    }
    guard Field.Todo.list.namesParent(in: kind) else { return }
    for promise in promises { give(promise.mark, to: promise.parent) }
  }

  private mutating func give(_ mark: Mark, to key: EventKey) {
    changed.append(key)
    let keepsAll = causality.logsWithExceptions.contains(mark.key.log)
    let thins = entities.change(key) { $0.givers.keep(mark, besideOthers: keepsAll) }
    if thins { thinnedLogs.insert(mark.key.log) }
  }

  private mutating func take(_ mark: Mark, from key: EventKey) {
    changed.append(key)
    let keepsAll = causality.logsWithExceptions.contains(mark.key.log)
    let thins = entities.change(key) { $0.deletes.keep(mark, besideOthers: keepsAll) }
    if thins { thinnedLogs.insert(mark.key.log) }
  }

  private mutating func index(_ key: EventKey, _ birth: Entity.Birth) {
    guard let kind = birth.kind else { return }
    identities?[UniqueID(ofEntityAddedBy: birth.hash)] = key
    guard let source = birth.source, let place = entities.place(of: key) else { return }
    let name = SourceIndex.Name(kind: kind, source: source)
    let first = sources.insert(place, as: name, in: entities)
    guard first != place else { return }
    twins[name, default: [entities.values[first].key]].insertSorted(key)
  }

  /// The entities of a kind that have a source; sorted.
  func entities(with source: Source, _ kind: Kind) -> [EventKey] {
    let name = SourceIndex.Name(kind: kind, source: source)
    if let several = twins[name] { return several }
    return sources.place(of: name, in: entities).map { [entities.values[$0].key] } ?? []
  }

  /// Whether any source is that of several entities.
  var hasTwins: Bool { !twins.isEmpty }

  /// Whether several entities of a kind have a source.
  func isShared(_ source: Source, _ kind: Kind) -> Bool {
    twins[SourceIndex.Name(kind: kind, source: source)] != nil
  }
}

extension Fact {
  var mark: Mark { Mark(key: key, time: time, effectiveTime: effectiveTime) }
}
