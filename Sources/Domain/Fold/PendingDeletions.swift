import Bytes

/// The deletions that have no effect yet, because an event that they had not seen keeps the record alive.
///
/// Such a record is, or was, in a conflict between a delete and an edit. If the events that keep the record alive no
/// longer count, the deletion takes effect without another delete.
package struct PendingDeletions {
  private let facts: [Fact]
  private let causality: Causality

  /// - Parameters:
  ///   - facts: All facts that count.
  ///   - causality: The events that the authors of all facts had seen.
  package init(among facts: [Fact], causality: Causality) {
    (self.facts, self.causality) = (facts, causality)
  }

  /// The entities that a fact deletes.
  package var deleted: Set<EventKey> {
    Set(
      facts.compactMap { fact in
        guard fact.body.verb == .delete, case .entity(let key) = fact.body.target else {
          return nil
        }
        return key
      })
  }

  /// The given erased entities, and everything that they own, directly or through other entities.
  package func entities(erasedWith erased: Set<EventKey>) -> Set<EventKey> {
    var owned: [EventKey: [EventKey]] = [:]
    for fact in facts {
      if let owner = fact.owner { owned[owner, default: []].append(fact.key) }
    }
    var all: Set<EventKey> = []
    for entity in erased { owned.forEachReached(from: entity, known: &all) }
    return all
  }

  /// The given living records whose deletion takes effect once some facts no longer count.
  ///
  /// A record whose own add no longer counts is not included.
  package func takingEffect(
    on documents: [Document], in records: Records, without isGone: (Fact) -> Bool
  ) -> [Document] {
    let gone = Set(facts.filter(isGone).map(\.key))
    let endangered = documents.filter { document in
      document.isAlive
        && document.members.compactMap(records.entity(of:)).contains { entity in
          !entity.deletes.isEmpty && entity.lifeGivers.contains { gone.contains($0.key) }
        }
    }
    guard !endangered.isEmpty else { return [] }
    let left = Records.fold(
      facts.filter { !gone.contains($0.key) }, causality: causality)
    return endangered.filter { document in
      let remaining = document.members.filter { !gone.contains($0) }
      return !remaining.isEmpty
        && !remaining.contains { left.document(of: $0)?.isAlive ?? false }
    }
  }
}

extension Fact {
  /// The owner of the entity that the fact adds.
  package var owner: EventKey? {
    guard body.verb == .add else { return nil }
    return body.writes.last { $0.field == .owner }?.value.reference
  }
}
