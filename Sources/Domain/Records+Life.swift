internal import Bytes

// Life and death: decided per entity, shown per document.

extension Records {
  /// Whether some event that gave the entity life was seen by no delete of it.
  package func isAlive(_ entity: Entity) -> Bool {
    if entity.deletes.isEmpty { return entity.birth != nil || !entity.givers.isEmpty }
    return entity.lifeGivers.contains { giver in
      !entity.deletes.contains { causality.past(of: $0.key, includes: giver.key) }
    }
  }

  /// The latest delete and giver of a member that are concurrent and that no later event has settled.
  func dispute(among members: [Entity], in component: [EventKey]) -> Document.Dispute? {
    guard members.contains(where: { !$0.deletes.isEmpty }) else { return nil }
    let settlers =
      members.flatMap { $0.givers + $0.deletes }.map(\.key)
      + liveAliases(in: component)
    var open: [Document.Dispute] = []
    for member in members {
      for delete in member.deletes {
        for giver in member.lifeGivers where causality.areConcurrent(delete.key, giver.key) {
          let isSettled = settlers.contains {
            causality.past(of: $0, includes: delete.key)
              && causality.past(of: $0, includes: giver.key)
          }
          if !isSettled { open.append(Document.Dispute(delete: delete, giver: giver)) }
        }
      }
    }
    return open.max { left, right in
      let (leftDelete, rightDelete) = (order(left.delete), order(right.delete))
      if leftDelete != rightDelete { return leftDelete < rightDelete }
      return order(left.giver) < order(right.giver)
    }
  }

  private func liveAliases(in component: [EventKey]) -> [EventKey] {
    component.flatMap { entities[$0]?.aliases ?? [] }
      .filter { entities[$0].map(isAlive) ?? false }
  }

  /// Orders marks as stamps do; a mark needs no hash, since the log tells branches apart.
  private func order(_ mark: Mark) -> Stamp {
    let identity = causality.identity(of: mark.key.log)
    let none = UniqueID.none
    return Stamp(
      time: mark.time, replica: identity?.replica ?? none, sequence: mark.key.sequence,
      hash: identity?.id ?? none)
  }
}

extension Entity {
  /// All events that gave it life, its birth included.
  var lifeGivers: [Mark] {
    birth.map { [Origin(of: $0, adding: key).mark] + givers } ?? givers
  }
}

extension Records {
  /// Whether people are to see a document: it is alive, and so is the parent it hangs on.
  ///
  /// A to-do whose list was never folded is shown without one; a choice or pick is nothing without its question.
  package func isShown(_ document: Document) -> Bool {
    guard document.isAlive else { return false }
    switch document.kind {
    case .choice, .pick:
      guard let owner = document.value(.owner).reference else { return false }
      return isDocumentAlive(owner)
    case .todo:
      return document.value(Field.Todo.list).reference.map(isDocumentAlive) ?? true
    default: return true
    }
  }

  private func isDocumentAlive(_ key: EventKey) -> Bool {
    guard let entity = entities[key] else { return false }
    return members(of: entity, in: component(of: key)).contains(where: isAlive)
  }
}
