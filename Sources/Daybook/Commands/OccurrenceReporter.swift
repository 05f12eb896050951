import Domain
import ReadModel

/// Reports the effect of a command on an occurrence of a repeating to-do.
struct OccurrenceReporter {
  let model: ReadModel
  let causality: Causality

  /// Returns the change, with the current state of the records; nil if the record is not an occurrence.
  func change(of document: Document) throws(DaybookError) -> Performed.OccurrenceChange? {
    guard let slot = document.slot, let owner = document.value(.owner).reference else { return nil }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      let records = try model.records.hydrateWithReferences([owner], causality: causality)
      guard let todo = records.document(of: owner) else { return nil }
      return Performed.OccurrenceChange(
        todo: todo, slot: slot,
        recurrence: try model.repeats.recurrence(of: owner, causality: causality))
    }
  }
}
