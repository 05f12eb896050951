package import Domain

/// The whole history of a book as operations that, carried out in their order, end in what the book shows.
///
/// The operations are tried on an empty book while they are written. Where that goes another way than the
/// fold, which knows what was concurrent, a `restore` or `delete` sets it right on the spot, and edits of the
/// fields that still differ stand at the end.
package struct EventExport: Sendable {
  package let operations: [Operation]
  /// The events that no operation stands for: aliases, whose records stay apart, what a newer version or a
  /// foreign source wrote, and what together went further than any command does (a birthday that two devices
  /// emptied, a choice that two added to different questions).
  package let skippedCount: Int

  /// Rehearses all the facts of a book, given the pasts of them.
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
