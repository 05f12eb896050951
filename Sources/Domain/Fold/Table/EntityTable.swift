internal import Bytes

/// The entities of a fold, by the events that added them.
///
/// What is kept of them lies in a few large arrays. An ``Entity`` is put together when someone looks.
package struct EntityTable: Sendable {
  /// In the order in which the entities were first named.
  var rows: [EntityRow] = []
  /// The events that rows and writes name by their places.
  var origins = Origins()
  var chains = WriteChains()
  var rests: [EntityRest] = []
  var kinds = CompactInteger<UInt64>()
  var sources = SourceIndex()
  private var places = EntityPlaces()

  /// Chains of writes have no more.
  static let mostChained = 16

  package init() {}

  /// Makes room for what so many events are likely to add.
  mutating func reserveCapacity(forEvents count: Int) {
    // Where a table is one entity too small, all of them are moved, and there is room for twice as many.
    rows.reserveCapacity(count * 2 / 5)
    origins.reserveCapacity(count)
    chains.reserveCapacity(count * 3 / 2)
    sources.reserveCapacity(count / 3)
  }

  package var count: Int { rows.count }
  package var keys: [EventKey] { rows.map(\.key) }

  /// The entities, in the order in which they were first named.
  package var values: some RandomAccessCollection<Entity> { rows.indices.lazy.map(entity) }

  package subscript(key: EventKey) -> Entity? {
    guard let place = places[key] else { return nil }
    return entity(at: place)
  }

  /// Where an entity stands among the values.
  func place(of key: EventKey) -> Int? { places[key] }

  /// Where an entity stands, which is there from now on.
  mutating func place(adding key: EventKey) -> Int {
    if let place = places[key] { return place }
    places.insert(rows.count, for: key)
    rows.append(EntityRow(key))
    return rows.count - 1
  }

  /// All that is kept of the entity at a place.
  func entity(at place: Int) -> Entity {
    var entity = Entity(key: rows[place].key)
    entity.birth = birth(at: place)
    let rest = rows[place].rest == EntityRow.none ? nil : rests[Int(rows[place].rest)]
    entity.writes =
      if let rest, rows[place].writeCount == EntityRow.unchained {
        rest.writes.elements
      } else {
        chains.writes(
          from: rows[place].writes, count: Int(rows[place].writeCount), origins)
      }
    entity.givers = marks(.giver, at: place)
    entity.deletes = marks(.delete, at: place)
    if let rest {
      (entity.aliases, entity.promises) = (rest.aliases.elements, rest.promises.elements)
    }
    return entity
  }

  private func birth(at place: Int) -> Entity.Birth? {
    guard rows[place].birth != EntityRow.none else { return nil }
    let origin = origins[rows[place].birth]
    return Entity.Birth(
      kind: kind(at: place), time: origin.time, effectiveTime: origin.effectiveTime,
      hash: origin.hash, source: rows[place].source, joins: joins(at: place))
  }

  private func marks(_ role: MarkRole, at place: Int) -> [Mark] {
    let single = rows[place][role]
    if single != EntityRow.none { return [origins[single].mark] }
    return rows[place].rest == EntityRow.none ? [] : rests[Int(rows[place].rest)][role].elements
  }
}

// What is asked for so often that no entity is put together for it.

extension EntityTable {
  func key(at place: Int) -> EventKey { rows[place].key }

  func kind(at place: Int) -> Kind? {
    rows[place].kind == EntityRow.none ? nil : Kind(rawValue: kinds.widened(rows[place].kind))
  }

  func source(at place: Int) -> Source? { rows[place].source }

  func hasAliases(at place: Int) -> Bool {
    rows[place].rest != EntityRow.none && !rests[Int(rows[place].rest)].aliases.isEmpty
  }

  /// The two entities that the one at a place joins, if it is an alias.
  func joins(at place: Int) -> [EventKey] {
    rows[place].rest == EntityRow.none ? [] : rests[Int(rows[place].rest)].joins
  }

  func kind(of key: EventKey) -> Kind? {
    guard let place = places[key] else { return nil }
    return kind(at: place)
  }

  func id(of key: EventKey) -> UniqueID? {
    guard let place = places[key] else { return nil }
    return id(at: place)
  }

  func id(at place: Int) -> UniqueID? {
    let birth = rows[place].birth
    return birth == EntityRow.none ? nil : UniqueID(ofEntityAddedBy: origins.hash(at: birth))
  }
}

extension EntityTable: Equatable {
  /// Whether the same is known of the same entities, in whatever order they were named.
  package static func == (left: EntityTable, right: EntityTable) -> Bool {
    left.count == right.count && left.values.allSatisfy { right[$0.key] == $0 }
  }
}
