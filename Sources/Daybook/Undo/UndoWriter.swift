import Bytes
import Domain
import Journaling
import Platform
import ReadModel

/// Plans and writes the events that undo a target.
struct UndoWriter {
  let store: LogStore
  let trustReader: TrustReader
  let projector: Projector
  let writer: EventWriter
  let commands: CommandProcessor

  /// Undoes a target; the caller holds the lock.
  ///
  /// - Throws: `editedSince` if `care` is `refusing` and another device has since edited a field that the target
  ///   edited, or all records that the target added; `dependedOn` if `care` is `refusing` and the undo could write only
  ///   deletes of records that something depends on; `nothingLeftSince` if the target is everything since a given time
  ///   and nothing of it is left to undo or report.
  func takeBack(
    _ target: UndoTarget, _ fold: UndoFold, _ care: UndoCare, because reason: String? = nil
  ) throws(DaybookError) -> Undone {
    let plan = try plan(target, fold, care)
    if case .refusing = care, !plan.obstacles.isEmpty { throw .editedSince(plan.obstacles) }
    if case .refusing = care, plan.undoing.drafts.isEmpty, !plan.dependedOn.isEmpty {
      throw .dependedOn(plan.dependedOn)
    }
    if let device = target.device, plan.isNothing { throw .nothingLeftSince(device) }
    var written = plan.ownValues + plan.undoing.drafts
    if let reason, !written.isEmpty {
      written[0].body.writes.append(Write(.because, .text(reason)))
    }
    var posting = fold.posting
    // An undo adds no entities, so it can be divided anywhere.
    var decided = CommandDivision(mostEvents: eventsOfACommand).commands(of: written)
    let isOwn = target.link.map { $0.log == fold.own } ?? false
    // If the undo of this device's own step needs no events, an empty run records it, so that the next undo continues
    // with the preceding step.
    if decided.count == 1, !target.isAllSince {
      _ = try writer.append([DecidedCommand(written, link: target.link)], knowing: &posting)
    } else if isOwn || !decided.isEmpty {
      // A run with a link to another log undoes everything since the linked event. For a single step, each command
      // contains the link instead.
      let isOneElsewhere = !isOwn && !target.isAllSince
      if isOneElsewhere {
        for place in decided.indices { decided[place].link = target.link }
      }
      let run = Run(
        "daybook undo", of: decided, undoing: isOneElsewhere ? nil : target.link,
        dice: store.machine.dice)
      _ = try writer.append(decided, in: run, knowing: &posting)
    }
    let drafts = try written.dropFirst(plan.ownValues.count).map { draft throws(DaybookError) in
      try renumbered(draft, from: posting.causality)
    }
    let changes = try commands.changes(by: drafts)
    let dead = Set(changes.lazy.map(\.document).filter { !$0.isAlive }.map(\.id))
    var known: Set<Undoing.Reopened> = []
    let reopened = try plan.undoing.reopened.map { reopened throws(DaybookError) in
      try named(try renumbered(reopened, from: posting.causality))
    }.filter { known.insert($0).inserted }
    return Undone(
      changes: changes, left: plan.undoing.left,
      spared: care.overwrites ? [] : plan.dependedOn,
      swept: care.overwrites ? plan.dependedOn : [],
      // A record that the same undo has deleted cannot be settled.
      reopened: reopened.filter { !dead.contains($0.id) }, shared: plan.shared)
  }

  /// Computes the events that undoing a target would write, and the obstacles to it.
  func plan(
    _ target: UndoTarget, _ fold: UndoFold, _ care: UndoCare
  ) throws(DaybookError) -> TakingBack {
    let facts = fold.facts.filter { target.holds($0.key) }
    var remaining = RemainingFacts(fold, undoing: target)
    let trust = try trustReader.trust(by: fold.posting.ledger)
    let mates = logs(ofDeviceWriting: target, fold.posting.causality, trust)
    let isOther = { [remaining] (key: EventKey) in
      !mates.contains(key.log) && !remaining.isLeftOut(key)
    }
    let parted = try parted(facts, knowing: fold.posting)
    // After a join is undone, only edits of the separated record itself are later edits of it.
    let edits = care.looks ? (parted ?? fold.records).laterEdits(of: facts, by: isOther) : []
    let remover = LaterEditRemover(
      care.overwrites ? edits : [], after: facts, by: isOther)
    let without = try records(of: remaining, remover, knowing: fold.posting)
    let undoing = Domain.undo(
      facts, now: fold.records, without: without,
      parted: parted, born: remaining.born,
      takenBack: remaining.takenBack(among: fold.records.entities.keys))
    let deviceName = { (number: UInt32) -> String in
      let log = fold.posting.causality.identity(of: number)?.id
      return log.map { trust.names[$0] ?? $0.hex } ?? "another device"
    }
    let dependents = UndoDependents(
      records: fold.records, causality: fold.posting.causality, facts: facts,
      origins: fold.origins(of: target), isOther: isOther,
      isUndo: { fold.posting.undoing[$0] == .undo }, deviceName: deviceName)
    let found = dependents.dependences(of: undoing)
    var plan = TakingBack(
      undoing: undoing,
      edits: try edits.map { edit throws(DaybookError) in
        try editSince(edit, by: deviceName, knowing: fold.posting)
      }, editsFields: edits.contains { !$0.isOfAdd },
      dependences: found, shared: dependents.sharedWrites(without: without))
    if !care.overwrites {
      remaining.bare = dependents.occurrences(among: found, of: undoing)
      plan.undoing = undoing.sparing(found, in: fold.records)
    }
    if !remaining.bare.isEmpty {
      let before = try records(of: remaining, remover, knowing: fold.posting)
      plan.reopen(remaining.bare, in: fold.records, as: before)
    }
    plan.ownValues = try ownValues(target, facts, plan.undoing, fold)
    return plan
  }

  /// The edits that give records their own values again if the target added and joined them and the undo deletes them,
  /// because a restore brings back each record alone.
  private func ownValues(
    _ target: UndoTarget, _ facts: [Fact], _ undoing: Undoing, _ fold: UndoFold
  ) throws(DaybookError) -> [Draft] {
    let deleted = Set(undoing.drafts.compactMap(\.deleted))
    let added = Set(facts.lazy.filter { $0.body.verb == .add }.map(\.key)).intersection(deleted)
    let joins = facts.filter { $0.body.verb == .alias }
    guard !added.isEmpty, !joins.isEmpty else { return [] }
    let joining = Set(joins.flatMap { target.events(ofStepWith: $0.key) })
    let before = try projector.replayer.foldAll(
      knowing: fold.posting, where: { fact, _ in !joining.contains(fact.key) }
    ).records
    let reversion = Reversion(of: fold.records, to: before)
    return added.sorted().filter { before.entity(of: $0)?.birth != nil && !joining.contains($0) }
      .compactMap(reversion.edit(of:))
  }

  /// The records folded from the facts that remain.
  private func records(
    of remaining: RemainingFacts, _ remover: LaterEditRemover, knowing posting: Posting
  ) throws(DaybookError) -> Records {
    try projector.replayer.foldAll(
      knowing: posting, where: { fact, _ in remaining.holds(fact) },
      adapting: { fact, causality in
        remover.strip(&fact, causality)
        remaining.strip(&fact)
      }
    ).records
  }

  private func editSince(
    _ edit: LaterEdit, by deviceName: (UInt32) -> String, knowing posting: Posting
  ) throws(DaybookError) -> EditSince {
    EditSince(
      kind: edit.kind, id: edit.id, field: edit.field,
      value: try renumbered(edit.write.value, from: posting.causality),
      time: edit.write.effectiveTime,
      device: deviceName(edit.write.key.log))
  }

  /// The records folded without the joins among the given facts; nil if there are none.
  private func parted(_ facts: [Fact], knowing posting: Posting) throws(DaybookError) -> Records? {
    let joins = Set(facts.filter { $0.body.verb == .alias }.map(\.key))
    guard !joins.isEmpty else { return nil }
    return try projector.replayer.foldAll(
      knowing: posting, where: { fact, _ in !joins.contains(fact.key) }
    ).records
  }

  /// The numbers of all logs of the device that wrote the target's steps.
  private func logs(
    ofDeviceWriting target: UndoTarget, _ causality: Causality, _ trust: Trust
  ) -> Set<UInt32> {
    let ids = target.steps.keys.compactMap { causality.identity(of: $0)?.id }
    let keys = Set(ids.compactMap { trust.keys[$0] })
    let logs = trust.keys.filter { keys.contains($0.value) }.keys
    return Set(logs.compactMap(causality.number(of:))).union(target.steps.keys)
  }

  /// The draft, with its target renumbered for the read model.
  ///
  /// The read model may number logs differently from a fold of all logs.
  private func renumbered(
    _ draft: Draft, from causality: Causality
  ) throws(DaybookError) -> Draft {
    guard case .entity(let key) = draft.body.target else { return draft }
    var draft = draft
    draft.body.target = .entity(try renumbered(key, from: causality))
    return draft
  }

  private func renumbered(
    _ reopened: Undoing.Reopened, from causality: Causality
  ) throws(DaybookError) -> Undoing.Reopened {
    var reopened = reopened
    reopened.others = try reopened.others.map { value throws(DaybookError) in
      try renumbered(value, from: causality)
    }
    return reopened
  }

  /// The conflict with the id of the record that shows it after the undo, which may have joined or separated records.
  private func named(
    _ reopened: Undoing.Reopened
  ) throws(DaybookError) -> Undoing.Reopened {
    let model = try projector.view()
    let shown = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.documents.document(id: reopened.id)
    }
    var reopened = reopened
    if let shown { reopened.id = shown.id }
    return reopened
  }

  private func renumbered(
    _ value: Value, from causality: Causality
  ) throws(DaybookError) -> Value {
    guard let key = value.reference else { return value }
    return .reference(try renumbered(key, from: causality))
  }

  private func renumbered(
    _ key: EventKey, from causality: Causality
  ) throws(DaybookError) -> EventKey {
    guard let log = causality.identity(of: key.log),
      let number = try projector.posting().causality.number(of: log.id)
    else { return key }
    return EventKey(log: number, sequence: key.sequence)
  }

  /// The maximum number of events of an undo in one command.
  ///
  /// A larger undo becomes a run of commands.
  var eventsOfACommand = 4096
}

extension UndoCare {
  /// Whether the undo looks for edits by other devices.
  fileprivate var looks: Bool { if case .leaving = self { false } else { true } }
  fileprivate var overwrites: Bool { if case .forcing = self { true } else { false } }
}
