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

  /// Returns the records that the words name, each once.
  func found(
    _ words: [String], _ kind: Kind?, _ among: RecordFinder.Among = .live
  ) throws -> [Found] {
    var known: Set<UniqueID> = []
    return try words.map { try context.find($0, kind: kind, among: among) }
      .filter { known.insert($0.id).inserted }
  }

  /// Changes named records without asking.
  func change(_ found: [Found], _ wish: RecordWish, _ change: RecordChange) throws {
    if wish.isTrial {
      try show(found)
      let areTodos = found.allSatisfy { $0.kind == .todo }
      return try tellTrial(of: found.map(\.id), areTodos ? "to-do" : "record", change)
    }
    let ids = found.map(\.id)
    let (performed, subtasks) = try perform(change) { _ in ids }
    let presenter = ChangePresenter(
      context: context, advises: change.advises, reopens: change.reopens)
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
    // After a record is restored or deleted, another of its members may be the one shown.
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
  /// Those that no longer match when the question is answered are left as they are.
  func changeSelected(
    _ wish: RecordWish, _ among: TodoSelection.Scope,
    _ makeChange: ([TodoRow]) throws -> RecordChange
  ) throws {
    let selection = try TodoSelection(wish.todos, among, in: context)
    let presenter = SelectionPresenter(context: context)
    let rows = try selection.rows(in: try context.book().view())
    guard !rows.isEmpty else { return presenter.tellNone() }
    let change = try makeChange(rows)
    if wish.isTrial {
      try presenter.answer(rows)
      return try tellTrial(of: rows.map(\.head.id), "to-do", change)
    }
    if !wish.isSure || !output.isQuiet { try presenter.show(rows, asking: !wish.isSure) }
    let count = try subtaskIDs(of: rows.map(\.head.key), change, try context.book().view()).count
    let others = count == 0 ? "" : " and \(count.counted("sub-task"))"
    try output.require(
      wish.isSure, "\(change.verb) \(rows.count.counted("to-do"))\(others)\(change.rest)?")
    let shown = Set(rows.map(\.head.id))
    var matching: Set<UniqueID> = []
    let (performed, subtasks) = try perform(change) { model throws(ReadModelError) in
      let ids = try selection.rows(in: model).map(\.head.id).filter(shown.contains)
      matching = Set(ids)
      return ids
    }
    try presenter.tell(performed, change, to: matching.count, with: subtasks)
    try presenter.noteSkipped(rows.filter { !matching.contains($0.head.id) })
    note(change, performed)
  }

  // MARK: Both

  /// Describes the effect of a change, including the sub-tasks and contents that it would also change.
  private func tellTrial(of ids: [UniqueID], _ noun: String, _ change: RecordChange) throws {
    let model = try context.book().view()
    let keys = try ids.compactMap { try model.documents.document(id: $0)?.key }
    let below = try subtaskIDs(of: keys, change, model).count
    let others = below == 0 ? "" : " and \(below.counted("sub-task"))"
    let contents = change.hidesContents ? try contentWords(of: keys, model) : ""
    output.say(
      "This would \(change.verb.lowercased()) \(ids.count.counted(noun))\(others)\(contents)\(change.rest)."
    )
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

  /// Performs a change; returns its effects on the records and on their sub-tasks.
  private func perform(
    _ change: RecordChange, on records: (ReadModel) throws(ReadModelError) -> [UniqueID]
  ) throws -> (Performed, subtasks: [Performed.Change]) {
    var ids: [UniqueID] = []
    var below: Set<UniqueID> = []
    var performed = try context.book().commands.perform(because: context.reason) {
      model throws(ReadModelError) in
      ids = try records(model)
      var keys: [EventKey] = []
      for id in ids {
        if let key = try model.documents.document(id: id)?.key { keys.append(key) }
      }
      below = Set(try subtaskIDs(of: keys, change, model))
      return try change.request(ids, model)
    }
    let named = Set(ids)
    let isSubtask = { (made: Performed.Change) in
      guard change.subtasks == .together else { return below.contains(made.subject.id) }
      return !named.contains(made.document.id) && !named.contains(made.subject.id)
    }
    let subtasks = performed.changes.filter(isSubtask)
    performed.changes.removeAll(where: isSubtask)
    if change.hidesOthers {
      performed.changes.removeAll { !named.contains($0.document.id) }
    }
    return (performed, subtasks)
  }

  /// Returns the ids of the sub-tasks that a change to to-dos also changes.
  private func subtaskIDs(
    of todos: [EventKey], _ change: RecordChange, _ model: ReadModel
  ) throws(ReadModelError) -> [UniqueID] {
    guard change.subtasks != .left, change.subtasks != .together else { return [] }
    var ids: [UniqueID] = []
    var plain = todos
    if change.subtasks == .open {
      // The sub-tasks of a repeating to-do start over with its next date.
      plain = []
      for key in todos where try model.todos.todo(key)?.rule == nil { plain.append(key) }
    }
    for key in try model.subtasks.descendants(of: plain) {
      guard let row = try model.todos.todo(key) else { continue }
      if change.subtasks == .all || !row.isClosed { ids.append(row.head.id) }
    }
    return ids
  }

  private func note(_ change: RecordChange, _ performed: Performed) {
    if let note = change.note, !performed.isNothing { output.note(note) }
  }
}
