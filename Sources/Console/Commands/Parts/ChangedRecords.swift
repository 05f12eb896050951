import Bytes
import Daybook
import Domain
import ReadModel

/// The records that a command changes, and the sub-tasks that change with them.
struct ChangedRecords {
  let ids: [UniqueID]
  private let named: Set<UniqueID>
  private let change: RecordChange
  private var below: Set<UniqueID> = []

  init(_ ids: [UniqueID], _ change: RecordChange) {
    (self.ids, self.change) = (ids, change)
    named = Set(ids)
  }

  /// Finds the sub-tasks that the change also applies to.
  mutating func findSubtasks(in model: ReadModel) throws(ReadModelError) {
    // The request finds the sub-tasks that were changed together with the to-dos.
    guard change.subtasks != .left, change.subtasks != .together else { return }
    var keys: [EventKey] = []
    for id in ids {
      guard let key = try model.documents.document(id: id)?.key else { continue }
      // The sub-tasks of a repeating to-do start over with its next date, unless the change ends its repeats.
      let goesOn = change.subtasks == .open && !change.endsRepeats
      if goesOn, try model.todos.todo(key)?.rule != nil { continue }
      keys.append(key)
    }
    for key in try model.subtasks.descendants(of: keys) {
      guard let row = try model.todos.todo(key) else { continue }
      if change.subtasks == .all || !row.isClosed { below.insert(row.head.id) }
    }
  }

  /// Whether a change is to a sub-task that changes with the named records.
  func isSubtask(_ made: PlannedChange) -> Bool {
    guard change.subtasks == .together else { return below.contains(made.subject) }
    return !named.contains(made.document) && !named.contains(made.subject)
  }

  /// The effect of changes on the named records, on their sub-tasks and on others.
  func effect(of made: [PlannedChange]) -> ChangeEffect {
    let others = made.filter { !isSubtask($0) }
    let touched = Set(others.flatMap { [$0.document, $0.subject] })
    var changed = ids.filter(touched.contains)
    // A date of a repeating to-do can be named to edit the whole series.
    let isOfSeries = !change.hidesOthers && change.leaves == nil
    if changed.isEmpty, !touched.isEmpty, isOfSeries { changed = ids }
    let own = others.filter { named.contains($0.document) || named.contains($0.subject) }
    let ended = change.endsRepeats ? own.filter(\.isOfSeries).map(\.document) : []
    return ChangeEffect(
      named: ids.count, changed: changed,
      subtasks: Set(made.filter(isSubtask).map(\.document)).count, ended: Set(ended).count,
      ofOneDate: Set(own.filter(\.isOfOneDate).map(\.subject)).count,
      others: change.leaves == nil
        ? 0 : touched.subtracting(own.flatMap { [$0.document, $0.subject] }).count)
  }
}
