import Bytes
import Domain
import ReadModel

extension UndoEngine {
  /// Undoes the latest command with the trail; returns nil if the logs are needed to determine the effect.
  ///
  /// The result is the same as the result of a fold of all logs without the command, because no other log has written
  /// to the touched entities since, and the later commands of this log have been undone. An entity that was ever
  /// deleted or joined needs the logs, because its add may have been undone earlier.
  func undoByTrail(because reason: String?) throws(DaybookError) -> Undone? {
    let model = try projector.view()
    guard store.logTree.forks.isEmpty,
      let mark = try trails.trail(of: model)?.next,
      let own = try localDevice.ownLog
    else {
      return nil
    }
    var posting = try projector.remembered(by: model)
    guard let number = posting.causality.number(of: own) else { return nil }
    let facts = try facts(of: mark, in: own, posting)
    let isPlain = facts.allSatisfy { $0.body.verb == .add || $0.body.verb == .edit }
    guard isPlain, UInt64(facts.count) == mark.last - mark.first + 1 else { return nil }
    let (now, without) = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try records(around: mark, in: model, posting.causality)
    }
    let touched = mark.before.keys.flatMap { [now.entity(of: $0), without.entity(of: $0)] }
    guard touched.allSatisfy({ $0.map { $0.deletes.isEmpty && $0.aliases.isEmpty } ?? true }) else {
      return nil
    }
    let undoing = Domain.undo(facts, now: now, without: without)
    guard !undoing.drafts.isEmpty else { return nil }
    var written = undoing.drafts
    if let reason { written[0].body.writes.append(Write(.because, .text(reason))) }
    let link = EventKey(log: number, sequence: mark.first)
    let places = try writer.append([DecidedCommand(written, link: link)], knowing: &posting)
    let command = FreshCommand(
      places.first, of: own, count: written.count, undoes: mark.first)
    return Undone(
      changes: try commands.changes(by: written, posting: command), left: undoing.left,
      reopened: undoing.reopened)
  }

  private func facts(
    of mark: UndoTrail.Mark, in own: UniqueID, _ posting: Posting
  ) throws(DaybookError) -> [Fact] {
    var facts: [Fact] = []
    var reading = Posting(again: posting)
    try projector.replayer.post(own, in: store.logTree, after: mark.first - 1, to: &reading) {
      fact in
      if fact.key.sequence <= mark.last { facts.append(fact) }
    }
    return facts
  }

  /// The entities that a command touched, and the entities that are or could be joined with them or to which they
  /// refer, in their current state and in the state without the command.
  private func records(
    around mark: UndoTrail.Mark, in model: ReadModel, _ causality: Causality
  ) throws(ReadModelError) -> (now: Records, without: Records) {
    let entities = try mark.entities()
    let named = entities.flatMap { $0.writes.compactMap(\.value.reference) }
    let now = try model.records.hydrateWithReferences(
      Set(mark.before.keys).union(named), causality: causality)
    var without = Records(causality: causality)
    for entity in now.entities.values where mark.before.index(forKey: entity.key) == nil {
      without.insert(entity)
    }
    for entity in entities { without.insert(entity) }
    return (now, without)
  }
}
