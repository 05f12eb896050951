package import Platform

/// The delay before another attempt to call a peer that could not be reached.
///
/// The upper limit of the delay doubles with each failure, from one second to one minute. The delay is random, between
/// half of the limit and the limit, so clients that lost their connections to the same server do not all call back at
/// the same time.
package struct Backoff: Sendable {
  private var failures = 0

  package init() {}

  /// The delay after one more failure, in milliseconds.
  package mutating func next(_ dice: any Dice) -> Int64 {
    let most = min(Limit.longestWait, Limit.shortestWait << Int64(min(failures, 10)))
    failures += 1
    return most / 2 + Int64(dice.number() % UInt64(most / 2 + 1))
  }

  /// Starts over after the peer has been reached.
  package mutating func reset() { failures = 0 }
}
