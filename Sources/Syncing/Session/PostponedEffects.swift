/// Storing what was received, and what follows, while a portion of output is sent first.
///
/// So both sides of a session can store at the same time.
struct PostponedEffects {
  private var effects: [Session.Effect] = []
  /// Whether output was sent since they were postponed.
  private(set) var areDue = false

  var isEmpty: Bool { effects.isEmpty }

  mutating func postpone(_ effects: [Session.Effect]) { (self.effects, areDue) = (effects, false) }

  mutating func noteSent() { areDue = true }

  /// Takes all of them, to perform them now.
  mutating func takeAll() -> [Session.Effect] {
    defer { effects = [] }
    return effects
  }
}
