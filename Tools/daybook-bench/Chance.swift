import Bytes
import Glibc

/// A generator of pseudo-random numbers with a fixed seed, so that each run uses the same numbers.
struct Chance {
  private var state: UInt64 = 20_250_101

  /// Returns the next number of SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// Returns a number of at least 0 and less than 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func below(_ count: Int) -> Int { Int(unit() * Double(count)) }

  /// Returns an exponentially distributed waiting time with the given average.
  mutating func wait(_ average: Double) -> Double { -average * log(1 - unit()) }

  /// Returns an index below `count`, which in half of the cases is one of the last few hundred.
  mutating func place(in count: Int) -> Int {
    unit() < 0.5 ? count - 1 - min(count - 1, Int(wait(200))) : below(count)
  }

  mutating func hex(_ count: Int) -> String {
    String(UniqueID(high: next(), low: next()).hex.prefix(count))
  }

  /// Returns a random UUID.
  mutating func id() -> String {
    "\(hex(8))-\(hex(4))-4\(hex(3))-\("89ab".map(String.init)[below(4)])\(hex(3))-\(hex(12))"
  }
}

/// Words with a Zipf distribution, as in natural languages, so that the first words are the most frequent.
struct Words {
  private let words: [String]
  private let sums: [Double]

  /// Makes words from syllables; every third word consists of two Chinese characters.
  init(count: Int, exponent: Double, _ chance: inout Chance) {
    let (starts, ends) = (
      Array("bcdfghklmnprstvw"), ["a", "an", "e", "en", "er", "i", "o", "or", "u"]
    )
    words = (0..<count).map { number in
      if number % 3 == 2 {
        let characters = (0..<2).compactMap { _ in Unicode.Scalar(0x4e00 + chance.below(1_500)) }
        return String(String.UnicodeScalarView(characters))
      }
      return (0..<1 + chance.below(3)).map { _ in
        "\(starts[chance.below(starts.count)])\(ends[chance.below(ends.count)])"
      }.joined() + "s"
    }
    var sum = 0.0
    sums = (0..<count).map { number in
      sum += pow(Double(number + 1), -exponent)
      return sum
    }
  }

  func pick(_ chance: inout Chance) -> String {
    let target = chance.unit() * (sums.last ?? 0)
    return words[min(sums.firstIndex { $0 >= target } ?? 0, words.count - 1)]
  }
}
