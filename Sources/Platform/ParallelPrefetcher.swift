import Synchronization

/// Makes the numbered parts of a large result before they are needed, on another thread if there is one.
///
/// A caller never waits for the other thread. If a part is not ready, the caller makes the part itself.
package final class ParallelPrefetcher<Part: Sendable>: Sendable {
  private struct State {
    var count: Int
    var made: [Int: Part] = [:]
    /// The first part that no thread has begun to make.
    var next = 0
    /// The part after the last one that was returned.
    var wanted = 0
    var isHelped = false
  }

  private let lead: Int
  private let beside: Machine.Beside?
  private let make: @Sendable (Int) -> Part
  private let state: Mutex<State>

  /// Creates a prefetcher for the given number of parts.
  ///
  /// - Parameters:
  ///   - count: The number of parts known so far.
  ///   - lead: The number of parts that may be made in advance, all of which are kept in memory.
  ///   - beside: Runs a closure on another thread; nil if there is only one thread.
  ///   - make: Makes a part, on any thread.
  package init(
    _ count: Int, lead: Int, beside: Machine.Beside?, make: @escaping @Sendable (Int) -> Part
  ) {
    (self.lead, self.beside, self.make) = (lead, beside, make)
    state = Mutex(State(count: count))
  }

  /// Raises the number of parts, and begins to make them.
  package func extend(to count: Int) {
    state.withLock { $0.count = count }
    begin()
  }

  /// Returns a part.
  ///
  /// Parts must be requested in ascending order, but some may be omitted.
  package func part(_ number: Int) -> Part {
    begin()
    while true {
      if let part = state.withLock({ $0.made.removeValue(forKey: number) }) {
        return give(part, number)
      }
      // If the other thread is still making this part, the caller makes it again rather than waiting.
      guard let next = state.withLock({ claim(&$0) }) else { return give(make(number), number) }
      let part = make(next)
      if next == number { return give(part, number) }
      keep(part, next)
    }
  }

  /// Begins to make parts on the other thread.
  ///
  /// It is not necessary to call this method, because ``part(_:)`` also begins.
  package func begin() {
    guard let beside else { return }
    let isNeeded = state.withLock { state in
      // Making a single part is faster than starting a thread.
      guard state.count > 1, !state.isHelped, isClaimable(state) else { return false }
      state.isHelped = true
      return true
    }
    if isNeeded { beside { [self] in help() } }
  }

  /// Makes the next part that no thread has begun to make, on the caller's thread.
  package func makeNext() {
    if let number = state.withLock({ claim(&$0) }) { keep(make(number), number) }
  }

  private func help() {
    while let number = nextToHelpWith() { keep(make(number), number) }
  }

  private func nextToHelpWith() -> Int? {
    state.withLock { state in
      let number = claim(&state)
      if number == nil { state.isHelped = false }
      return number
    }
  }

  private func isClaimable(_ state: State) -> Bool {
    state.next < min(state.count, state.wanted + lead)
  }

  private func claim(_ state: inout State) -> Int? {
    guard isClaimable(state) else { return nil }
    defer { state.next += 1 }
    return state.next
  }

  private func keep(_ part: Part, _ number: Int) {
    state.withLock { if number >= $0.wanted { $0.made[number] = part } }
  }

  private func give(_ part: Part, _ number: Int) -> Part {
    state.withLock { state in
      // Skipped parts are dropped, because they would otherwise stay in memory.
      if number > state.wanted { state.made = state.made.filter { $0.key > number } }
      state.wanted = number + 1
      state.next = max(state.next, state.wanted)
    }
    return part
  }
}
