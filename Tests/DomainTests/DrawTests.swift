import Bytes
import Domain
import Testing

@Suite struct DrawTests {
  private func entries(_ weights: [UInt64]) -> [Draw.Entry] {
    weights.enumerated().map {
      Draw.Entry(id: UniqueID(high: 0, low: UInt64($0.offset)), weight: $0.element)
    }
  }

  /// Dice with a given series of numbers.
  private func dice(_ numbers: [UInt64]) -> () -> UInt64 {
    var rest = numbers[...]
    return { rest.popFirst() ?? 0 }
  }

  @Test func `Draw: each ticket belongs to the choice whose weight covers it`() throws {
    let choices = entries([2, 0, 3, 1])
    // 2^64 mod 6 is 4, so no number above 5 is rejected, and 6 gives ticket 0.
    let places = try (6...11).map { try Draw(choices, dice: dice([UInt64($0)])).replay() }
    #expect(places == [0, 0, 2, 2, 2, 3])
  }

  @Test func `Draw: random numbers that would cause a bias are rejected and drawn again`() throws {
    let draw = try Draw(entries([1, 1, 1]), dice: dice([0, 1]))
    #expect(draw.thrown == [0, 1])
    #expect(draw.ticket == 1)
    let wide = try Draw(entries([1 << 63, 1]), dice: dice([5, 0, 1 << 63]))
    #expect(wide.thrown == [5, 0, 1 << 63])
    #expect(try wide.replay() == 1)
  }

  @Test func `Draw: each choice is drawn exactly in proportion to its weight`() throws {
    // Among the accepted numbers, each remainder modulo the total occurs equally often.
    let choices = entries([1, 5, 0, 4])
    var counts = [0, 0, 0, 0]
    for number in 1000..<2000 {
      counts[try Draw(choices, dice: dice([UInt64(number)])).replay()] += 1
    }
    #expect(counts == [100, 500, 0, 400])
  }

  @Test func `Draw: a draw without weight or with too much weight is refused`() {
    #expect(throws: DrawError.weightless) { try Draw(entries([]), dice: { 9 }) }
    #expect(throws: DrawError.weightless) { try Draw(entries([0, 0]), dice: { 9 }) }
    #expect(throws: DrawError.tooHeavy) { try Draw(entries([.max, 1]), dice: { 9 }) }
  }

  @Test func `Draw: its record has the expected bytes and replays`() throws {
    let draw = try Draw(entries([1, 2]), dice: dice([0, 5]))
    let bytes = draw.encoded
    #expect(
      Hex.encode(bytes)
        == "84" + "820005" + "03" + "02" + "82" + "8250" + String(repeating: "0", count: 32) + "01"
        + "8250" + String(repeating: "0", count: 31) + "102")
    #expect(try Draw(bytes.span) == draw)
    #expect(try Draw(bytes.span).replay() == 1)
  }

  @Test func `Draw: a forged or truncated record is refused`() throws {
    let bytes = try Draw(entries([1, 2]), dice: dice([0, 5])).encoded
    // Change the rejected number, the accepted number, the total, the ticket and each weight in turn.
    for place in [2, 3, 4, 5, 25, 44] {
      var forged = bytes
      forged[place] ^= place == 2 ? 3 : 1
      #expect(throws: DrawError.untrue) { try Draw(forged.span).replay() }
    }
    #expect(throws: DrawError.malformed) { try Draw([0x80].span) }
    let cut = Array(bytes.dropLast())
    #expect(throws: (any Error).self) { try Draw(cut.span) }
  }
}
