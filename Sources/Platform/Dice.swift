/// A source of random numbers.
///
/// Random numbers from the operating system's source are suitable for keys. The simulated source derives its numbers
/// from a seed, so they can be reproduced.
public protocol Dice: Sendable {
  /// Returns `count` random bytes, uniformly distributed.
  func bytes(_ count: Int) -> [UInt8]

  /// Returns a random number, uniformly distributed.
  func number() -> UInt64
}
