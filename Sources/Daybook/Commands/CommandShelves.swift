import Domain
import ReadModel

/// Reads the records that commands need.
struct CommandShelves {
  let historyReader: HistoryReader

  func shelf(
    for needs: CommandNeeds, _ model: ReadModel, _ posting: Posting
  ) throws(DaybookError) -> RepeatShelf {
    let recurrences = try recurrences(of: needs.repeating, model, posting)
    let ends = try earlierEnds(of: needs.opened, recurrences, posting)
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      var keys = needs.named
      for recurrence in recurrences.values {
        let state = recurrence.state
        keys.formUnion(recurrence.stored.map(\.key) + (state.latestClosed?.keys ?? []))
        keys.formUnion(recurrence.openKeys + state.keysSkippedAfterEnd)
      }
      // A draw needs the question's choices. A delete needs the children that would lose their parent.
      for key in needs.named { keys.formUnion(try model.documents.children(of: key)) }
      for key in needs.parents { keys.formUnion(try model.subtasks.ancestors(of: key)) }
      // A reference is shown only if the record that it refers to is among the records.
      return RepeatShelf(
        try model.records.hydrateWithReferences(keys, causality: posting.causality), recurrences,
        ends)
    }
  }

  /// The recurrences of the given to-dos.
  private func recurrences(
    of keys: Set<EventKey>, _ model: ReadModel, _ posting: Posting
  ) throws(DaybookError) -> [EventKey: Recurrence] {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      var recurrences: [EventKey: Recurrence] = [:]
      for key in keys {
        recurrences[key] = try model.repeats.recurrence(of: key, causality: posting.causality)
      }
      return recurrences
    }
  }

  /// The earlier ends of series; nil if no series that has ended is opened again.
  ///
  /// Only the logs contain the earlier ends, so the logs are read only if such a series is opened.
  private func earlierEnds(
    of opened: Set<EventKey>, _ recurrences: [EventKey: Recurrence], _ posting: Posting
  ) throws(DaybookError) -> EarlierEnds? {
    let isNeeded = opened.contains { key in
      guard let recurrence = recurrences[key], !recurrence.isOfSubtask else { return false }
      return recurrence.state.isFinished && recurrence.state.series.until != nil
    }
    guard isNeeded else { return nil }
    return EarlierEnds(in: try historyReader.toldFacts(by: posting), posting.causality)
  }
}
