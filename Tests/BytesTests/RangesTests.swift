import Bytes
import TestDice
import Testing

/// Operations on ranges of sequence numbers, compared with sets.
struct RangesTests {
  @Test func `Ranges: overlapping and adjacent ranges are joined in order`() {
    #expect([ClosedRange<UInt64>](joining: [9...9, 1...2, 3...4, 6...7]) == [1...4, 6...7, 9...9])
    #expect([ClosedRange<UInt64>](joining: [1...9, 3...4, 2...2]) == [1...9])
    #expect([ClosedRange<UInt64>](joining: []) == [])
  }

  @Test func `Ranges: the largest number can be joined and subtracted`() {
    let last = UInt64.max
    #expect([ClosedRange<UInt64>](joining: [last...last, 1...last]) == [1...last])
    #expect([1...last].without([5...last]) == [1...4])
    #expect([0...last].without([0...0]) == [1...last])
  }

  @Test func `Ranges: a difference keeps the order`() {
    #expect([1...9 as ClosedRange<UInt64>].without([8...20, 3...4]) == [1...2, 5...7])
    #expect([1...2, 4...6 as ClosedRange<UInt64>].without([2...5]) == [1...1, 6...6])
    #expect([1...2 as ClosedRange<UInt64>].without([]) == [1...2])
    #expect([1...2 as ClosedRange<UInt64>].without([1...2]) == [])
  }

  @Test func `Ranges: an intersection with bounds does not extend beyond them`() {
    #expect([1...2, 4...6, 8...9 as ClosedRange<UInt64>].within(2...5) == [2...2, 4...5])
  }

  @Test func `Ranges: joining, subtracting and intersecting agree with sets`() {
    var dice = Dice(seed: 11)
    for _ in 0..<200 {
      let (some, others) = (Self.ranges(&dice), Self.ranges(&dice))
      let (left, right) = (Self.numbers(some), Self.numbers(others))
      let joined = [ClosedRange<UInt64>](joining: some)
      #expect(Self.numbers(joined) == left)
      #expect(zip(joined, joined.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
      #expect(Self.numbers(joined.without(others)) == left.subtracting(right))
      #expect(Self.numbers(some.within(10...20)) == left.intersection(10...20))
    }
  }

  private static func ranges(_ dice: inout Dice) -> [ClosedRange<UInt64>] {
    (0..<Int.random(in: 0...5, using: &dice)).map { _ in
      let first = UInt64.random(in: 0...30, using: &dice)
      return first...first + UInt64.random(in: 0...6, using: &dice)
    }
  }

  private static func numbers(_ ranges: [ClosedRange<UInt64>]) -> Set<UInt64> {
    ranges.reduce(into: []) { $0.formUnion($1) }
  }
}
