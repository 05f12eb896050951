/// The invariants of every world.
package enum Invariant: String, Hashable, Sendable {
  /// Acknowledged events survive every crash unless their bytes were damaged. The witness covers the events that a
  /// station writes without disturbance.
  case acknowledged
  /// A station holds only events that a device has written, and no log is written twice.
  case invented
  /// A program does what it is asked to do, or reports the reason why it does not.
  case answers
  /// Records show the values just written to them.
  case shown
  /// The tags, closing, dates and tree of to-dos follow from the stored writes according to the merge rules.
  case merged
  /// An undo names every record that it changes and that another device has written to, and does not overrule another
  /// device's completion of an occurrence.
  case undone
  /// The dates of events agree with the clock, if the clock can be trusted.
  case dated
  /// Stations with the same events agree completely.
  case agreement
  /// The read model shows the state that follows from the events.
  case view
  /// Verification reports damage to files. In undamaged files, it finds no faults other than those that a crash can
  /// cause.
  case verified
  /// Known losses of events are reported until the events are restored.
  case remembered
  /// At the end, in good weather, all stations hold all events that any station with an undamaged disk held.
  case convergence
  /// Erased bodies do not reappear, and other devices do not erase more records on a device than the limit allows
  /// without asking.
  case erased
  /// At the end, each member can open every object of a sealed store, and the store contains nothing else.
  case sealed
  /// Every session ends.
  case ending
}

/// The invariant that was violated, and a description.
package struct Failure: Error, Hashable, Sendable {
  package var invariant: Invariant
  package var detail: String
  /// The number of the step during which the invariant was violated.
  package var step: Int

  init(_ invariant: Invariant, _ detail: String, step: Int = 0) {
    (self.invariant, self.detail, self.step) = (invariant, detail, step)
  }
}
