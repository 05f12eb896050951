/// A source of chance.
///
/// The real one is fit for keys. The simulated one repeats itself from a seed.
public protocol Dice: Sendable {
  /// Draws that many bytes, each value equally likely.
  func bytes(_ count: Int) -> [UInt8]

  /// Draws a number, each equally likely.
  func number() -> UInt64
}
