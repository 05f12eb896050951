import Domain

/// The adds of undone commands that the undo left in effect, because something depended on their entities.
///
/// An undone command counts as if it had never been written. These entities are exceptions to this rule. The undo did
/// not delete them, so undoing another command must not delete them either.
struct KeptAdds {
  /// The entities whose adds were left in effect.
  private(set) var entities: Set<EventKey> = []
  /// The entities that are occurrences.
  ///
  /// The undo has opened these occurrences again, so their adds count without any values.
  private(set) var occurrences: Set<EventKey> = []
  /// The adds, and the edits of the entities by the same commands.
  private(set) var facts: Set<EventKey> = []

  /// Finds the adds that count when a target is undone.
  ///
  /// The undos of all devices are taken into account. Commands that the target undoes or brings back do not count,
  /// because their records are judged by what depends on them.
  init(_ fold: UndoFold, undoing target: UndoTarget) {
    for log in fold.steps.keys {
      note(UndoneSteps(of: log, in: fold, undoing: target), in: fold)
    }
  }

  private mutating func note(_ undone: UndoneSteps, in fold: UndoFold) {
    var adders: [EventKey: UInt64] = [:]
    for fact in undone.facts where fact.body.verb == .add && undone.hasKept(fact.key, in: fold) {
      adders[fact.key] = undone.step(of: fact.key)
      if fact.body.setsSlot { occurrences.insert(fact.key) }
    }
    entities.formUnion(adders.keys)
    facts.formUnion(adders.keys)
    guard !adders.isEmpty else { return }
    for fact in undone.facts where fact.body.verb == .edit {
      guard case .entity(let key) = fact.body.target, let step = adders[key],
        step == undone.step(of: fact.key), !occurrences.contains(key)
      else { continue }
      facts.insert(fact.key)
    }
  }
}

/// The undone steps of a log, and what their undos have deleted.
private struct UndoneSteps {
  /// All facts of the log; empty if no step is undone.
  let facts: [Fact]
  /// The undone step and its undo, by the events of the step.
  private var undos: [UInt64: (step: UInt64, undo: UInt64)] = [:]
  private var deletedByUndos: Set<EventKey> = []
  /// The first delete of each entity in the log.
  private var deletes: [EventKey: UInt64] = [:]

  init(of log: UInt32, in fold: UndoFold, undoing target: UndoTarget) {
    let steps = fold.steps[log] ?? []
    let ignored = fold.ignoredSteps(of: log, undoing: target)
    let undone = steps.undone(without: ignored)
    facts = undone.isEmpty ? [] : fold.facts.filter { $0.key.log == log }
    guard !undone.isEmpty else { return }
    let origins = Set((target.steps[log] ?? []).map { steps.origin(of: $0).first })
    let inForce = steps.filter { $0.undoes != nil && !undone.contains($0.first) }
    let undoers = Dictionary(
      inForce.map { ($0.undoes ?? 0, $0.first) }, uniquingKeysWith: max)
    for step in steps where step.undoes == nil && undone.contains(step.first) {
      guard !ignored.contains(step.first), !origins.contains(step.first),
        let undo = undoers[step.first]
      else { continue }
      for sequence in step.sequences { undos[sequence] = (step.first, undo) }
    }
    noteDeletes(byUndos: Set(inForce.flatMap(\.sequences)))
  }

  private mutating func noteDeletes(byUndos undoing: Set<UInt64>) {
    for fact in facts where fact.body.verb == .delete {
      guard case .entity(let key) = fact.body.target else { continue }
      if undoing.contains(fact.key.sequence) { deletedByUndos.insert(key) }
      deletes[key] = min(deletes[key] ?? .max, fact.key.sequence)
    }
  }

  /// The first event of the undone step that an event belongs to; nil if its step is not undone.
  func step(of event: EventKey) -> UInt64? { undos[event.sequence]?.step }

  /// Whether the add of an entity was undone, but the entity was kept.
  ///
  /// An undo also deletes nothing if the entity was already dead.
  func hasKept(_ key: EventKey, in fold: UndoFold) -> Bool {
    guard let undo = undos[key.sequence]?.undo, !deletedByUndos.contains(key) else { return false }
    if fold.records.isAlive(key) { return true }
    let place = EventKey(log: key.log, sequence: undo)
    return deletes[key].map { $0 > undo } ?? true
      && !(fold.records.entity(of: key)?.deletes ?? []).contains {
        fold.posting.causality.past(of: place, includes: $0.key)
      }
  }
}
