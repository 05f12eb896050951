package import Platform

/// How long to wait before somebody is called again who could not be reached.
///
/// Each time it is about twice as long as before, from one second to one minute. Chance decides where between half of it
/// and all, so that many who have lost one server do not come back at the same moment.
package struct Backoff: Sendable {
  private var failures = 0

  package init() {}

  /// The wait after one more failure, in milliseconds.
  package mutating func next(_ dice: any Dice) -> Int64 {
    let most = min(Limit.longestWait, Limit.shortestWait << Int64(min(failures, 10)))
    failures += 1
    return most / 2 + Int64(dice.number() % UInt64(most / 2 + 1))
  }

  /// Begins anew, as when somebody was reached.
  package mutating func reset() { failures = 0 }
}
