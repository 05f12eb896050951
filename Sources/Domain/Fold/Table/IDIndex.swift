internal import Bytes

/// The entities of a table by id.
///
/// Nothing is stored until ``build(of:)`` is called.
struct IDIndex: Sendable {
  private var keys: [UniqueID: EventKey]?

  init() {}

  /// The entity with the given id; a linear search until the index is built.
  func entity(withID id: UniqueID, in entities: EntityTable) -> EventKey? {
    if let keys { return keys[id] }
    let place = (0..<entities.count).first { place in
      entities.kind(at: place) != nil && entities.id(at: place) == id
    }
    return place.map(entities.key)
  }

  /// Adds all entities that have a kind, and keeps the index up to date from now on.
  mutating func build(of entities: EntityTable) {
    guard keys == nil else { return }
    var index: [UniqueID: EventKey] = [:]
    index.reserveCapacity(entities.count)
    for place in 0..<entities.count where entities.kind(at: place) != nil {
      if let id = entities.id(at: place) { index[id] = entities.key(at: place) }
    }
    keys = index
  }

  /// Whether the index is built.
  ///
  /// Check this property before calling ``note(_:of:)`` where many entities are added, because passing the table can
  /// copy it.
  var isBuilt: Bool { keys != nil }

  /// Adds an entity to an index that is built, if the entity has a kind.
  mutating func note(_ key: EventKey, of entities: EntityTable) {
    guard entities.kind(of: key) != nil, let id = entities.id(of: key) else { return }
    keys?[id] = key
  }
}
