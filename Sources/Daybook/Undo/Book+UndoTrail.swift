import Bytes
import Domain
import Journaling
import ReadModel

/// A command that this process has written and not posted yet.
struct FreshCommand {
  /// The own log.
  var log: UniqueID
  var first: UInt64
  var last: UInt64
  /// The command that it undoes, by its first event.
  var undoes: UInt64?

  init?(_ first: EventKey?, of log: UniqueID?, count: Int, undoes: UInt64? = nil) {
    guard let first = first?.sequence, let log, count > 0 else { return nil }
    (self.log, self.first, self.undoes) = (log, first, undoes)
    last = first + UInt64(count) - 1
  }
}

extension Book {
  /// The name under which a read model keeps the trail.
  static let trail = "undo"

  /// The trail that a read model keeps, if it is of the own log and has come as far as that.
  func trail(of model: ReadModel) throws(DaybookError) -> UndoTrail? {
    let bytes = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.setting(Self.trail)
    }
    // Where nothing is kept, or what another version wrote, the logs tell.
    guard let own = try ownLog, let bytes, let trail = try? UndoTrail(decoding: bytes),
      trail.log == own, trail.end == journal.end(of: own, on: .logs)?.sequence
    else { return nil }
    return trail
  }

  /// The command that was just written, if facts that are about to be posted are that and nothing else.
  func freshCommand(of facts: [Fact], _ causality: Causality) -> FreshCommand? {
    guard let command = freshCommand, let number = causality.number(of: command.log),
      facts.map(\.key)
        == (command.first...command.last).map({ EventKey(log: number, sequence: $0) })
    else { return nil }
    return command
  }

  /// The trail as a command leaves it that is about to be posted, given all that it touches as it was before.
  func trail(
    behind command: FreshCommand, touching keys: [EventKey], in records: Records,
    of model: ReadModel
  ) throws(DaybookError) -> [UInt8] {
    let bytes = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.setting(Self.trail)
    }
    let kept = bytes.flatMap { try? UndoTrail(decoding: $0) }
    var trail = kept.flatMap { $0.log == command.log ? $0 : nil } ?? UndoTrail(of: command.log)
    var before: [EventKey: [UInt8]?] = [:]
    for key in keys { before.updateValue(records.entity(of: key)?.encoded(), forKey: key) }
    trail.append(
      .init(first: command.first, last: command.last, undoes: command.undoes, before: before))
    return trail.encode()
  }

  /// Undoes the last command by what the trail has of it; nothing where only the logs can tell what an undo does.
  ///
  /// It comes to what folding all without the command does: nobody else has written since what it touched, and what
  /// came after it has been taken back. Of what was ever deleted or joined, the add may have been taken back before.
  func undoByTrail(because reason: String?) throws(DaybookError) -> Undone? {
    let model = try view()
    guard logTree.forks.isEmpty, let mark = try trail(of: model)?.next, let own = try ownLog else {
      return nil
    }
    var posting = try remembered(by: model)
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
    let places = try append([Decided(written, link: link)], knowing: &posting)
    freshCommand = FreshCommand(
      places.first, of: own, count: written.count, undoes: mark.first)
    defer { freshCommand = nil }
    return Undone(
      changes: try changes(by: written), left: undoing.left, reopened: undoing.reopened)
  }

  private func facts(
    of mark: UndoTrail.Mark, in own: UniqueID, _ posting: Posting
  ) throws(DaybookError) -> [Fact] {
    var facts: [Fact] = []
    var reading = Posting(again: posting)
    try post(own, in: logTree, after: mark.first - 1, to: &reading) { fact in
      if fact.key.sequence <= mark.last { facts.append(fact) }
    }
    return facts
  }

  /// What a command touched with all that goes with it, as it is now and as it would be without the command.
  private func records(
    around mark: UndoTrail.Mark, in model: ReadModel, _ causality: Causality
  ) throws(ReadModelError) -> (now: Records, without: Records) {
    let entities = try mark.entities()
    let named = entities.flatMap { $0.writes.compactMap(\.value.reference) }
    let now = try model.hydrateWithReferences(
      Set(mark.before.keys).union(named), causality: causality)
    var without = Records(causality: causality)
    for entity in now.entities.values where mark.before.index(forKey: entity.key) == nil {
      without.insert(entity)
    }
    for entity in entities { without.insert(entity) }
    return (now, without)
  }
}
