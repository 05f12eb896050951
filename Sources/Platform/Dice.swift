/// A source of random numbers.
///
/// The numbers from the system's source are fit for keys. The simulated source repeats its numbers from a seed.
public protocol Dice: Sendable {
  /// Returns `count` random bytes, uniformly distributed.
  func bytes(_ count: Int) -> [UInt8]

  /// Returns a random number, uniformly distributed.
  func number() -> UInt64
}
