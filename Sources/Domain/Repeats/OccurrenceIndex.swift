/// The entities that name a to-do as their series, keyed by that to-do.
///
/// An owner never changes, so entries are only added. An entry is kept even if the entity is dead.
struct OccurrenceIndex: Sendable {
  private var keys: [EventKey: [EventKey]] = [:]

  /// Notes the entity that a fact adds, if it is an occurrence.
  mutating func note(_ fact: Fact) {
    guard fact.body.target == .kind(.todo), fact.body.verb == .add,
      let owner = fact.body.writes.last(where: { $0.field == .owner })?.value.reference
    else { return }
    insert(fact.key, of: owner)
  }

  /// Notes an entity whose kept state is inserted, if it is an occurrence.
  mutating func note(_ entity: Entity) {
    guard entity.kind == .todo, let owner = entity.writes(of: .owner).first?.value.reference else {
      return
    }
    insert(entity.key, of: owner)
  }

  private mutating func insert(_ key: EventKey, of owner: EventKey) {
    // The same fact may be applied more than once.
    if keys[owner]?.contains(key) != true { keys[owner, default: []].append(key) }
  }

  subscript(owner: EventKey) -> [EventKey] { keys[owner] ?? [] }

  /// The entities that are named as a series, in no particular order.
  var owners: some Sequence<EventKey> { keys.keys }
}
