package import Domain

/// The whole history of a book as operations that, applied in order, result in the records that the book shows.
///
/// The operations are applied to an empty book as they are written. The fold knows which events were concurrent and
/// may come to another result: a `restore` or `delete` then corrects it at once, and edits at the end correct the
/// fields that still differ.
package struct EventExport: Sendable {
  package let operations: [Operation]
  /// The number of events that no operation represents.
  ///
  /// These are aliases, whose records stay separate; events that a newer version or a foreign source wrote; and
  /// events that together did what no command does, such as emptying a birthday on two devices, or adding a choice to
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
