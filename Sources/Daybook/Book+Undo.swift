package import Bytes
import Crypto
package import Domain
import Journaling
import Platform

/// What an undo did.
package struct Undone: Sendable {
  /// The records changed, as they are now.
  package var changes: [Performed.Change]
  /// What was left as it is, and why.
  package var left: [Undoing.Left]
  /// Whether something was passed over because it was erased, or is itself an erasure.
  package var passesErasure = false
  /// Whether more was asked for, and an erasure came before that.
  package var stopsAtErasure = false
}

extension Book {
  /// Undoes the last commands of this device that are not undone yet, the newest first.
  ///
  /// An erasure cannot be undone, so it ends the way back until it is said to go past it: whoever takes back the
  /// last command shall never take back an earlier one. A refusal changes nothing, so it is the same each time.
  package func undo(
    _ count: Int = 1, pastErasure: Bool = false
  ) throws(DaybookError) -> [Undone] {
    try repeatedly(count, orThrow: .nothingToUndo) { stack, fold throws(DaybookError) in
      let step = stack.done.last { !fold.isErased($0) }
      if let step, !pastErasure, fold.isBehindErasure(step) { throw .erasureInTheWay }
      return step
    }
  }

  /// Undoes what was undone last.
  package func redo(_ count: Int = 1) throws(DaybookError) -> [Undone] {
    try repeatedly(count, orThrow: .nothingToRedo) { stack, _ in stack.undone.last }
  }

  /// Undoes the last command of this device that changed one record.
  package func undo(id: UniqueID) throws(DaybookError) -> [Undone] {
    try repeatedly(1, orThrow: .nothingToUndo) { stack, fold in
      guard let key = fold.records.entity(withID: id),
        let members = fold.records.document(of: key)?.members
      else { return nil }
      let touching = fold.ownFacts.filter { !$0.touched.isDisjoint(with: members) }
      return stack.done.last { step in
        let sequences = step.sequences
        return touching.contains { sequences.contains($0.key.sequence) }
      }
    }
  }

  private func repeatedly(
    _ count: Int, orThrow nothing: DaybookError,
    _ choose: (UndoStack, OwnFold) throws(DaybookError) -> Step?
  ) throws(DaybookError) -> [Undone] {
    try withLock { () throws(DaybookError) in
      var results: [Undone] = []
      for _ in 0..<max(count, 1) {
        let fold = try foldOwn()
        let chosen: Step?
        do throws(DaybookError) {
          chosen = try choose(UndoStack(fold.steps), fold)
        } catch {
          guard case .erasureInTheWay = error, !results.isEmpty else { throw error }
          results[results.count - 1].stopsAtErasure = true
          break
        }
        guard let step = chosen else {
          if results.isEmpty { throw nothing }
          break
        }
        var undone = try undo(step, fold)
        undone.passesErasure = fold.passesErasure(undoing: step)
        results.append(undone)
      }
      return results
    }
  }

  /// Undoes a step, with the lock held.
  func undo(_ step: Step?) throws(DaybookError) -> Undone? {
    guard let step else { return nil }
    return try undo(step, try foldOwn())
  }

  private func undo(_ step: Step, _ fold: OwnFold) throws(DaybookError) -> Undone {
    let sequences = step.sequences
    let facts = fold.ownFacts.filter { sequences.contains($0.key.sequence) }
    let own = fold.ownNumber
    let leftOut = fold.steps.sequencesLeftOut(undoing: step)
    let without = try foldAll { fact, _ in
      fact.key.log != own || !leftOut.contains(fact.key.sequence)
    }
    let undoing = Domain.undo(facts, now: fold.records, without: without.records)
    var posting = fold.posting
    let link = EventKey(log: own, sequence: step.first)
    let commands = Self.commands(of: undoing.drafts)
    // Where nothing is to be written, an empty run says that the step is undone, so that the next one's turn comes.
    if commands.count == 1 {
      _ = try append([Decided(undoing.drafts, link: link)], knowing: &posting)
    } else {
      try appendRun(of: commands, undoing: link, knowing: &posting)
    }
    let drafts = try undoing.drafts.map { draft throws(DaybookError) in
      try renumbered(draft, from: posting.causality)
    }
    return Undone(changes: try changes(by: drafts), left: undoing.left)
  }

  /// The draft with its target as the read model numbers it, which may not be as a fold of everything does.
  private func renumbered(
    _ draft: Draft, from causality: Causality
  ) throws(DaybookError) -> Draft {
    guard case .entity(let key) = draft.body.target, let log = causality.identity(of: key.log),
      let number = try remembered(by: try view()).causality.number(of: log.id)
    else { return draft }
    var draft = draft
    draft.body.target = .entity(EventKey(log: number, sequence: key.sequence))
    return draft
  }

  /// How much an undo writes as one command; a larger one becomes a run of such.
  private static let eventsOfACommand = 4096
  private static let bytesOfACommand = 256 << 10

  private static func commands(of drafts: [Draft]) -> [Decided] {
    var commands: [Decided] = []
    var bytes = 0
    for draft in drafts {
      // Undoing adds nothing, so no draft names another of its command.
      let body = draft.resolved { EventKey(log: 0, sequence: UInt64($0) + 1) }
      let size = body.encode { _ in 0 }.count
      let isFull = bytes + size > bytesOfACommand || commands.last?.drafts.count == eventsOfACommand
      if commands.isEmpty || isFull {
        commands.append(Decided([]))
        bytes = 0
      }
      commands[commands.count - 1].drafts.append(draft)
      bytes += size
    }
    return commands
  }

  private func appendRun(
    of commands: [Decided], undoing link: EventKey, knowing posting: inout Posting
  ) throws(DaybookError) {
    let name = Array("daybook undo".utf8) + machine.dice.bytes(16)
    let run = Run(
      source: SHA256.digest(of: name), done: 0..<UInt64(commands.count), link: link)
    _ = try append(commands, in: run, knowing: &posting)
  }

  /// Everything folded, with the facts and steps of the own log beside it.
  private struct OwnFold {
    var records: Records
    var posting: Posting
    var ownNumber: UInt32
    var ownFacts: [Fact]
    var steps: [Step]
    /// The events of the own log that are erased.
    var erased: Set<UInt64>
    /// The `erase` events of the own log.
    var erases: [UInt64]

    /// Whether nothing is left of a step.
    func isErased(_ step: Step) -> Bool {
      !erased.isEmpty && !step.events.isEmpty && step.events.joined().allSatisfy(erased.contains)
    }

    /// Whether going back to a step means to pass over an erasure, or over what one took.
    func passesErasure(undoing step: Step) -> Bool {
      let last = steps.compactMap { $0.events.last?.upperBound }.max() ?? 0
      if erases.contains(where: { $0 > last }) { return true }
      return !erased.isDisjoint(with: step.sequences)
        || UndoStack(steps).done.contains { $0.first > step.first && isErased($0) }
    }

    /// Whether something was erased after a step, and nothing from before that was undone since.
    func isBehindErasure(_ step: Step) -> Bool {
      let last = step.events.last?.upperBound ?? step.first
      return erases.contains { erase in
        erase > last && !steps.contains { $0.first > erase && ($0.undoes ?? .max) < erase }
      }
    }
  }

  private func foldOwn() throws(DaybookError) -> OwnFold {
    guard let log = try ownLog else { throw .nothingToUndo }
    var ownFacts: [Fact] = []
    let fold = try foldAll { fact, causality in
      if causality.identity(of: fact.key.log)?.id == log { ownFacts.append(fact) }
      return true
    }
    guard let number = fold.posting.causality.number(of: log) else { throw .nothingToUndo }
    let erasing = fold.posting.ledger.erasing
    let hidden = fold.hidden.filter { $0.key.log == number }.map(\.key.sequence)
    return OwnFold(
      records: fold.records, posting: fold.posting, ownNumber: number, ownFacts: ownFacts,
      steps: try steps(of: log),
      erased: Set(hidden).union(erasing.stripped[log, default: [:]].keys),
      erases: erasing.erases.map(\.place).filter { $0.log == log }.map(\.sequence))
  }

  /// What a log did, step by step.
  func steps(of log: UniqueID) throws(DaybookError) -> [Step] {
    var finder = StepFinder()
    try forEachFrame(of: log) { frame in
      for event in frame.events {
        let verb = event.verb ?? .max
        let body = frame.content.span.extracting(event.body)
        // A marker that does not read marks nothing.
        let marker = JournalVerb.markers.contains(verb) ? (try? RunMarker.decode(body)) ?? nil : nil
        // The frame was checked when it was read, so a header that fails now cannot be; it undoes nothing.
        let link = event.hasExtras ? (try? frame.header(of: event))?.link : nil
        finder.take(
          event, link: link?.index == nil ? link?.sequence : nil, marker: marker,
          // Only a body of the domain is ever stripped.
          isFact: event.isStripped || JournalVerb.domain.contains(verb))
      }
    }
    finder.closeRun()
    return finder.steps
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
