package import Domain

/// The whole history of a book as operations that, applied in order, result in the records that the book shows.
///
/// Each operation is applied to an empty book as it is written. The fold of the facts considers which events were
/// concurrent, so its result may differ from that book. If so, a `restore` or `delete` corrects the state of the record
/// immediately, and edits at the end correct the fields that still differ.
package struct EventExport: Sendable {
  package let operations: [Operation]
  /// The number of events that no operation represents.
  ///
  /// These are aliases, whose records stay separate; events that a newer version or a foreign source wrote; and events
  /// whose combined effect no command can produce, such as emptying a birthday on two devices, or adding a choice to
  /// different questions on two devices.
  package let skippedCount: Int

  /// Writes the operations for all facts of a book.
  ///
  /// - Parameters:
  ///   - facts: All facts of the book.
  ///   - causality: The causality of these facts.
  package init(of facts: some Sequence<Fact>, causality: Causality) {
    let ordered = facts.inStampOrder(causality)
    var rehearsal = Rehearsal(causality)
    for fact in ordered { rehearsal.reserveName(of: fact) }
    for fact in ordered { rehearsal.take(fact) }
    rehearsal.correct()
    operations = rehearsal.operations
    skippedCount = rehearsal.skippedCount
  }
}
