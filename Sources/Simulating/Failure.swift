/// What must hold in every world.
package enum Invariant: String, Hashable, Sendable {
  /// What was acknowledged is there after any crash, unless its bytes were damaged.
  case acknowledged
  /// Nothing is held that nobody has written.
  case invented
  /// A program that is asked for something does it, or says why not.
  case answers
  /// What somebody has just written is what is shown.
  case shown
  /// An undo changes no record that another device wrote without naming it.
  case undone
  /// What is written is dated by the clock, where that can be believed.
  case dated
  /// Those who hold the same events agree in everything.
  case agreement
  /// The read model is what the events come to.
  case view
  /// What is wrong with the files is told; where nothing was done to them, nothing is.
  case verified
  /// Events that are known to be lost are told of until they are back.
  case remembered
  /// Once all goes well, all have all that anybody had.
  case convergence
  /// What was erased is in no file.
  case erased
  /// A session comes to an end.
  case ending
}

/// What did not hold, and where.
package struct Failure: Error, Hashable, Sendable {
  package var invariant: Invariant
  package var detail: String
  /// How many steps had been taken.
  package var step: Int

  init(_ invariant: Invariant, _ detail: String, step: Int = 0) {
    (self.invariant, self.detail, self.step) = (invariant, detail, step)
  }
}
