/// Effects that store received events, and all effects after them, postponed until a portion of output has been sent.
///
/// The delay allows both sides of a session to store events at the same time.
struct PostponedEffects {
  private var effects: [Session.Effect] = []
  /// Whether output has been sent since the effects were postponed.
  private(set) var areDue = false

  var isEmpty: Bool { effects.isEmpty }

  mutating func postpone(_ effects: [Session.Effect]) { (self.effects, areDue) = (effects, false) }

  mutating func noteSent() { areDue = true }

  /// Removes and returns all postponed effects, to perform them now.
  mutating func takeAll() -> [Session.Effect] {
    defer { effects = [] }
    return effects
  }
}
