/// The invariants of every world.
package enum Invariant: String, Hashable, Sendable {
  /// Acknowledged events survive every crash unless their bytes were damaged, and the witness knows of the events
  /// that a station writes undisturbed.
  case acknowledged
  /// A station holds only events that a device has written, and no log is written twice.
  case invented
  /// A program that is asked to do something does it, or says why not.
  case answers
  /// A value that was just written is the value that is shown.
  case shown
  /// An undo names every record that it changes and that another device has written to.
  case undone
  /// Events are dated by the clock, if the clock can be trusted.
  case dated
  /// Stations with the same events agree in everything.
  case agreement
  /// The read model shows the state that follows from the events.
  case view
  /// Verification reports damage to files, and finds only what a crash leaves in files that were not damaged.
  case verified
  /// Events that are known to be lost are reported until they are back.
  case remembered
  /// At the end, in good weather, all stations hold all events that any station with an undamaged disk held.
  case convergence
  /// Erased bodies do not come back, and others erase no more records on a device than the limit allows without
  /// asking.
  case erased
  /// Every session ends.
  case ending
}

/// The invariant that was violated, and how.
package struct Failure: Error, Hashable, Sendable {
  package var invariant: Invariant
  package var detail: String
  /// The number of the step that was under way.
  package var step: Int

  init(_ invariant: Invariant, _ detail: String, step: Int = 0) {
    (self.invariant, self.detail, self.step) = (invariant, detail, step)
  }
}
