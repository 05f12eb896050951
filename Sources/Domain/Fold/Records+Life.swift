internal import Bytes

// Each entity is alive or dead by itself; a document is alive if one of its members is.

extension Records {
  /// Whether an event that gave life to the entity was seen by none of its deletes.
  package func isAlive(_ entity: borrowing Entity) -> Bool {
    if entity.deletes.isEmpty { return entity.birth != nil || !entity.givers.isEmpty }
    let isSeen = causality.areSeen(
      entity.lifeGivers.map(\.key), by: entity.deletes.map(\.key))
    return isSeen.contains(false)
  }

  /// The latest delete and giver of one member that are in dispute and that no later event has settled.
  ///
  /// They are in dispute if they are concurrent and nothing took the delete back, or if an undo reopened the dispute.
  ///
  /// Each delete is compared with each giver, and each pair with each settler, so only the latest ones count, as
  /// protocol.md specifies.
  func dispute(among members: [Entity], settledBy aliases: [Mark]) -> Document.Dispute? {
    guard members.contains(where: { !$0.deletes.isEmpty }) else { return nil }
    let settlers = latestSettlers(members.flatMap { $0.givers + $0.deletes } + aliases).map(\.key)
    let keepers = latestSettlers(members.flatMap(\.lifeGivers)).map(\.key)
    let disputes = members.compactMap { member in
      latestDispute(in: member, settlers, keepers) ?? reopenedDispute(in: member, settlers)
    }
    return disputes.max { left, right in
      let (leftDelete, rightDelete) = (order(left.delete), order(right.delete))
      if leftDelete != rightDelete { return leftDelete < rightDelete }
      return order(left.giver) < order(right.giver)
    }
  }

  /// The latest of some events, as many as can settle disputes.
  func latestSettlers(_ marks: [Mark]) -> [Mark] { latest(marks, count: Schema.Limit.settlers) }

  /// Finds the latest delete with a concurrent giver such that no settler has seen both.
  ///
  /// A delete that a keeper has seen was taken back and does not count.
  private func latestDispute(
    in member: Entity, _ settlers: [EventKey], _ keepers: [EventKey]
  ) -> Document.Dispute? {
    let deletes = latest(member.deletes, count: Schema.Limit.disputedMarks)
      .filter { settled(by: keepers, $0.key) == 0 }
    guard !deletes.isEmpty else { return nil }
    let givers = latest(member.lifeGivers, count: Schema.Limit.disputedMarks)
    let heirs = givers.map { settled(by: settlers, $0.key) }
    for delete in deletes {
      let seers = settled(by: settlers, delete.key)
      for (giver, others) in zip(givers, heirs)
      where seers & others == 0 && causality.areConcurrent(delete.key, giver.key) {
        return Document.Dispute(delete: delete, giver: giver)
      }
    }
    return nil
  }

  /// The delete and the giver of a dispute that an undo reopened; nil if settlers have seen every such undo.
  ///
  /// The undo and the event that it took back are in one log, so a delete from another log is preferred. A giver from
  /// a log other than that of the delete is preferred, too.
  private func reopenedDispute(
    in member: Entity, _ settlers: [EventKey]
  ) -> Document.Dispute? {
    let undos = member.writes(of: .disputed).filter { $0.value == .boolean(true) }
    guard undos.contains(where: { settled(by: settlers, $0.key) == 0 }) else { return nil }
    let others = member.deletes.filter { delete in
      !undos.contains { $0.key.log == delete.key.log }
    }
    guard let delete = latest(others.isEmpty ? member.deletes : others, count: 1).first else {
      return nil
    }
    let givers = member.lifeGivers.filter { $0.key.log != delete.key.log }
    guard let giver = latest(givers.isEmpty ? member.lifeGivers : givers, count: 1).first else {
      return nil
    }
    return Document.Dispute(delete: delete, giver: giver)
  }

  /// The settlers that have seen an event, as a bit set.
  private func settled(by settlers: [EventKey], _ event: EventKey) -> UInt64 {
    settlers.enumerated().reduce(0) { bits, settler in
      causality.past(of: settler.element, includes: event) ? bits | 1 << settler.offset : bits
    }
  }

  /// The last mark of each log, limited to the `count` latest; the latest comes first.
  private func latest(_ marks: [Mark], count: Int) -> [Mark] {
    guard marks.count > 1 else { return marks }
    var last: [UInt32: Mark] = [:]
    for mark in marks where mark.key.sequence >= last[mark.key.log]?.key.sequence ?? 0 {
      last[mark.key.log] = mark
    }
    let sorted = last.values.map { ($0, order($0)) }.sorted { $0.1 > $1.1 }
    return sorted.prefix(count).map(\.0)
  }

  /// Orders marks like stamps.
  ///
  /// A mark needs no hash, because the log tells branches apart.
  private func order(_ mark: Mark) -> Stamp {
    let identity = causality.identity(of: mark.key.log)
    let none = UniqueID.none
    return Stamp(
      time: mark.time, replica: identity?.replica ?? none, sequence: mark.key.sequence,
      hash: identity?.id ?? none)
  }
}

extension Entity {
  /// All events that gave life to the entity, including its birth.
  var lifeGivers: [Mark] {
    birth.map { [Origin(of: $0, adding: key).mark] + givers } ?? givers
  }
}

extension Records {
  /// Whether users see a document: it is alive, and so is the parent that it belongs to.
  ///
  /// A to-do whose list was never folded is shown without a list. A choice or a pick is not shown without its
  /// question.
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
    entities[key].flatMap(home)?.isAlive ?? false
  }
}
