import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

/// Changes any number of records in one step.
struct ChangeRecords {
  let context: CommandContext
  private var output: Output { context.output }

  /// Changes the named records, or the selected to-dos.
  func run(_ wish: RecordWish, _ change: RecordChange) throws {
    if wish.words.isEmpty {
      try changeSelected(wish, change.selecting) { _ in change }
    } else {
      try self.change(try found(wish.words, change.kind, change.among), wish, change)
    }
  }

  // MARK: Named records

  /// Returns the records that the words name, without duplicates.
  func found(
    _ words: [String], _ kind: Kind?, _ among: RecordFinder.Among = .live
  ) throws -> [Found] {
    var known: Set<UniqueID> = []
    return try words.map { try context.find($0, kind: kind, among: among) }
      .filter { known.insert($0.id).inserted }
  }

  /// Changes named records without asking.
  func change(_ found: [Found], _ wish: RecordWish, _ change: RecordChange) throws {
    let ids = found.map(\.id)
    if wish.isTrial {
      let effect = try plan(change, of: ids)
      try show(found)
      guard !effect.isNothing else {
        return output.say(ChangePresenter(context: context).nothingSentence(about: found))
      }
      let areTodos = found.allSatisfy { $0.kind == .todo }
      return try tellTrial(of: ids, effect, areTodos ? "to-do" : "record", change)
    }
    let (performed, subtasks, _) = try perform(change) { _ in ids }
    let presenter = ChangePresenter(
      context: context, advises: change.advises, reopens: change.reopens,
      cancels: change.endsRepeats, lostEnds: change.lostEnds)
    if output.isJSON {
      var whole = performed
      whole.changes += subtasks
      try presenter.tell(whole)
    } else if performed.isNothing, !subtasks.isEmpty {
      output.say("\(change.past) \(subtasks.count.counted("sub-task"))\(change.rest).")
    } else if let tell = change.tell, !performed.isNothing {
      try tell(performed)
      if !subtasks.isEmpty {
        output.say("\(change.past) \(subtasks.count.counted("sub-task"))\(change.rest).")
      }
    } else {
      try presenter.tell(performed, about: found, with: subtasks, change)
    }
    // After a record is restored or deleted, another of its members may be shown.
    if case .live = change.among, !performed.isNothing, !output.isJSON {
      let changed = Set(performed.changes.flatMap { [$0.document.id, $0.subject.id] })
      let others = try found.filter { found in
        try !changed.contains(found.id) && !isDate(found, ofTodoIn: performed.changes)
      }
      if !others.isEmpty { output.say(presenter.nothingSentence(about: others)) }
    }
    note(change, performed)
  }

  /// Whether a record is one date of a to-do that was changed as a whole.
  private func isDate(_ found: Found, ofTodoIn changes: [Performed.Change]) throws -> Bool {
    let model = try context.presentSnapshot().model
    guard found.kind == .todo, let key = try model.documents.document(id: found.id)?.key,
      let series = try model.todos.todo(key)?.seriesID
    else { return false }
    return changes.contains { $0.occurrence == nil && $0.document.id == series }
  }

  private func show(_ found: [Found]) throws {
    guard output.isJSON else {
      return output.answer(
        rows: found.map { found in
          RowCells(context: context).cells(found.shortID, [found.kind.name, found.title.visible])
        })
    }
    let snapshot = try context.presentSnapshot()
    let documents = try found.compactMap { try snapshot.book.finder.document(withID: $0.id) }
    output.answer(.array(try documents.map(snapshot.jsonWithKind)))
  }

  // MARK: Selected to-dos

  /// Changes the to-dos that options select, after asking the user; `makeChange` makes the change for them.
  ///
  /// To-dos that no longer match when the question is answered are not changed.
  func changeSelected(
    _ wish: RecordWish, _ among: TodoSelection.Scope,
    _ makeChange: ([TodoRow]) throws -> RecordChange
  ) throws {
    let selection = try TodoSelection(wish.todos, among, in: context)
    let presenter = SelectionPresenter(context: context)
    let rows = try selection.rows(in: try context.book().view())
    guard !rows.isEmpty else { return presenter.tellNone() }
    let change = try makeChange(rows)
    let shown = Set(rows.map(\.head.id))
    if wish.isTrial {
      let ids = rows.map(\.head.id)
      let effect = try plan(change, of: ids)
      try presenter.answer(rows)
      guard !effect.isNothing else { return presenter.tellNothing(about: ids.count) }
      return try tellTrial(of: ids, effect, "to-do", change)
    }
    if !wish.isSure || !output.isQuiet { try presenter.show(rows, asking: !wish.isSure) }
    if !wish.isSure {
      let effect = try plan(change, of: rows.map(\.head.id))
      // Without an effect, there is nothing to ask.
      guard !effect.isNothing else {
        if output.isJSON { output.answer(.array([])) }
        return presenter.tellNothing(about: rows.count)
      }
      let words = effect.words("to-do")
      try output.require(
        false, "\(change.verb) \(words)\(change.rest)?\(effect.details(of: change))")
    }
    var matching: Set<UniqueID> = []
    let (performed, subtasks, effect) = try perform(change) { model throws(ReadModelError) in
      let ids = try selection.rows(in: model).map(\.head.id).filter(shown.contains)
      matching = Set(ids)
      return ids
    }
    try presenter.tell(performed, change, effect, with: subtasks)
    try presenter.noteSkipped(rows.filter { !matching.contains($0.head.id) })
    note(change, performed)
  }

  // MARK: Both

  /// Describes the effect that a change would have, including its effect on sub-tasks and contents.
  private func tellTrial(
    of ids: [UniqueID], _ effect: ChangeEffect, _ noun: String, _ change: RecordChange
  ) throws {
    let model = try context.book().view()
    let keys = try ids.compactMap { try model.documents.document(id: $0)?.key }
    let contents = change.hidesContents ? try contentWords(of: keys, model) : ""
    let words = effect.words(noun, with: contents)
    output.say(
      "This would \(change.verb.lowercased()) \(words)\(change.rest).\(effect.details(of: change))")
  }

  /// The to-dos of lists, and the choices and picks of questions, in words that follow the records.
  private func contentWords(of keys: [EventKey], _ model: ReadModel) throws -> String {
    var sum = Children([:])
    for key in keys {
      guard let kind = try model.documents.document(key)?.kind else { continue }
      let contents = try Children(of: key, kind, in: model)
      sum.todos += contents.todos
      sum.choices += contents.choices
      sum.picks += contents.picks
    }
    return sum.count == 0 ? "" : " with \(sum.words)"
  }

  /// Plans a change without making it, and returns what the change would affect.
  private func plan(_ change: RecordChange, of ids: [UniqueID]) throws -> ChangeEffect {
    var named = ChangedRecords(ids, change)
    do {
      let planned = try context.book().commands.plan { model throws(ReadModelError) in
        try named.findSubtasks(in: model)
        return try change.request(ids, model)
      }
      return effect(of: planned, named, change)
    } catch {
      throw try naming(error, among: ids)
    }
  }

  private func effect(
    of made: [PlannedChange], _ named: ChangedRecords, _ change: RecordChange
  ) -> ChangeEffect {
    var effect = named.effect(of: made)
    effect.endless = effect.changed.filter { change.lostEnds[$0] != nil }.count
    return effect
  }

  /// Returns the error of a refused change; if only one of several to-dos does not repeat, the error names it.
  private func naming(_ error: DaybookError, among ids: [UniqueID]) throws -> any Error {
    guard ids.count > 1, case .refused(.noSeries(let id)) = error else { return error }
    let snapshot = try context.presentSnapshot()
    guard let document = try snapshot.book.finder.document(withID: id) else { return error }
    return ConsoleError.doesNotRepeat(try snapshot.name(of: document))
  }

  /// Performs a change, and returns its effects on the records and on their sub-tasks.
  private func perform(
    _ change: RecordChange, on records: (ReadModel) throws(ReadModelError) -> [UniqueID]
  ) throws -> (Performed, subtasks: [Performed.Change], ChangeEffect) {
    var named = ChangedRecords([], change)
    var performed: Performed
    do {
      performed = try context.book().commands.perform(because: context.reason) {
        model throws(ReadModelError) in
        named = ChangedRecords(try records(model), change)
        try named.findSubtasks(in: model)
        return try change.request(named.ids, model)
      }
    } catch {
      throw try naming(error, among: named.ids)
    }
    let changed = named
    let effect = self.effect(of: performed.changes.map(\.planned), changed, change)
    let subtasks = performed.changes.filter { changed.isSubtask($0.planned) }
    performed.changes.removeAll { changed.isSubtask($0.planned) }
    if change.hidesOthers {
      let ids = Set(changed.ids)
      performed.changes.removeAll { !ids.contains($0.document.id) }
    }
    return (performed, subtasks, effect)
  }

  private func note(_ change: RecordChange, _ performed: Performed) {
    if let note = change.note, !performed.isNothing { output.note(note) }
  }
}
