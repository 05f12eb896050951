import Bytes
import Domain
import Platform
import ReadModel
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

  /// Performs a request: decides it, and writes and folds its events.
  ///
  /// The reason, in the user's words, is stored in the event about the requested record. Erasing that record also
  /// erases the reason.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reason: The reason, in the user's words.
  ///   - check: Called under the lock before anything is written. What it throws ends the request.
  /// - Returns: The changes.
  /// - Throws: ``DaybookError`` if the request is refused, or the book cannot be read or written.
  package func perform(
    _ request: Request, because reason: String? = nil,
    checking check: () throws(DaybookError) -> Void = {}
  ) throws(DaybookError) -> Performed {
    try perform(request, because: reason, checking: check) { performed in performed }
  }

  /// Performs a request like the function above, and reads something before another process can write.
  ///
  /// - Returns: What `read` returns.
  func perform<Value>(
    _ request: Request, because reason: String? = nil,
    checking check: () throws(DaybookError) -> Void = {},
    thenReading read: (Performed) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    try access.withLock(writingOwnLogOnly: true) { () throws(DaybookError) in
      var (drafts, posting, disputes) = try projector.withSoundView { () throws(DaybookError) in
        try self.drafts(for: request)
      }
      try check()
      guard !drafts.isEmpty else { return try read(Performed(changes: [])) }
      let deleters = try self.deleters(of: disputes)
      if let reason {
        let place = request.subject(among: drafts)
        drafts[place].body.writes.append(Write(.because, .text(reason)))
      }
      let places = try writer.append([DecidedCommand(drafts)], knowing: &posting)
      let command = FreshCommand(
        places.first, of: try localDevice.ownLog, count: drafts.count)
      return try projector.withSoundView { () throws(DaybookError) in
        var changes = try changes(by: drafts, from: places.first, posting: command)
        try noteKept(&changes, from: deleters)
        return try read(Performed(changes: changes))
      }
    }
  }

  /// Returns the drafts of a request, the posting on which they were decided, and the records whose deletion is in
  /// conflict with an edit.
  private func drafts(
    for request: Request
  ) throws(DaybookError) -> (drafts: [Draft], posting: Posting, disputes: Set<EventKey>) {
    let model = try projector.view()
    return try model.snapshot(failingAs: DaybookError.view) { () throws(DaybookError) in
      let posting = try projector.remembered(by: model)
      var drafts: [Draft] = []
      var disputes: Set<EventKey> = []
      for command in try commands(for: request, model) {
        let records = try shelf(for: command, model, posting)
        let decided = try wrap(DaybookError.refused) { () throws(Domain::Refusal) in
          try decide(command, on: records) { store.machine.dice.number() }
        }
        for document in records.distinctDocuments(of: decided.flatMap(\.named))
        where document.deleteAgainstEdit != nil {
          disputes.insert(document.key)
        }
        drafts += decided
      }
      return (drafts, posting, disputes)
    }
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

  /// Notes in the changes the devices whose deletions this command has settled in favour of the records.
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

  /// The records that a command needs.
  private func shelf(
    for command: Domain::Command, _ model: ReadModel, _ posting: Posting
  ) throws(DaybookError) -> Records {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var keys = Set(command.named)
      // A draw needs the choices. A delete needs the children that would lose their parent.
      for key in command.named { keys.formUnion(try model.documents.children(of: key)) }
      // A reference is shown only if the record that it leads to is among the records.
      return try model.records.hydrateWithReferences(keys, causality: posting.causality)
    }
  }

  /// The changes that drafts have made, as the records are now.
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
    var changes: [Performed.Change] = []
    var known: Set<HistoryAction> = []
    for (key, body) in bodies where body.writes.map(\.field) != [.disputed] {
      let joined = records.distinctDocuments(of: body.ends(at: key, in: records))
      guard let document = records.document(of: key) ?? joined.first else { continue }
      guard known.insert(HistoryAction(verb: body.verb, document: document.key)).inserted else {
        continue
      }
      changes.append(
        Performed.Change(
          verb: body.verb, document: document,
          fields: body.writes.map(\.field).filter { $0 < .disputed && $0 != .because },
          joined: joined))
    }
    return changes
  }

  private func commands(
    for request: Request, _ model: ReadModel
  ) throws(DaybookError) -> [Domain::Command] {
    switch request {
    case .addBirthday(let firstName, let lastName, let birthdate):
      return [.addBirthday(firstName: firstName, lastName: lastName, birthdate: birthdate)]
    case .addList(let name, let colour): return [.addList(name: name, colour: colour)]
    case .addTodo(let title, let list, let priority, let due, let note, let tags):
      let fields: [Field: Value] = [
        Field.Todo.title: .text(title), Field.Todo.priority: .optional(priority),
        Field.Todo.due: due.map(Value.date) ?? .null, .note: note.map(Value.text) ?? .null,
        .tags: tags.isEmpty ? .null : .texts(tags),
      ]
      return [try addTodo(fields, list, model)]
    case .addQuestion(let content, let choices):
      let choices = choices.map { Domain::Command.NewChoice(name: $0.name, weight: $0.weight) }
      return [.addQuestion([Field.Question.content: .text(content)], choices: choices)]
    case .addChoice(let question, let name, let weight):
      return [.addChoice(question: try finder.key(of: question, model), name: name, weight: weight)]
    case .edit(let id, let assignments): return [try edit(id, assignments, model)]
    case .editEach(let edits):
      var commands: [Domain::Command] = []
      for (id, assignments) in edits { commands.append(try edit(id, assignments, model)) }
      return commands
    case .setDone(let ids, let isDone): return [.setDone(try finder.keys(of: ids, model), isDone)]
    case .cancel(let ids):
      return [.cancel(try finder.keys(of: ids, model), on: store.machine.timekeeper.today)]
    case .delete(let ids, let children):
      return [.delete(try finder.keys(of: ids, model), children: children)]
    case .restore(let ids): return try finder.keys(of: ids, model).map { .restore($0) }
    case .pick(let question): return [.pick(question: try finder.key(of: question, model))]
    case .settle(let id, let field, let settlement):
      return [.settle(try finder.key(of: id, model), field, try taking(settlement, model))]
    case .settleLife(let id, let isKept):
      return [.settleLife(try finder.key(of: id, model), isKept: isKept)]
    case .merge(let id, let other):
      return [.join(try finder.key(of: id, model), try finder.key(of: other, model))]
    }
  }

  private func edit(
    _ id: UniqueID, _ assignments: [Request.Assignment], _ model: ReadModel
  ) throws(DaybookError) -> Domain::Command {
    var fields: [Field: Value] = [:]
    for assignment in assignments {
      fields[assignment.field] = try value(of: assignment.content, model)
    }
    return .edit(try finder.key(of: id, model), fields)
  }

  private func value(
    of content: Request.Assignment.Content, _ model: ReadModel
  ) throws(DaybookError) -> Value {
    switch content {
    case .value(let value): value
    case .record(let id): .reference(try finder.key(of: id, model))
    }
  }

  private func taking(
    _ settlement: Request.Settlement, _ model: ReadModel
  ) throws(DaybookError) -> Domain::Command.Taking {
    switch settlement {
    case .content(let content): return .value(try value(of: content, model))
    case .written(let writer):
      let number = try projector.remembered(by: model).causality.number(of: writer.event.log)
      return .write(
        by: EventKey(log: number ?? .max, sequence: writer.event.sequence),
        alternative: writer.alternative)
    }
  }

  private func addTodo(
    _ fields: [Field: Value], _ list: Request.ListChoice, _ model: ReadModel
  ) throws(DaybookError) -> Domain::Command {
    var fields = fields
    switch list {
    case .none: break
    case .existing(let id): fields[Field.Todo.list] = .reference(try finder.key(of: id, model))
    case .new(let name): return .addTodoInNewList(fields, listName: name)
    }
    return .add(.todo, fields)
  }
}

/// An action on a record, which is reported once even if several events were needed for it.
private struct HistoryAction: Hashable {
  let verb: Verb
  let document: EventKey
}

extension Domain::Command {
  /// The entities to which the draft refers.
  fileprivate var named: [EventKey] {
    switch self {
    case .add(_, let fields, _), .addTodoInNewList(let fields, _):
      fields.values.compactMap(\.reference)
    case .addQuestion: []
    case .edit(let key, let fields), .revive(let key, let fields):
      [key] + fields.values.compactMap(\.reference)
    case .setDone(let keys, _), .cancel(let keys, _), .delete(let keys, _): keys
    case .restore(let key), .pick(let key), .settleLife(let key, _): [key]
    case .settle(let key, _, .value(let value)): [key] + [value.reference].compactMap(\.self)
    case .settle(let key, _, .write): [key]
    case .join(let key, let other): [key, other]
    }
  }
}

extension Draft {
  /// The target, if it already exists, and any parents that the draft assigns.
  fileprivate var named: [EventKey] {
    let parents = body.writes.compactMap(\.value.reference)
    guard case .entity(let target) = body.target else { return parents }
    return [target] + parents
  }
}

extension Body {
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
