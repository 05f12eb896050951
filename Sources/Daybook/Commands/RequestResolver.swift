import Bytes
import Domain
import ReadModel

/// Turns a request, which names records by their ids, into commands.
struct RequestResolver {
  let finder: RecordFinder
  let projector: Projector
  /// The current day on the device; nil if it is outside the years 1 to 9999.
  let today: CivilDate?
  /// The closing day for to-dos; nil if the clock cannot be trusted.
  let closingDay: CivilDate?

  /// The commands that carry out a request.
  func commands(
    for request: Request, _ model: ReadModel
  ) throws(DaybookError) -> [Domain::Command] {
    switch request {
    case .addBirthday(let firstName, let lastName, let birthdate):
      return [.addBirthday(firstName: firstName, lastName: lastName, birthdate: birthdate)]
    case .addList(let name, let colour):
      let colour = if let colour { colour } else { try colourOfNewList(model) }
      return [.addList(name: name, colour: colour)]
    case .addTodo(
      let title, let list, let priority, let due, let note, let tags, let start, let parent,
      let others):
      var fields = Domain::Command.fieldsOfTodo(
        title: title, priority: priority, due: due, start: start, note: note, tags: tags)
      for other in others { fields[other.field] = try value(of: other.content, model) }
      if let parent { try put(&fields, under: parent, on: list, model) }
      return [try addTodo(try withFirstDate(fields, nil), list, model)]
    case .addQuestion(let content, let choices):
      let choices = choices.map { Domain::Command.NewChoice(name: $0.name, weight: $0.weight) }
      return [.addQuestion([Field.Question.content: .text(content)], choices: choices)]
    case .addChoice(let question, let name, let weight):
      return [.addChoice(question: try finder.key(of: question, model), name: name, weight: weight)]
    case .edit(let id, let assignments, let scope):
      return try edits([(id, assignments)], scope, model)
    case .editEach(let edits, let scope): return try self.edits(edits, scope, model)
    case .setDone(let ids, let isDone, let alone):
      let keys = try finder.keys(of: ids, model)
      let more =
        alone
        ? []
        : isDone ? try openSubtasks(of: keys, model) : try together(model).closed(with: keys)
      return [.setDone(keys + more, isDone, on: closingDay)]
    case .skip(let ids): return [.skip(try finder.keys(of: ids, model), on: closingDay)]
    case .cancel(let ids, let alone):
      let keys = try finder.keys(of: ids, model)
      let more = alone ? [] : try openSubtasks(of: keys, model) + subtasksOfSeries(keys, model)
      return [.cancel(keys + more, on: closingDay)]
    case .delete(let ids, let children, let alone):
      let keys = try finder.keys(of: ids, model)
      let more =
        alone
        ? []
        : try wrap(DaybookError.view) { () throws(ReadModelError) in
          try model.subtasks.descendants(of: keys)
        }
      return [.delete(keys + more, children: children)]
    case .restore(let ids, let alone):
      let keys = try finder.keys(of: ids, model)
      let more = alone ? [] : try together(model).deleted(with: keys)
      var known: Set<EventKey> = []
      return (keys + more).filter { known.insert($0).inserted }.map { .restore($0) }
    case .pick(let question): return [.pick(question: try finder.key(of: question, model))]
    case .settle(let id, let field, let settlement):
      let key = try disputed(id, field, model)
      return [.settle(key, field, try taking(settlement, model))]
    case .settleLife(let id, let isKept):
      let key = try disputed(id, nil, model)
      let more = isKept ? try together(model).deleted(with: [key]) : []
      return [.settleLife(key, isKept: isKept)] + more.map { .restore($0) }
    case .merge(let id, let other, let keepsBoth):
      let keys = (try finder.key(of: id, model), try finder.key(of: other, model))
      return [.join(keys.0, keys.1, keepsBoth: keepsBoth)]
    }
  }

  /// The edits of each record, in the order of the request.
  ///
  /// Several edits of a record become one edit with the same effect as all of them in order.
  private func edits(
    _ edits: [(id: UniqueID, assignments: [Request.Assignment])], _ scope: Request.EditScope,
    _ model: ReadModel
  ) throws(DaybookError) -> [Domain::Command] {
    var order: [EventKey] = []
    var fields: [EventKey: [Field: Value]] = [:]
    for (id, assignments) in edits {
      let key = try subject(of: id, scope, model)
      if fields[key] == nil { order.append(key) }
      fields[key] = try self.fields(of: assignments, for: key, after: fields[key] ?? [:], model)
    }
    var commands: [Domain::Command] = []
    for key in order { commands += try self.edits(of: key, fields[key] ?? [:], scope, model) }
    return commands
  }

  /// The fields that assignments write to a record, joined with the fields of earlier edits of the same request.
  ///
  /// If a field is given several values, the last one is used.
  private func fields(
    of assignments: [Request.Assignment], for key: EventKey, after earlier: [Field: Value],
    _ model: ReadModel
  ) throws(DaybookError) -> [Field: Value] {
    var own: [Field: Value] = [:]
    for assignment in assignments where !assignment.content.countsFromDue {
      own[assignment.field] = try value(of: assignment.content, model)
    }
    var fields = Domain::Command.joining(earlier, with: own)
    for assignment in assignments {
      guard case .daysBeforeDue(let days) = assignment.content else { continue }
      let before = try row(of: key, model)?.due
      guard let day = Domain::Command.day(days, beforeDueIn: fields, orBefore: before) else {
        throw .refused(.noDayBeforeDue(assignment.field))
      }
      fields[assignment.field] = .date(day)
    }
    return fields
  }

  /// The commands that edit one record.
  private func edits(
    of key: EventKey, _ fields: [Field: Value], _ scope: Request.EditScope, _ model: ReadModel
  ) throws(DaybookError) -> [Domain::Command] {
    let row = try row(of: key, model)
    if scope == .series, row?.rule == nil {
      throw .refused(.noSeries(row?.head.id ?? UniqueID.none))
    }
    if let row, row.rule == nil, row.series == nil, Domain::Command.setsEndAlone(fields) {
      throw .refused(.noSeries(row.head.id))
    }
    var fields = fields
    let state = row == nil ? nil : try takingState(from: &fields, of: key, scope, row, model)
    if let state, fields.isEmpty { return [state] }
    fields = try withFirstDate(fields, row)
    if scope == .series || Domain::Command.setsRule(fields) {
      fields = Domain::Command.movingStart(in: fields, of: try recurrence(of: key, model))
    }
    let edits = Domain::Command.edits(
      of: key, fields, scope: scope, repeats: row?.rule != nil, hasCurrent: row?.slot != nil)
    return edits + [state].compactMap(\.self)
  }

  /// Moves the state from an edit of a repeating to-do to a separate command, or completes the state of a plain to-do.
  private func takingState(
    from fields: inout [Field: Value], of key: EventKey, _ scope: Request.EditScope,
    _ row: TodoRow?,
    _ model: ReadModel
  ) throws(DaybookError) -> Domain::Command? {
    guard Domain::Command.setsState(fields) else {
      return nil
    }
    let isOccurrence = row?.series != nil
    if !isOccurrence, try recurrence(of: key, model) == nil {
      // A cancelled to-do keeps its closing day.
      let day = row?.isCancelled == true ? nil : closingDay
      fields = Domain::Command.completingState(fields, on: day)
      return nil
    }
    return .takingState(from: &fields, of: key, scope, on: closingDay)
  }

  private func recurrence(
    of key: EventKey, _ model: ReadModel
  ) throws(DaybookError) -> Recurrence? {
    let causality = try projector.remembered(by: model).causality
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.repeats.recurrence(of: key, causality: causality)
    }
  }

  /// The fields, with the first date of their rule if they have a rule.
  private func withFirstDate(
    _ fields: [Field: Value], _ row: TodoRow?
  ) throws(DaybookError) -> [Field: Value] {
    try wrap(DaybookError.refused) { () throws(Domain::Refusal) in
      try Domain::Command.withFirstDate(fields, due: row?.due, start: row?.start, today: today)
    }
  }

  /// The record that an edit changes; for an edit of all dates, this is the series of an occurrence.
  private func subject(
    of id: UniqueID, _ scope: Request.EditScope, _ model: ReadModel
  ) throws(DaybookError) -> EventKey {
    let key = try finder.key(of: id, model)
    guard scope == .series else { return key }
    return try row(of: key, model)?.series ?? key
  }

  private func row(of key: EventKey, _ model: ReadModel) throws(DaybookError) -> TodoRow? {
    try wrap(DaybookError.view) { () throws(ReadModelError) in try model.todos.todo(key) }
  }

  private func value(
    of content: Request.Assignment.Content, _ model: ReadModel
  ) throws(DaybookError) -> Value {
    switch content {
    case .value(let value): value
    case .record(let id): .reference(try finder.key(of: id, model))
    // This value depends on the other values; see ``fields(of:for:after:_:)``.
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

  /// The record in conflict: the record with the given id or, for a repeating to-do, its current date.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - field: The field in conflict; nil for a delete against an edit.
  ///   - model: The read model.
  /// - Returns: The record in conflict, or the record with the given id if there is no conflict.
  /// - Throws: ``DaybookError`` if there is no record with the id, or the read model cannot be read.
  private func disputed(
    _ id: UniqueID, _ field: Field?, _ model: ReadModel
  ) throws(DaybookError) -> EventKey {
    let key = try finder.key(of: id, model)
    guard let stored = try recurrence(of: key, model)?.stored, !stored.isEmpty else { return key }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      for key in [key] + stored.map(\.key) {
        let isDisputed =
          if let field {
            try model.conflicts.conflicts(of: key).contains { $0.field == field }
          } else {
            try model.conflicts.unsettled().contains(key)
          }
        if isDisputed { return key }
      }
      return key
    }
  }

  private func together(_ model: ReadModel) throws(DaybookError) -> ChangedTogether {
    ChangedTogether(
      store: finder.store, model: model, causality: try projector.remembered(by: model).causality)
  }

  /// The open sub-tasks of to-dos, at any depth.
  private func openSubtasks(
    of keys: [EventKey], _ model: ReadModel
  ) throws(DaybookError) -> [EventKey] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var open: [EventKey] = []
      // The sub-tasks of a series start over with its next occurrence.
      var plain: [EventKey] = []
      for key in keys where try model.todos.todo(key)?.rule == nil { plain.append(key) }
      for key in try model.subtasks.descendants(of: plain) {
        if try model.todos.todo(key)?.isClosed == false { open.append(key) }
      }
      return open
    }
  }

  /// The sub-tasks of repeating to-dos, at any depth.
  ///
  /// A sub-task that is closed in the current slot is open again once its series has ended.
  private func subtasksOfSeries(
    _ keys: [EventKey], _ model: ReadModel
  ) throws(DaybookError) -> [EventKey] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var series: [EventKey] = []
      for key in keys where try model.todos.todo(key)?.rule != nil { series.append(key) }
      return try model.subtasks.descendants(of: series)
    }
  }

  /// Makes a new to-do a sub-task, in its parent's list unless another list is named.
  private func put(
    _ fields: inout [Field: Value], under parent: UniqueID, on list: Request.ListChoice,
    _ model: ReadModel
  ) throws(DaybookError) {
    let key = try finder.key(of: parent, model)
    let row = try row(of: key, model)
    let isUnlisted = if case .none = list { true } else { false }
    Domain::Command.put(&fields, under: key, on: isUnlisted ? row?.list : nil)
  }

  private func addTodo(
    _ fields: [Field: Value], _ list: Request.ListChoice, _ model: ReadModel
  ) throws(DaybookError) -> Domain::Command {
    switch list {
    case .none: .add(.todo, fields)
    case .existing(let id): .addTodo(fields, on: try finder.key(of: id, model))
    case .new(let name):
      .addTodoInNewList(fields, listName: name, colour: try colourOfNewList(model))
    }
  }

  /// The colour of a list that a user adds without a colour; an imported list without a colour gets none.
  private func colourOfNewList(_ model: ReadModel) throws(DaybookError) -> Int64 {
    ListColour.next(
      after: try wrap(DaybookError.view) { () throws(ReadModelError) in
        try model.lists.countsByColour()
      })
  }
}
