// Each entity is alive or dead independently of the others; a document is alive if one of its members is.

extension Entity {
  /// All events that gave life to the entity, including its birth.
  var lifeGivers: [Mark] {
    birth.map { [Origin(of: $0, adding: key).mark] + givers } ?? givers
  }

  /// Whether an event that gave life to the entity was seen by none of its deletes.
  func isAlive(by causality: Causality) -> Bool {
    if deletes.isEmpty { return birth != nil || !givers.isEmpty }
    let isSeen = causality.areSeen(lifeGivers.map(\.key), by: deletes.map(\.key))
    return isSeen.contains(false)
  }
}
