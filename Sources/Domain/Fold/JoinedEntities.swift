internal import Bytes

/// The entities of a fold, and which of them are joined.
///
/// The entities of a document are joined by live aliases, or by equal sources of one kind.
///
/// Functions that read this value are methods or static functions, because an initializer would copy its argument to
/// own it.
package struct JoinedEntities: Sendable {
  var causality: Causality { didSet { components = ComponentCache() } }
  var entities = EntityTable()
  private var components = ComponentCache()

  init(causality: Causality) { self.causality = causality }

  /// Replaces the state of an entity.
  mutating func insert(_ entity: Entity) {
    components = ComponentCache()
    entities.insert(entity)
    indexSource(at: entities.place(adding: entity.key))
  }

  /// Joins the entity at a place with the other entities of its kind that have the same source.
  mutating func indexSource(at place: Int) {
    guard let first = entities.indexSource(at: place) else { return }
    // All entities that already have the source are in one component.
    components.forgetComponent(of: first)
  }

  /// Removes from the cache the components that a change to the given entities may have changed.
  mutating func forgetComponents(of changed: [EventKey]) {
    // Another copy of the entities uses this cache for its own state, which can differ from now on.
    guard isKnownUniquelyReferenced(&components) else { return components = ComponentCache() }
    guard !components.isUnused else { return }
    for key in changed {
      components.forgetComponent(of: key)
      guard let place = entities.place(of: key) else { continue }
      for end in entities.joins(at: place) { components.forgetComponent(of: end) }
    }
  }
}

extension JoinedEntities {
  /// Whether no alias refers to the entity and no other entity of its kind has its source.
  func isAlone(_ entity: borrowing Entity) -> Bool {
    entity.aliases.isEmpty && !hasTwin(entity.kind, entity.source)
  }

  private func hasTwin(_ kind: Kind?, _ source: Source?) -> Bool {
    guard entities.hasTwins, let kind, let source else { return false }
    return entities.isShared(SourceIndex.Name(kind: kind, source: source))
  }

  /// The component of an entity that is not alone, from the cache if possible.
  func component(of key: EventKey) -> Component {
    components.component(of: key) { component(around: key) }
  }

  private func component(around key: EventKey) -> Component {
    var aliases: [EventKey: Mark] = [:]
    let keys = closure(of: [key]) { entity, visit in
      for alias in entity.aliases {
        guard let link = entities[alias], link.isAlive(by: causality) else { continue }
        guard let birth = link.birth else { continue }
        aliases[alias] = Origin(of: birth, adding: alias).mark
        birth.joins.forEach(visit)
      }
    }
    return Component(
      keys: keys, documents: memberships(in: keys),
      settlers: causality.latestSettlers(Array(aliases.values)))
  }

  private func memberships(in keys: [EventKey]) -> [Kind: Component.Membership] {
    var members: [Kind: [(key: EventKey, stamp: Stamp, isAlive: Bool)]] = [:]
    for key in keys {
      guard let entity = entities[key], let birth = entity.birth, let kind = birth.kind else {
        continue
      }
      members[kind, default: []].append(
        (key, causality.stamp(of: birth, adding: key), entity.isAlive(by: causality)))
    }
    return members.mapValues { members in
      Component.Membership(
        members: members.sorted { $0.stamp < $1.stamp }.map(\.key),
        isAlive: members.contains(where: \.isAlive))
    }
  }

  /// All entities that are or could be joined with the given entities, including the aliases between them; sorted.
  func reach(of keys: [EventKey]) -> [EventKey] {
    closure(of: keys) { entity, visit in
      entity.aliases.forEach(visit)
      entity.birth?.joins.forEach(visit)
    }
  }

  /// The document of an entity that is not alone; nil if it is alone or its add is not folded.
  func membership(of entity: borrowing Entity) -> Component.Membership? {
    guard let kind = entity.kind, !isAlone(entity) else { return nil }
    return component(of: entity.key).documents[kind]
  }

  /// The member under which the document of an entity is shown; nil if the add of the entity is not folded.
  func shownMember(of key: EventKey) -> EventKey? {
    guard let place = entities.place(of: key), let kind = entities.kind(at: place) else {
      return nil
    }
    if !entities.hasAliases(at: place), !hasTwin(kind, entities.source(at: place)) { return key }
    return component(of: key).documents[kind]?.shown
  }

  /// The shown member of the document that has the given source and kind; nil if there is none.
  func shownMember(withSource source: Source, kind: Kind) -> EventKey? {
    entities.keys(named: SourceIndex.Name(kind: kind, source: source)).first
      .flatMap { shownMember(of: $0) }
  }

  /// The member under which the document of an entity is shown, and whether the document is alive.
  ///
  /// - Returns: nil if the add of the entity is not folded.
  func home(of entity: borrowing Entity) -> (shown: EventKey, isAlive: Bool)? {
    guard entity.kind != nil else { return nil }
    if isAlone(entity) { return (entity.key, entity.isAlive(by: causality)) }
    return membership(of: entity).map { ($0.shown, $0.isAlive) }
  }

  /// Whether the document of an entity is alive; false if the add of the entity is not folded.
  func isDocumentAlive(of key: EventKey) -> Bool {
    entities[key].flatMap { home(of: $0) }?.isAlive ?? false
  }

  /// The living documents that live aliases join with an entity, each with the events that made the join.
  ///
  /// A document is identified by the member under which it is shown.
  func homes(joinedWith key: EventKey) -> [(shown: EventKey, events: [EventKey])] {
    let links = (entities[key]?.aliases ?? []).compactMap { entities[$0] }
      .filter { $0.isAlive(by: causality) }
    return links.flatMap { link -> [(shown: EventKey, events: [EventKey])] in
      let events = [link.key] + link.givers.map(\.key)
      return (link.birth?.joins ?? []).compactMap { other in
        guard other != key, let entity = entities[other], let home = home(of: entity), home.isAlive
        else { return nil }
        return (home.shown, events)
      }
    }
  }

  /// All entities that can be reached from the given entities through equal sources and neighbours; sorted.
  private func closure(
    of keys: [EventKey], _ forEachNeighbour: (Entity, (EventKey) -> Void) -> Void
  ) -> [EventKey] {
    var found = keys
    var known: Set<EventKey> = []
    if keys.count > 1 {
      known = Set(keys)
      found = Array(known)
    }
    // Follow each source once, because every entity that has it leads to all the others.
    var names: Set<SourceIndex.Name> = []
    var next = 0
    while next < found.count {
      let key = found[next]
      next += 1
      guard let entity = entities[key] else { continue }
      func visit(_ neighbour: EventKey) {
        guard neighbour != key else { return }
        if known.isEmpty { known.formUnion(keys) }
        if known.insert(neighbour).inserted { found.append(neighbour) }
      }
      if hasTwin(entity.kind, entity.source), let kind = entity.kind, let source = entity.source {
        let name = SourceIndex.Name(kind: kind, source: source)
        if names.insert(name).inserted { entities.keys(named: name).forEach(visit) }
      }
      forEachNeighbour(entity, visit)
    }
    return found.sorted()
  }
}
