internal import Bytes

// Which entities are one document: joined by live aliases, and by equal sources of one kind.

extension Records {
  /// The stamp of an entity's birth.
  func birthStamp(of entity: Entity, _ birth: Entity.Birth) -> Stamp {
    stamp(of: entity.key, time: birth.time, hash: birth.hash)
  }

  func stamp(of write: Stored) -> Stamp {
    stamp(of: write.key, time: write.time, hash: write.hash)
  }

  private func stamp(of key: EventKey, time: Int64, hash: UniqueID) -> Stamp {
    let replica = causality.identity(of: key.log)?.replica ?? UniqueID.none
    return Stamp(time: time, replica: replica, sequence: key.sequence, hash: hash)
  }

  /// Whether nothing is or could be joined with an entity by the names that others have for it.
  package func isAlone(_ entity: Entity) -> Bool {
    entity.aliases.isEmpty && !hasTwin(entity.kind, entity.source)
  }

  private func hasTwin(_ kind: Kind?, _ source: Source?) -> Bool {
    guard hasTwins, let kind, let source else { return false }
    return isShared(source, kind)
  }

  /// Everything joined with an entity, whatever the kinds; sorted.
  func component(of key: EventKey) -> [EventKey] {
    guard let entity = entities[key], !isAlone(entity) else { return [key] }
    return closure(of: [key]) { entity, visit in
      forEachTwin(of: entity, visit)
      for alias in entity.aliases {
        guard let link = entities[alias], isAlive(link) else { continue }
        link.birth?.joins.forEach(visit)
      }
    }
  }

  /// Everything that is or could be joined with some entities, the aliases between them included; sorted.
  func reach(of keys: [EventKey]) -> [EventKey] {
    closure(of: keys) { entity, visit in
      forEachTwin(of: entity, visit)
      entity.aliases.forEach(visit)
      entity.birth?.joins.forEach(visit)
    }
  }

  /// The entities of one kind in a component, by the stamps of their adds.
  func members(of entity: Entity, in component: [EventKey]) -> [Entity] {
    guard component.count > 1 else { return [entity] }
    let members = component.compactMap { key in
      entities[key].flatMap { member in
        member.kind == entity.kind ? member.birth.map { (member, $0) } : nil
      }
    }
    return members.map { ($0, birthStamp(of: $0, $1)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// The member that the document of an entity is shown under; nil when its add is not folded.
  package func shownMember(of key: EventKey) -> EventKey? {
    guard let place = entities.place(of: key), let kind = entities.kind(at: place) else {
      return nil
    }
    if !entities.hasAliases(at: place), !hasTwin(kind, entities.source(at: place)) { return key }
    return members(of: entities.entity(at: place), in: component(of: key)).first?.key
  }

  /// The living records that live aliases join with an entity, each with the events that joined them.
  package func documents(
    joinedWith key: EventKey
  ) -> [(document: Document, events: [EventKey])] {
    let links = (entities[key]?.aliases ?? []).compactMap { entities[$0] }.filter(isAlive)
    return links.flatMap { link -> [(document: Document, events: [EventKey])] in
      let events = [link.key] + link.givers.map(\.key)
      return (link.birth?.joins ?? []).compactMap { other in
        guard other != key, let document = document(of: other), document.isAlive else { return nil }
        return (document, events)
      }
    }
  }

  private func forEachTwin(of entity: Entity, _ visit: (EventKey) -> Void) {
    guard let kind = entity.kind, let source = entity.source else { return }
    entities(with: source, kind).forEach(visit)
  }

  private func closure(
    of keys: [EventKey], _ forEachNeighbour: (Entity, (EventKey) -> Void) -> Void
  ) -> [EventKey] {
    var found = keys
    var known: Set<EventKey> = []
    if keys.count > 1 {
      known = Set(keys)
      found = Array(known)
    }
    var next = 0
    while next < found.count {
      let key = found[next]
      next += 1
      guard let entity = entities[key] else { continue }
      forEachNeighbour(entity) { neighbour in
        guard neighbour != key else { return }
        if known.isEmpty { known.formUnion(keys) }
        if known.insert(neighbour).inserted { found.append(neighbour) }
      }
    }
    return found.sorted()
  }
}
