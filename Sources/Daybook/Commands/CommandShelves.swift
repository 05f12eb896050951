import Domain
import ReadModel

/// Reads the records that commands need.
struct CommandShelves {
  let historyReader: HistoryReader

  /// The records that the commands of a request need.
  func shelf(
    for commands: [Domain::Command], _ model: ReadModel, _ posting: Posting
  ) throws(DaybookError) -> RepeatShelf {
    let recurrences = try recurrences(for: commands, model, posting)
    let ends = try earlierEnds(for: commands, recurrences, posting)
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let named = Set(commands.flatMap(\.named))
      var keys = named
      for recurrence in recurrences.values {
        let state = recurrence.state
        keys.formUnion(recurrence.stored.map(\.key) + (state.latestClosed?.keys ?? []))
        keys.formUnion(recurrence.openKeys + state.keysSkippedAfterEnd)
      }
      // A draw needs the choices. A delete needs the children that would lose their parent.
      for key in named { keys.formUnion(try model.documents.children(of: key)) }
      for key in commands.compactMap(\.parent) {
        keys.formUnion(try model.subtasks.ancestors(of: key))
      }
      // A reference is shown only if the record that it leads to is among the records.
      return RepeatShelf(
        try model.records.hydrateWithReferences(keys, causality: posting.causality), recurrences,
        ends)
    }
  }

  /// How the to-dos that the commands change repeat.
  private func recurrences(
    for commands: [Domain::Command], _ model: ReadModel, _ posting: Posting
  ) throws(DaybookError) -> [EventKey: Recurrence] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var recurrences: [EventKey: Recurrence] = [:]
      for key in Set(commands.flatMap(\.repeating)) {
        recurrences[key] = try model.repeats.recurrence(of: key, causality: posting.causality)
      }
      return recurrences
    }
  }

  /// The ends that the series had before, if a command opens one again that has ended.
  private func earlierEnds(
    for commands: [Domain::Command], _ recurrences: [EventKey: Recurrence], _ posting: Posting
  ) throws(DaybookError) -> EarlierEnds? {
    let opened = commands.flatMap { command -> [EventKey] in
      if case .setDone(let keys, false, _) = command { keys } else { [] }
    }
    let isNeeded = opened.contains { key in
      guard let recurrence = recurrences[key], !recurrence.isOfSubtask else { return false }
      return recurrence.state.isFinished && recurrence.state.series.until != nil
    }
    guard isNeeded else { return nil }
    return EarlierEnds(
      in: try historyReader.toldFacts(by: posting), posting.causality)
  }
}

extension Domain::Command {
  /// The to-do that another one becomes a sub-task of; its ancestors show whether that is allowed.
  fileprivate var parent: EventKey? {
    switch self {
    case .edit(_, let fields), .editSeries(_, let fields), .revive(_, let fields):
      fields[Field.Todo.parent]?.reference
    default: nil
    }
  }

  /// The to-dos whose repeat rules the command must know.
  fileprivate var repeating: [EventKey] {
    switch self {
    case .setDone(let keys, _, _), .cancel(let keys, _), .skip(let keys, _): keys
    case .editOccurrence(let key, _), .editSeries(let key, _), .setRepeat(let key, _),
      .endRepeat(let key):
      [key]
    default: []
    }
  }

  /// The entities to which the draft refers.
  fileprivate var named: [EventKey] {
    switch self {
    case .add(_, let fields, _), .addTodoInNewList(let fields, _, _):
      fields.values.compactMap(\.reference)
    case .addQuestion: []
    case .edit(let key, let fields), .revive(let key, let fields):
      [key] + fields.values.compactMap(\.reference)
    case .setDone(let keys, _, _), .cancel(let keys, _), .skip(let keys, _), .delete(let keys, _):
      keys
    case .restore(let key), .pick(let key), .settleLife(let key, _), .endRepeat(let key): [key]
    case .editOccurrence(let key, let fields), .editSeries(let key, let fields),
      .setRepeat(let key, let fields):
      [key] + fields.values.compactMap(\.reference)
    case .settle(let key, _, .value(let value)): [key] + [value.reference].compactMap(\.self)
    case .settle(let key, _, .write): [key]
    case .join(let key, let other, _): [key, other]
    }
  }
}
