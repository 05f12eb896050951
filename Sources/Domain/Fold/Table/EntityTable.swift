internal import Bytes

/// The entities of a fold, by the events that added them.
///
/// The state of the entities is stored in a few large arrays. An ``Entity`` is assembled when it is read.
package struct EntityTable: Sendable {
  /// The rows, in the order in which the entities were first mentioned.
  var rows: [EntityRow] = []
  /// The events that rows and writes refer to by place.
  var origins = Origins()
  var chains = WriteChains()
  var rests: [EntityRest] = []
  var kinds = CompactInteger<UInt64>()
  var sources = SourceIndex()
  private var places = EntityPlaces()

  /// The maximum number of writes in a chain.
  static let mostChained = 16

  package init() {}

  /// Reserves space for the state that the given number of events is likely to add.
  mutating func reserveCapacity(forEvents count: Int) {
    // If the array is even one entity too small, all entities are moved to storage of twice the size.
    rows.reserveCapacity(count * 2 / 5)
    origins.reserveCapacity(count)
    chains.reserveCapacity(count * 3 / 2)
    sources.reserveCapacity(count / 3)
  }

  package var count: Int { rows.count }
  package var keys: [EventKey] { rows.map(\.key) }

  /// The entities, in the order in which they were first mentioned.
  ///
  /// The type is stated, because the runtime takes 130 µs at the start of a process to find the type of a result that
  /// is `some Collection`.
  package var values: LazyMapSequence<Range<Int>, Entity> { rows.indices.lazy.map(entity) }

  package subscript(key: EventKey) -> Entity? {
    guard let place = places[key] else { return nil }
    return entity(at: place)
  }

  /// The index of an entity in ``values``.
  func place(of key: EventKey) -> Int? { places[key] }

  /// The index of an entity, which is added if necessary.
  mutating func place(adding key: EventKey) -> Int {
    if let place = places[key] { return place }
    places.insert(rows.count, for: key)
    rows.append(EntityRow(key))
    return rows.count - 1
  }

  /// The kept state of the entity at a place.
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

// Frequent lookups, which do not assemble an ``Entity``.

extension EntityTable {
  func key(at place: Int) -> EventKey { rows[place].key }

  func kind(at place: Int) -> Kind? {
    rows[place].kind == EntityRow.none ? nil : Kind(rawValue: kinds.widened(rows[place].kind))
  }

  func source(at place: Int) -> Source? { rows[place].source }

  func hasAliases(at place: Int) -> Bool {
    rows[place].rest != EntityRow.none && !rests[Int(rows[place].rest)].aliases.isEmpty
  }

  /// The two entities that the alias at a place joins; empty for any other entity.
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
  /// Whether both tables hold the same state of the same entities, in any order.
  package static func == (left: EntityTable, right: EntityTable) -> Bool {
    left.count == right.count && left.values.allSatisfy { right[$0.key] == $0 }
  }
}
