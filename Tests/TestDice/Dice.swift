package import Bytes

/// A generator (SplitMix64) that gives the same numbers for the same seed on all machines.
package struct Dice: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, the limit.
  package mutating func number(_ limit: Int) -> Int {
    Int.random(in: 0..<max(1, limit), using: &self)
  }

  package mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

  package mutating func id() -> UniqueID { UniqueID(high: next(), low: next()) }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }
}
