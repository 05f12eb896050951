import Bytes
import Domain
import Journaling

/// What an undo takes away: steps of one device's logs.
struct UndoTarget {
  /// The steps, by the numbers of their logs.
  var steps: [UInt32: [Step]]
  /// The event that the undo names as the beginning of what it undoes.
  var link: EventKey?
  /// What the device is called, where it is all that this did since some moment, and not one step.
  var device: String?

  /// Whether it is all that a device did since some moment.
  var isAllSince: Bool { device != nil }

  /// The events taken away.
  func holds(_ key: EventKey) -> Bool {
    steps[key.log]?.contains { $0.events.contains { $0.contains(key.sequence) } } ?? false
  }

  /// The first events of the steps of a log.
  func firsts(in log: UInt32) -> Set<UInt64> { Set((steps[log] ?? []).map(\.first)) }
}

/// Everything folded, with what undoing needs beside it.
struct UndoFold {
  var records: Records
  var posting: Posting
  /// The number of the own log, if it has one.
  var own: UInt32?
  /// The facts of the own log and of those something is to be undone of.
  var facts: [Fact]
  /// The restores of all logs.
  var restores: [Fact]
  /// The steps of these logs, and of all in which something was undone.
  var steps: [UInt32: [Step]]
  /// The events of the own log that are erased.
  var erased: Set<UInt64>
  /// The `erase` events of the own log.
  var erases: [UInt64]
  /// What the own log says about devices, by its events in order.
  var lastingChanges: [(sequence: UInt64, change: LastingChange)]

  var ownSteps: [Step] { own.flatMap { steps[$0] } ?? [] }
  var ownFacts: [Fact] { facts.filter { $0.key.log == own } }

  /// One step of a log as what is to be undone.
  func target(_ step: Step, of log: UniqueID) throws(DaybookError) -> UndoTarget {
    guard let number = posting.causality.number(of: log) else { throw .nothingToUndo }
    return UndoTarget(
      steps: [number: [step]], link: EventKey(log: number, sequence: step.first))
  }

  /// The events that do not count when a target is taken away, by their logs.
  ///
  /// Of the own log these are also undos of the same of another device's, and what is undone here: else what they
  /// wrote would stand in the place of what the target wrote.
  func leftOut(undoing target: UndoTarget) -> [UInt32: Set<UInt64>] {
    var leftOut: [UInt32: Set<UInt64>] = [:]
    for log in target.steps.keys {
      leftOut[log] = (steps[log] ?? []).sequencesLeftOut(undoing: target.firsts(in: log))
    }
    if let own, target.steps[own] == nil {
      let same = ownSteps.filter { isSame($0, as: target) }.map(\.first)
      leftOut[own] = ownSteps.sequencesLeftOut(undoing: Set(same))
    }
    return leftOut
  }

  /// Whether a step of the own log undid of another log no more than a target takes away.
  private func isSame(_ step: Step, as target: UndoTarget) -> Bool {
    guard let name = step.undoesElsewhere, let log = posting.causality.number(of: name.log),
      target.firsts(in: log).contains(name.sequence)
    else { return false }
    // A run is the undo of all since some moment; whoever goes back as far goes beyond it.
    return target.isAllSince || step.run == nil
  }

  /// Whether an event belongs to what is undone, in its log, when a target is taken away.
  func isUndone(undoing target: UndoTarget) -> (EventKey) -> Bool {
    let undone = Dictionary(
      uniqueKeysWithValues: steps.map { log, steps in
        let firsts = steps.undone(without: target.firsts(in: log))
        return (log, Set(steps.filter { firsts.contains($0.first) }.flatMap(\.sequences)))
      })
    return { undone[$0.log]?.contains($0.sequence) ?? false }
  }

  /// Whether an event of a log that nothing is undone of has no say, since that log has taken it back.
  ///
  /// Of what was undone there, only the adds count. A delete that the undo wrote holds for what it takes back the
  /// add of; any other follows from a delete elsewhere, which may be what is undone now.
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

  /// The entities whose adds count though they are undone: somebody has brought them back by hand since.
  func revived(leavingOut isLeftOut: (Fact) -> Bool) -> Set<EventKey> {
    var revived: Set<EventKey> = []
    for fact in restores where !isLeftOut(fact) {
      if case .entity(let key) = fact.body.target { revived.insert(key) }
    }
    return revived
  }

  /// What comes into being again when the undos among a target are taken away.
  func born(undoing target: UndoTarget) -> Set<EventKey> {
    var born: Set<EventKey> = []
    for (log, undos) in target.steps {
      let origins = undos.filter { $0.undoes != nil }.map { (steps[log] ?? []).origin(of: $0) }
      let sequences = Set(origins.flatMap(\.sequences))
      let adds = facts.filter {
        $0.key.log == log && $0.body.verb == .add && sequences.contains($0.key.sequence)
      }
      born.formUnion(adds.map(\.key))
    }
    return born
  }
}

extension UndoFold {
  /// Whether nothing is left of a step.
  func isErased(_ step: Step) -> Bool {
    !erased.isEmpty && !step.events.isEmpty && step.events.joined().allSatisfy(erased.contains)
  }

  /// Whether going back to a step means to pass over an erasure, or over what one took.
  func passesErasure(undoing step: Step) -> Bool {
    let last = ownSteps.compactMap { $0.events.last?.upperBound }.max() ?? 0
    if erases.contains(where: { $0 > last }) { return true }
    return !erased.isDisjoint(with: step.sequences)
      || UndoStack(ownSteps).done.contains { $0.first > step.first && isErased($0) }
  }

  /// Whether something was erased after a step, and nothing from before that was undone since.
  func isBehindErasure(_ step: Step) -> Bool {
    erases.contains { isInTheWay($0, to: step) }
  }

  /// What was done last about devices, if that was after a step and nothing from before it was undone since.
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
  /// What a reference names, the indices being those of its author's table.
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
  /// The events that belong to it, one by one.
  var sequences: Set<UInt64> { Set(events.joined()) }
}

extension Fact {
  /// The entities it names as what it acts on.
  var touched: Set<EventKey> {
    if case .entity(let target) = body.target { [target, key] } else { [key] }
  }
}
