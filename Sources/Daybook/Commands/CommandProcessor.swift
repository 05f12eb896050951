import Bytes
package import Domain
import Platform
package import ReadModel
import Wording

/// Decides requests, writes their events, and reports the changes.
package struct CommandProcessor {
  let store: LogStore
  let localDevice: LocalDevice
  let projector: Projector
  let access: WriteAccess
  let writer: EventWriter
  let finder: RecordFinder
  let conflictReader: ConflictReader
  /// How the events of a request are divided into commands.
  var division = CommandDivision.ofRequests

  /// Performs a request by deciding it, writing its events, and folding them.
  ///
  /// The reason, in the user's words, is stored in the event about the requested record. Erasing that record also
  /// erases the reason.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reason: The reason, in the user's words.
  ///   - check: Called under the lock before anything is written. An error that the check throws ends the request.
  /// - Returns: The changes.
  /// - Throws: ``DaybookError`` if the request is refused, or the book cannot be read or written.
  package func perform(
    _ request: Request, because reason: String? = nil,
    checking check: () throws(DaybookError) -> Void = {}
  ) throws(DaybookError) -> Performed {
    try perform(request, because: reason, checking: check) { performed in performed }
  }

  /// Performs the request that a function makes from the current records.
  ///
  /// The function is called under the lock, so no other process can change the records before the request is carried
  /// out.
  package func perform(
    because reason: String? = nil,
    requesting request: (ReadModel) throws(ReadModelError) -> Request
  ) throws(DaybookError) -> Performed {
    try perform(requesting: request, because: reason, checking: {}) { performed in performed }
  }

  /// Decides the request that a function makes from the current records, and writes nothing.
  ///
  /// - Returns: The changes that the request would make to existing records.
  /// - Throws: ``DaybookError`` if the request would be refused, or the book cannot be read.
  package func plan(
    requesting request: (ReadModel) throws(ReadModelError) -> Request
  ) throws(DaybookError) -> [PlannedChange] {
    try projector.withSoundView { () throws(DaybookError) in
      let decision = try self.decision(on: request)
      let keys = decision.drafts.compactMap(\.changed)
      let records = try conflictReader.records(of: Set(keys), in: try projector.view())
      let redated = decision.drafts.filter(\.body.setsDates).compactMap(\.target)
        .compactMap(records.shownMember(of:))
      var known: Set<PlannedChange> = []
      return decision.drafts.compactMap { draft in
        guard let document = draft.changed.flatMap(records.document(of:)) else { return nil }
        let todo = document.isOccurrence ? document.value(.owner).reference : nil
        // An occurrence that loses its own date is part of the edit of its series.
        guard !(todo.map(redated.contains) ?? false) else { return nil }
        return PlannedChange(
          draft.body.verb, draft.body.shownFields, of: document,
          under: todo.flatMap(records.document(of:)) ?? document,
          isOfDate: document.isOccurrence || draft.body.setsSlot)
      }.filter { known.insert($0).inserted }
    }
  }

  /// Performs the given request, and then reads something before another process can write.
  ///
  /// - Returns: The value that `read` returns.
  func perform<Value>(
    _ request: Request, because reason: String? = nil,
    checking check: () throws(DaybookError) -> Void = {},
    thenReading read: (Performed) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    try perform(
      requesting: { _ in request }, because: reason, checking: check, thenReading: read)
  }

  private func perform<Value>(
    requesting request: (ReadModel) throws(ReadModelError) -> Request, because reason: String?,
    checking check: () throws(DaybookError) -> Void,
    thenReading read: (Performed) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    try access.withLock(writingOwnLogOnly: true) { () throws(DaybookError) in
      var decision = try projector.withSoundView { () throws(DaybookError) in
        try self.decision(on: request)
      }
      try check()
      guard !decision.drafts.isEmpty else { return try read(Performed(changes: [])) }
      let deleters = try self.deleters(of: decision.disputes)
      if let reason {
        let place = decision.request.subject(among: decision.drafts)
        decision.drafts[place].body.writes.append(Write(.because, .text(reason)))
      }
      let drafts = decision.drafts
      let first = try append(drafts, knowing: &decision.posting)
      let command = FreshCommand(first, of: try localDevice.ownLog, count: drafts.count)
      return try projector.withSoundView { () throws(DaybookError) in
        var changes = try changes(by: drafts, from: first, posting: command)
        try noteKept(&changes, from: deleters)
        return try read(Performed(changes: changes))
      }
    }
  }

  /// Whether the clock of this machine shows a possible time.
  package var isClockSet: Bool { store.folder.isClockSet }

  /// The closing day for to-dos that this device closes now; nil if its clock has never been set.
  ///
  /// If the day is nil, the closing day of a closed occurrence is its slot. A clock that merely differs from other
  /// devices' clocks is trusted, because the other clocks may be wrong.
  package var closingDay: CivilDate? {
    isClockSet ? store.machine.timekeeper.today : nil
  }

  /// A request, and the drafts that carry it out.
  private struct Decision {
    let request: Request
    var drafts: [Draft] = []
    /// The posting on which the drafts were decided.
    var posting: Posting
    /// The records whose deletion is in conflict with an edit.
    var disputes: Set<EventKey> = []
  }

  private func decision(
    on request: (ReadModel) throws(ReadModelError) -> Request
  ) throws(DaybookError) -> Decision {
    let model = try projector.view()
    return try model.snapshot(failingAs: DaybookError.view) { () throws(DaybookError) in
      let request = try wrap(DaybookError.view) { () throws(ReadModelError) in try request(model) }
      var decision = Decision(request: request, posting: try projector.remembered(by: model))
      let commands = try RequestResolver(
        finder: finder, projector: projector, today: store.machine.timekeeper.today,
        closingDay: closingDay
      )
      .commands(for: request, model)
      let records = try CommandShelves(historyReader: conflictReader.historyReader)
        .shelf(for: CommandNeeds(of: commands), model, decision.posting)
      for command in commands {
        let decided = try wrap(DaybookError.refused) { () throws(Domain::Refusal) in
          try checkParent(setBy: command, on: records)
          try checkOccurrences(in: command, on: records)
          return try decide(command, on: records) { store.machine.dice.number() }
        }
        for document in records.records.distinctDocuments(of: decided.flatMap(\.named))
        where document.deleteAgainstEdit != nil {
          decision.disputes.insert(document.key)
        }
        decision.drafts += decided
      }
      return decision
    }
  }

  /// Writes drafts as one command, or as a run of commands if they are too many for one command.
  ///
  /// Either way, the drafts form one step for undo.
  ///
  /// - Returns: The first event of the command; nil for a run.
  private func append(
    _ drafts: [Draft], knowing posting: inout Posting
  ) throws(DaybookError) -> EventKey? {
    let commands = division.commands(of: drafts)
    guard commands.count > 1 else {
      return try writer.append(commands, knowing: &posting).first
    }
    let run = Run("request of daybook", of: commands, dice: store.machine.dice)
    _ = try writer.append(commands, in: run, knowing: &posting)
    return nil
  }

  /// Returns the names of the devices that deleted any of the given records whose deletion is in conflict with an edit.
  private func deleters(
    of disputes: Set<EventKey>
  ) throws(DaybookError) -> [EventKey: String] {
    guard !disputes.isEmpty else { return [:] }
    var deleters: [EventKey: String] = [:]
    for conflict in try conflictReader.conflicts(of: disputes) where conflict.subject == .life {
      let deleted = conflict.sides.first { $0.content == .deleted }
      deleters[conflict.document.key] = deleted?.writers.first?.device
    }
    return deleters
  }

  /// For each change, notes the device whose deletion this command has settled in favour of the record.
  private func noteKept(
    _ changes: inout [Performed.Change], from deleters: [EventKey: String]
  ) throws(DaybookError) {
    guard !deleters.isEmpty else { return }
    let records = try conflictReader.records(of: Set(deleters.keys), in: try projector.view())
    for (key, device) in deleters.sorted(by: { $0.key < $1.key }) {
      guard let document = records.document(of: key), document.isAlive,
        document.deleteAgainstEdit == nil
      else { continue }
      if let place = changes.firstIndex(where: { $0.document.key == document.key }) {
        changes[place].keptFrom = device
      } else if !changes.isEmpty {
        changes[0].keptParents.append(Performed.Kept(document: document, device: device))
      }
    }
  }

  /// The changes that drafts have made, with the current state of the records.
  ///
  /// - Parameters:
  ///   - drafts: The drafts, which have been written.
  ///   - first: The event of the first draft; needed only if drafts add entities.
  ///   - command: The command of the drafts, if this process has just written it.
  /// - Returns: The changes.
  /// - Throws: ``DaybookError`` if the logs or the read model cannot be read.
  func changes(
    by drafts: [Draft], from first: EventKey? = nil, posting command: FreshCommand? = nil
  ) throws(DaybookError) -> [Performed.Change] {
    let model = try projector.view(posting: command)
    let posting = try projector.remembered(by: model)
    let bodies = drafts.enumerated().map { place, draft in
      let key = first.map { EventKey(log: $0.log, sequence: $0.sequence + UInt64(place)) }
      let body = draft.resolved { place in
        EventKey(log: first?.log ?? 0, sequence: (first?.sequence ?? 0) + UInt64(place))
      }
      if case .entity(let target) = body.target { return (target, body) }
      return (key ?? EventKey(log: 0, sequence: 0), body)
    }
    let records = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate(Set(bodies.map(\.0)), causality: posting.causality)
    }
    let occurrences = OccurrenceReporter(model: model, causality: posting.causality)
    var changes: [Performed.Change] = []
    var known: Set<HistoryAction> = []
    let members = membersOfDates(deletedOrRestoredBy: bodies, records)
    let redated = bodies.filter { $0.1.setsDates }.compactMap { records.shownMember(of: $0.0) }
    for (key, body) in bodies where body.writes.map(\.field) != [.disputed] {
      let joined = records.distinctDocuments(of: body.ends(at: key, in: records))
      guard let document = records.document(of: key) ?? joined.first else { continue }
      // An occurrence that loses its own date is part of the edit of its series.
      let series = document.isOccurrence ? document.value(.owner).reference : nil
      guard !(series.map(redated.contains) ?? false) else { continue }
      let action = HistoryAction(verb: body.verb, document: document.key)
      guard known.insert(action).inserted else { continue }
      var change = Performed.Change(
        verb: body.verb, document: document,
        fields: body.shownFields, occurrence: try occurrences.change(of: document),
        joined: joined)
      if let members = members[action] {
        change.isOfClosing = members.compactMap(records.entity).contains(where: \.wasEverClosed)
        let others = document.members.filter { !members.contains($0) && records.isAlive($0) }
        change.isClosedByOthers =
          others.compactMap(records.entity).contains(where: \.wasEverClosed)
      }
      changes.append(change)
    }
    return changes
  }

  /// The members of occurrences that events delete or restore, by the actions that these events are reported as.
  private func membersOfDates(
    deletedOrRestoredBy bodies: [(EventKey, Body)], _ records: Records
  ) -> [HistoryAction: Set<EventKey>] {
    var members: [HistoryAction: Set<EventKey>] = [:]
    for (key, body) in bodies where body.verb == .delete || body.verb == .restore {
      guard let document = records.document(of: key), document.isOccurrence else { continue }
      let action = HistoryAction(verb: body.verb, document: document.key)
      members[action, default: []].insert(key)
    }
    return members
  }
}

/// An action on a record, which is reported once even if it needed several events.
private struct HistoryAction: Hashable {
  let verb: Verb
  let document: EventKey
}

extension Draft {
  /// The record that the draft changes or, if the draft adds the occurrence of a date, the to-do.
  fileprivate var changed: EventKey? {
    target ?? body.writes.first { $0.field == .owner }?.value.reference
  }

  /// The record that the draft changes; nil if it adds one.
  fileprivate var target: EventKey? {
    if case .entity(let target) = body.target { target } else { nil }
  }

  /// The target, if it already exists, and any parents that the draft assigns.
  fileprivate var named: [EventKey] {
    let parents = body.writes.compactMap(\.value.reference)
    guard case .entity(let target) = body.target else { return parents }
    return [target] + parents
  }
}

extension Body {
  /// The fields that the event writes, with all tags as one field.
  fileprivate var shownFields: [Field] {
    let fields = writes.map(\.field)
    let others = fields.filter { $0 < .disputed && $0 != .because && $0 != .tags }
    return fields.contains { $0 == .tags || $0.isTag } ? others + [.tags] : others
  }

  /// The two records that an alias joins; empty if the event is about a record.
  fileprivate func ends(at key: EventKey, in records: Records) -> [EventKey] {
    guard verb == .alias else { return records.entity(of: key)?.birth?.joins ?? [] }
    return [key] + writes.filter { $0.field == .with }.compactMap(\.value.reference)
  }
}

extension Records {
  /// The documents of entities, without duplicates.
  func distinctDocuments(of keys: [EventKey]) -> [Document] {
    var known: Set<EventKey> = []
    return keys.compactMap(document(of:)).filter { known.insert($0.key).inserted }
  }
}
