import Bytes
import Domain
import Journaling

/// The steps to undo, all of one device.
struct UndoTarget {
  /// The steps, by the number of their log.
  var steps: [UInt32: [Step]]
  /// The event that the undo names as the beginning of the undone steps.
  var link: EventKey?
  /// The name of the device, if the target is everything that the device did since a given time; nil for a single step.
  var device: String?

  /// Whether the target is everything that a device did since a given time.
  var isAllSince: Bool { device != nil }

  /// Whether an event belongs to the target.
  func holds(_ key: EventKey) -> Bool {
    steps[key.log]?.contains { $0.events.contains { $0.contains(key.sequence) } } ?? false
  }

  /// The events of the target's step that an event belongs to.
  func events(ofStepWith key: EventKey) -> [EventKey] {
    let step = steps[key.log]?.first { $0.events.contains { $0.contains(key.sequence) } }
    return (step?.sequences ?? []).map { EventKey(log: key.log, sequence: $0) }
  }

  /// The first events of the target's steps in a log.
  func firsts(in log: UInt32) -> Set<UInt64> { Set((steps[log] ?? []).map(\.first)) }
}

/// The fold of all logs, with the other state that an undo needs.
struct UndoFold {
  var records: Records
  var posting: Posting
  /// The number of this device's own log; nil if there is none.
  var own: UInt32?
  /// The facts of this device's own log, of the logs in which something will be undone, and of all logs that have an
  /// undone step.
  var facts: [Fact]
  /// The restores of all logs.
  var restores: [Fact]
  /// The steps of the logs of `facts`, and of all logs that contain an undo.
  var steps: [UInt32: [Step]]
  /// The events of this device's own log that are erased.
  var erased: Set<UInt64>
  /// The `erase` events of this device's own log.
  var erases: [UInt64]
  /// The changes to devices in this device's own log, in order.
  var lastingChanges: [(sequence: UInt64, change: LastingChange)]

  var ownSteps: [Step] { own.flatMap { steps[$0] } ?? [] }
  var ownFacts: [Fact] { facts.filter { $0.key.log == own } }

  /// The target that consists of one step of a log.
  func target(_ step: Step, of log: UniqueID) throws(DaybookError) -> UndoTarget {
    guard let number = posting.causality.number(of: log) else { throw .nothingToUndo }
    return UndoTarget(
      steps: [number: [step]], link: EventKey(log: number, sequence: step.first))
  }

  /// The events to ignore when a target is undone, by their logs.
  ///
  /// If the target is in other logs, events of this device's own log are also ignored: its earlier undos of the same
  /// target, its undone steps, and its undos of its own steps. Otherwise their values would take the place of the
  /// target's values.
  func leftOut(undoing target: UndoTarget) -> [UInt32: Set<UInt64>] {
    var leftOut: [UInt32: Set<UInt64>] = [:]
    for log in Set(target.steps.keys).union(own.map { [$0] } ?? []) {
      let ignored = ignoredSteps(of: log, undoing: target)
      leftOut[log] = (steps[log] ?? []).sequencesLeftOut(undoing: ignored)
    }
    return leftOut
  }

  /// The first events of the steps of a log that are ignored when a target is undone: those of the target or, in this
  /// device's own log, its earlier undos of the same target.
  func ignoredSteps(of log: UInt32, undoing target: UndoTarget) -> Set<UInt64> {
    if log == own, target.steps[log] == nil {
      return Set(ownSteps.filter { isSame($0, as: target) }.map(\.first))
    }
    return target.firsts(in: log)
  }

  /// Whether a step of this device's own log undid no more of another log than an undo of the target does.
  private func isSame(_ step: Step, as target: UndoTarget) -> Bool {
    guard let name = step.undoesElsewhere, let log = posting.causality.number(of: name.log),
      target.firsts(in: log).contains(name.sequence)
    else { return false }
    // If the target is everything since a given time and contains the same first step, it covers both kinds of undo.
    return target.isAllSince || !step.undoesAllSince
  }

  /// Returns a test for events that belong to an undone step of their log, when the target's steps are ignored.
  func isUndone(undoing target: UndoTarget) -> (EventKey) -> Bool {
    let undone = Dictionary(
      uniqueKeysWithValues: steps.map { log, steps in
        let firsts = steps.undone(without: target.firsts(in: log))
        return (log, Set(steps.filter { firsts.contains($0.first) }.flatMap(\.sequences)))
      })
    return { undone[$0.log]?.contains($0.sequence) ?? false }
  }

  /// Returns a test for facts to ignore because of undos in logs that are neither this device's own log nor logs of the
  /// target.
  ///
  /// A fact that its log has undone is ignored, unless it is an add or a join. A delete that was written by an undo
  /// counts only if the undone step added the entity. Otherwise, the undo only reproduced a delete in another log,
  /// which may be the delete that is undone now.
  func isTakenBack(besides target: UndoTarget) -> (Fact) -> Bool {
    var undone: [UInt32: Set<UInt64>] = [:]
    var deleting: [UInt32: [UInt64: Set<UInt64>]] = [:]
    for (log, steps) in steps where log != own && target.steps[log] == nil {
      let firsts = steps.undone()
      let isInForce = { (step: Step) in !firsts.contains(step.first) && !step.isCutShort }
      undone[log] = Set(steps.filter { firsts.contains($0.first) }.flatMap(\.sequences))
      for undo in steps where undo.undoes != nil && isInForce(undo) {
        let origin = steps.origin(of: undo).sequences
        for sequence in undo.sequences { deleting[log, default: [:]][sequence] = origin }
      }
    }
    return { fact in
      let (log, sequence) = (fact.key.log, fact.key.sequence)
      guard case .entity(let key) = fact.body.target, fact.body.verb != .alias else { return false }
      if undone[log]?.contains(sequence) == true { return true }
      guard fact.body.verb == .delete, let origin = deleting[log]?[sequence] else { return false }
      return key.log != log || !origin.contains(key.sequence)
    }
  }

  /// The entities restored by an event that counts.
  ///
  /// The adds of these entities count even if they are undone, except the adds of the target.
  func revived(leavingOut isLeftOut: (Fact) -> Bool) -> Set<EventKey> {
    var revived: Set<EventKey> = []
    for fact in restores where !isLeftOut(fact) {
      if case .entity(let key) = fact.body.target { revived.insert(key) }
    }
    return revived
  }

  /// The facts of the steps at the start of the chains of undos and redos that end in the target's steps.
  func origins(of target: UndoTarget) -> [Fact] {
    target.steps.flatMap { log, targets -> [Fact] in
      let origins = targets.map { (steps[log] ?? []).origin(of: $0) }
      return facts(of: origins, in: log)
    }
  }

  /// The entities that were added by the original steps of the target's undos and redos.
  func born(undoing target: UndoTarget) -> Set<EventKey> {
    var born: Set<EventKey> = []
    for (log, undos) in target.steps {
      let origins = undos.filter { $0.undoes != nil }.map { (steps[log] ?? []).origin(of: $0) }
      born.formUnion(facts(of: origins, in: log).filter { $0.body.verb == .add }.map(\.key))
    }
    return born
  }

  /// The facts of steps of a log.
  private func facts(of steps: [Step], in log: UInt32) -> [Fact] {
    let sequences = Set(steps.flatMap(\.sequences))
    return facts.filter { $0.key.log == log && sequences.contains($0.key.sequence) }
  }
}

extension UndoFold {
  /// Whether a step has events and all of them are erased.
  func isErased(_ step: Step) -> Bool {
    !erased.isEmpty && !step.events.isEmpty && step.events.joined().allSatisfy(erased.contains)
  }

  /// Whether undoing a step passes over a later erasure or over erased events.
  ///
  /// An erasure is attributed to the first undo that passes over it.
  func passesErasure(undoing step: Step) -> Bool {
    isBehindErasure(step) || !erased.isDisjoint(with: step.sequences)
      || UndoStack(ownSteps).done.contains { $0.first > step.first && isErased($0) }
  }

  /// Whether this device erased something after a step, and has not undone a step from before the erasure since then.
  func isBehindErasure(_ step: Step) -> Bool {
    erases.contains { isInTheWay($0, to: step) }
  }

  /// The last change to devices after a step; a change does not count if a step from before it has been undone since.
  ///
  /// If `step` is nil, all changes are considered.
  func lastingChange(since step: Step?) -> LastingChange? {
    lastingChanges.last { isInTheWay($0.sequence, to: step) }?.change
  }

  private func isInTheWay(_ sequence: UInt64, to step: Step?) -> Bool {
    let last = step.map { $0.events.last?.upperBound ?? $0.first } ?? 0
    return sequence > last
      && !ownSteps.contains { $0.first > sequence && ($0.undoes ?? .max) < sequence }
  }
}

extension StepFinder.Link {
  /// The event that a reference identifies, with `table` as the author's table; nil if the table has no such log.
  init?(_ reference: Reference, _ table: [UniqueID]) {
    guard let index = reference.index else {
      self = .here(reference.sequence)
      return
    }
    guard index < UInt64(table.count) else { return nil }
    self = .elsewhere(EventName(log: table[Int(index)], sequence: reference.sequence))
  }
}

extension Step {
  /// The sequence numbers of the step's events.
  var sequences: Set<UInt64> { Set(events.joined()) }
}

extension Fact {
  /// The entities that the fact acts on: its own key, and its target if the target is an entity.
  var touched: Set<EventKey> {
    if case .entity(let target) = body.target { [target, key] } else { [key] }
  }
}
