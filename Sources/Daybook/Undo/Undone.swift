package import Domain

/// The result of an undo.
package struct Undone: Sendable {
  /// The changed records, as they are now.
  package var changes: [Performed.Change]
  /// The fields and records that were left as they are, each with the reason.
  package var left: [Undoing.Left]
  /// Records that stay because something written since depends on them.
  package var spared: [Dependence] = []
  /// Records that were deleted although something written since depends on them.
  package var swept: [Dependence] = []
  /// The conflicts that the undo has reopened.
  package var reopened: [Undoing.Reopened] = []
  /// The fields that were written while records were joined and that each record keeps after the undo.
  package var shared: [SharedWrites] = []
  /// Whether the undo passed over an erasure or over erased events.
  package var passesErasure = false
  /// Why fewer commands were undone or redone than were asked for; nil if nothing was in the way.
  package var obstacle: Obstacle?

  /// Why an undo of several commands ends early.
  package enum Obstacle: Sendable {
    /// An erasure is in the way.
    case erasure
    /// A change to devices is in the way; it cannot be undone.
    case lasting(LastingChange)
    /// Another device has edited what the next command wrote.
    case edits([EditSince])
    /// Nothing of the next command can be undone, because later events depend on its records.
    case dependences([Dependence])
  }
}

/// How an undo treats fields that another device has edited since.
///
/// Records that later events depend on stay, unless the case is `forcing`.
package enum UndoCare: Sendable {
  /// The command is not undone, and nothing is written for it.
  case refusing
  /// The edited field gets the value that it had before the command.
  ///
  /// Records that later events depend on are deleted too.
  case forcing
  /// The edited field stays as it is.
  case leaving
}
