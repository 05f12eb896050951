import Domain
import ReadModel

/// Tells what a command did to an occurrence of a to-do that repeats.
struct OccurrenceReporter {
  let model: ReadModel
  let causality: Causality

  /// Returns the change, as the records are now; nil if the record is no occurrence.
  func change(of document: Document) throws(DaybookError) -> Performed.OccurrenceChange? {
    // The shown reference is null, because the series is not among the records of the change.
    guard let slot = document.slot else { return nil }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in
      guard let owner = try model.repeats.owner(of: document.key),
        let todo = try model.records.hydrateWithReferences([owner], causality: causality)
          .document(of: owner)
      else { return nil }
      return Performed.OccurrenceChange(
        todo: todo, slot: slot,
        recurrence: try model.repeats.recurrence(of: owner, causality: causality))
    }
  }
}
