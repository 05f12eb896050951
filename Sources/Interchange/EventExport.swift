package import Domain

/// The whole history of a book as operations that, applied in order, result in the records that the book shows.
///
/// While they are written, the operations are applied to an empty book. The fold considers which events were
/// concurrent, and may therefore produce a different result. In this case, a `restore` or `delete` corrects the
/// operations immediately, and edits at the end correct the fields that still differ.
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
