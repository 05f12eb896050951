import Platform
import Synchronization

/// Random numbers that are derived from a seed, using the SplitMix64 sequence.
package final class Seeded: Dice, RandomNumberGenerator {
  private let state: Atomic<UInt64>

  package init(seed: UInt64) { state = Atomic(seed) }

  package func number() -> UInt64 {
    var mixed = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `count` bytes, taking eight from each number, with the low byte first.
  package func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      let drawn = number()
      for shift in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: drawn >> (8 * UInt64(shift))))
      }
    }
    return bytes
  }

  package func next() -> UInt64 { number() }
}
