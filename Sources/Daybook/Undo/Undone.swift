package import Domain

/// The result of an undo.
package struct Undone: Sendable {
  /// The changed records in their new state.
  package var changes: [Performed.Change]
  /// The fields and records that were not changed, each with the reason.
  package var left: [Undoing.Left]
  /// Records that were kept because later events depend on them.
  package var spared: [Dependence] = []
  /// Records that were deleted although later events depend on them.
  package var swept: [Dependence] = []
  /// The conflicts that the undo has reopened.
  package var reopened: [Undoing.Reopened] = []
  /// The fields that were written while records were joined and that a separated record keeps after the undo.
  package var shared: [SharedWrites] = []
  /// Whether the undo passed over an erasure or over erased events.
  package var passesErasure = false
  /// The reason why fewer commands were undone or redone than requested; nil if there was no obstacle.
  package var obstacle: Obstacle?

  /// The reason why an undo of several commands ended early.
  package enum Obstacle: Sendable {
    /// An erasure prevents the undo.
    case erasure
    /// A change to devices, which cannot be undone, prevents the undo.
    case lasting(LastingChange)
    /// Another device has edited fields that the next command to undo wrote.
    case edits([EditSince])
    /// Nothing of the next command can be undone, because later events depend on its records.
    case dependences([Dependence])
  }
}

/// How to treat fields that another device has edited since the command to be undone.
///
/// Records that later events depend on are kept, unless the case is `forcing`.
package enum UndoCare: Sendable {
  /// The command is not undone, and no event is written for it.
  case refusing
  /// The edited field gets the value that it had before the command.
  ///
  /// Records that later events depend on are also deleted.
  case forcing
  /// The edited field keeps its value.
  case leaving
}
