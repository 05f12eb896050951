import Domain

/// The facts that remain when a target is undone, from which the records without the target are folded.
struct RemainingFacts {
  /// The entities whose adds take effect again with the undo; see ``UndoFold/born(undoing:)``.
  let born: Set<EventKey>
  /// The members of occurrences that remain, without any values, although their adds are undone.
  var bare: Set<EventKey> = []
  private let kept: KeptAdds
  private let target: UndoTarget
  /// The events to ignore, by their logs.
  private let leftOut: [UInt32: Set<UInt64>]
  private let isUndone: (EventKey) -> Bool
  private let isTakenBack: (Fact) -> Bool
  private var revived: Set<EventKey> = []

  init(_ fold: UndoFold, undoing target: UndoTarget) {
    self.target = target
    born = fold.born(undoing: target)
    kept = KeptAdds(fold, undoing: target)
    leftOut = fold.leftOut(undoing: target)
    isUndone = fold.isUndone(undoing: target)
    isTakenBack = fold.isTakenBack(besides: target)
    revived = fold.revived(leavingOut: isLeftOut)
  }

  /// Whether an event is ignored, because it belongs to the target or because an undo or a redo has voided it.
  func isLeftOut(_ key: EventKey) -> Bool { leftOut[key.log]?.contains(key.sequence) == true }

  /// The given entities whose adds are undone.
  func takenBack(among entities: some Sequence<EventKey>) -> Set<EventKey> {
    Set(entities.lazy.filter(isUndone)).subtracting(revived).subtracting(kept.entities)
  }

  func holds(_ fact: Fact) -> Bool {
    if isLeftOut(fact) {
      if kept.facts.contains(fact.key) { return true }
      guard fact.body.verb == .add else { return false }
      return bare.contains(fact.key) || revived.contains(fact.key) && !target.holds(fact.key)
    }
    // An undone delete does not count against an entity that is restored here, because at the time of that undo there
    // was nothing to restore.
    guard fact.body.verb == .delete, case .entity(let key) = fact.body.target else { return true }
    return !(born.contains(key) && isUndone(fact.key))
  }

  /// Removes the values from the add of an occurrence that counts without values, except the values that identify the
  /// occurrence.
  func strip(_ fact: inout Fact) {
    guard bare.contains(fact.key) || kept.occurrences.contains(fact.key) else { return }
    fact.body.keepOnlyIdentityOfOccurrence()
  }

  private func isLeftOut(_ fact: Fact) -> Bool { isLeftOut(fact.key) || isTakenBack(fact) }
}
