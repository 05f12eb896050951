package import Domain

/// What an undo did.
package struct Undone: Sendable {
  /// The records changed, as they are now.
  package var changes: [Performed.Change]
  /// What was left as it is, and why.
  package var left: [Undoing.Left]
  /// Records that stay, since something written since depends on them.
  package var spared: [Dependence] = []
  /// Records that went though something written since depends on them.
  package var swept: [Dependence] = []
  /// What is in conflict again, since the command had settled it.
  package var reopened: [Undoing.Reopened] = []
  /// What was written to records while they were one, and stays with each of them now that they are parted.
  package var shared: [SharedWrites] = []
  /// Whether something was passed over because it was erased, or is itself an erasure.
  package var passesErasure = false
  /// What kept the undo from going on to more that was asked for.
  package var obstacle: Obstacle?

  /// Why an undo of several commands ends before the last.
  package enum Obstacle: Sendable {
    /// An erasure came before that.
    case erasure
    /// Something that no undo takes back was done about devices before that.
    case lasting(LastingChange)
    /// Another device has since edited what the next one wrote.
    case edits([EditSince])
    /// All that the next one did is depended on by now.
    case dependences([Dependence])
  }
}

/// How an undo treats what another device has edited since.
package enum UndoCare: Sendable {
  /// It is not begun.
  case refusing
  /// The edited field gets the value it had before the command.
  case forcing
  /// The edited field stays as it is.
  case leaving
}
