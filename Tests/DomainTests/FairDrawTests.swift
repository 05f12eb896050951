import Bytes
import Domain
import TestDice
import Testing

@Suite struct FairDrawTests {
  /// Weights with a total of 10 · 2^60.
  ///
  /// A plain remainder of the 16 · 2^60 numbers of 64 bits would draw the first six of ten parts twice as often as the
  /// rest.
  private static let weights: [UInt64] = [3 << 60, 0, 1 << 60, 4 << 60, 2 << 60]

  @Test func `Draw: a million draws deviate from the expectation only by chance`() throws {
    var dice = Dice(seed: 2026)
    let entries = Self.weights.enumerated().map {
      Draw.Entry(id: UniqueID(high: 0, low: UInt64($0.offset)), weight: $0.element)
    }
    var counts = [Int](repeating: 0, count: entries.count)
    for _ in 0..<1_000_000 {
      counts[try Draw(entries, dice: { dice.next() }).replay()] += 1
    }
    #expect(counts[1] == 0)
    var chiSquare = 0.0
    for (count, weight) in zip(counts, Self.weights) where weight > 0 {
      let expected = Double(weight >> 60) * 100_000
      chiSquare += (Double(count) - expected) * (Double(count) - expected) / expected
    }
    // With 3 degrees of freedom, a fair draw exceeds 16.27 once in a thousand times.
    #expect(chiSquare < 16.27, "\(counts)")
    #expect(chiSquare > 0.02, "fairer than chance: \(counts)")
  }

  @Test func `Draw: each ticket is in the share of the drawn choice and in no other`() throws {
    let entries = [2, 0, 3, 1].enumerated().map {
      Draw.Entry(id: UniqueID(high: 0, low: UInt64($0.offset)), weight: $0.element)
    }
    for number in 100...105 as ClosedRange<UInt64> {
      let draw = try Draw(entries, dice: { number })
      let shares = try draw.shares()
      #expect(shares == [0..<2, 2..<2, 2..<5, 5..<6])
      #expect(shares.map { $0.contains(draw.ticket) }.firstIndex(of: true) == (try draw.replay()))
      #expect(draw.firstFairNumber == 4)
      let sixths: [Double] = [2, 0, 3, 1]
      #expect(draw.expectations == sixths.map { $0 / 6 })
    }
  }
}
