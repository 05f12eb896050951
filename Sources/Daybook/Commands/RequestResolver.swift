import Bytes
import Domain
import ReadModel

/// Turns a request, which names records by their ids, into commands.
struct RequestResolver {
  let finder: RecordFinder
  let projector: Projector
  /// The day on which to-dos are closed; nil if it is unknown.
  let today: CivilDate?

  /// The commands that carry out a request.
  func commands(
    for request: Request, _ model: ReadModel
  ) throws(DaybookError) -> [Domain::Command] {
    switch request {
    case .addBirthday(let firstName, let lastName, let birthdate):
      return [.addBirthday(firstName: firstName, lastName: lastName, birthdate: birthdate)]
    case .addList(let name, let colour): return [.addList(name: name, colour: colour)]
    case .addTodo(
      let title, let list, let priority, let due, let note, let tags, let start, let parent,
      let others):
      var fields = Domain::Command.fieldsOfTodo(
        title: title, priority: priority, due: due, start: start, note: note, tags: tags)
      for other in others { fields[other.field] = try value(of: other.content, model) }
      if let parent { try put(&fields, under: parent, on: list, model) }
      return [try addTodo(fields, list, model)]
    case .addQuestion(let content, let choices):
      let choices = choices.map { Domain::Command.NewChoice(name: $0.name, weight: $0.weight) }
      return [.addQuestion([Field.Question.content: .text(content)], choices: choices)]
    case .addChoice(let question, let name, let weight):
      return [.addChoice(question: try finder.key(of: question, model), name: name, weight: weight)]
    case .edit(let id, let assignments): return try edits([(id, assignments)], model)
    case .editEach(let edits): return try self.edits(edits, model)
    case .setDone(let ids, let isDone, let alone):
      let keys = try finder.keys(of: ids, model)
      let more = isDone && !alone ? try openSubtasks(of: keys, model) : []
      return [.setDone(keys + more, isDone)]
    case .cancel(let ids, let alone):
      let keys = try finder.keys(of: ids, model)
      return [.cancel(keys + (alone ? [] : try openSubtasks(of: keys, model)), on: today)]
    case .delete(let ids, let children, let alone):
      let keys = try finder.keys(of: ids, model)
      let more =
        alone
        ? []
        : try wrap(DaybookError.view) { () throws(ReadModelError) in
          try model.subtasks.descendants(of: keys)
        }
      return [.delete(keys + more, children: children)]
    case .restore(let ids):
      var known: Set<EventKey> = []
      return try finder.keys(of: ids, model).filter { known.insert($0).inserted }
        .map { .restore($0) }
    case .pick(let question): return [.pick(question: try finder.key(of: question, model))]
    case .settle(let id, let field, let settlement):
      let key = try finder.key(of: id, model)
      return [.settle(key, field, try taking(settlement, model))]
    case .settleLife(let id, let isKept):
      return [.settleLife(try finder.key(of: id, model), isKept: isKept)]
    case .merge(let id, let other):
      return [.join(try finder.key(of: id, model), try finder.key(of: other, model))]
    }
  }

  /// One edit for each record, in the order of the request; of several values for a field, the last one counts.
  private func edits(
    _ edits: [(id: UniqueID, assignments: [Request.Assignment])], _ model: ReadModel
  ) throws(DaybookError) -> [Domain::Command] {
    var order: [EventKey] = []
    var fields: [EventKey: [Field: Value]] = [:]
    for (id, assignments) in edits {
      let key = try finder.key(of: id, model)
      if fields[key] == nil { order.append(key) }
      var written = fields[key] ?? [:]
      for assignment in assignments where !assignment.content.countsFromDue {
        written[assignment.field] = try value(of: assignment.content, model)
      }
      for assignment in assignments {
        guard case .daysBeforeDue(let days) = assignment.content else { continue }
        let before = try document(of: key, model)
        guard let day = Domain::Command.day(days, beforeDueIn: written, of: before) else {
          throw .refused(.noDayBeforeDue(assignment.field))
        }
        written[assignment.field] = .date(day)
      }
      fields[key] = written
    }
    return order.map { .edit($0, fields[$0] ?? [:]) }
  }

  /// The document as it is now.
  private func document(
    of key: EventKey, _ model: ReadModel
  ) throws(DaybookError) -> Document? {
    let causality = try projector.remembered(by: model).causality
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.records.hydrate([key], causality: causality).document(of: key)
    }
  }

  private func value(
    of content: Request.Assignment.Content, _ model: ReadModel
  ) throws(DaybookError) -> Value {
    switch content {
    case .value(let value): value
    case .record(let id): .reference(try finder.key(of: id, model))
    // It needs the other values, see ``edits(_:_:)``.
    case .daysBeforeDue: preconditionFailure("it counts from the due date")
    }
  }

  private func taking(
    _ settlement: Request.Settlement, _ model: ReadModel
  ) throws(DaybookError) -> Domain::Command.Taking {
    switch settlement {
    case .content(let content):
      return .value(try value(of: content, model))
    case .written(let writer):
      let number = try projector.remembered(by: model).causality.number(of: writer.event.log)
      return .write(
        by: EventKey(log: number ?? .max, sequence: writer.event.sequence),
        alternative: writer.alternative)
    }
  }

  /// The sub-tasks of to-dos, at any depth, that are open.
  private func openSubtasks(
    of keys: [EventKey], _ model: ReadModel
  ) throws(DaybookError) -> [EventKey] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var open: [EventKey] = []
      for key in try model.subtasks.descendants(of: keys) {
        if try model.todos.todo(key)?.isClosed == false { open.append(key) }
      }
      return open
    }
  }

  /// Makes a new to-do a sub-task; unless a list is named, it goes to the list of its parent.
  private func put(
    _ fields: inout [Field: Value], under parent: UniqueID, on list: Request.ListChoice,
    _ model: ReadModel
  ) throws(DaybookError) {
    let key = try finder.key(of: parent, model)
    let row = try wrap(DaybookError.view) { () throws(ReadModelError) in try model.todos.todo(key) }
    let isUnlisted = if case .none = list { true } else { false }
    Domain::Command.put(&fields, under: key, on: isUnlisted ? row?.list : nil)
  }

  private func addTodo(
    _ fields: [Field: Value], _ list: Request.ListChoice, _ model: ReadModel
  ) throws(DaybookError) -> Domain::Command {
    switch list {
    case .none: .add(.todo, fields)
    case .existing(let id): .addTodo(fields, on: try finder.key(of: id, model))
    case .new(let name): .addTodoInNewList(fields, listName: name)
    }
  }
}
