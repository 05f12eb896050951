import TestDice
import Testing

@testable import Domain

@Suite struct SortedChunksTests {
  /// More elements than fit into one chunk.
  private let count = 2_000

  private func chunks(of numbers: some Sequence<Int>) -> SortedChunks<Int> {
    var chunks = SortedChunks<Int>()
    for number in numbers { chunks.insert(number) }
    return chunks
  }

  @Test func `Sorted chunks: elements are in order without duplicates, in any order of insertion`()
  {
    var dice = Dice(seed: 1)
    let numbers = Array(0..<count)
    let orders = [numbers, numbers.reversed(), numbers.shuffled(using: &dice)]
    for order in orders {
      let chunks = chunks(of: order + order.prefix(700))
      #expect(chunks.elements == numbers)
      #expect(chunks.count == count)
    }
    #expect(SortedChunks(numbers).elements == numbers)
  }

  @Test func `Sorted chunks: finding, replacing and removing match an array`() {
    var dice = Dice(seed: 2)
    var array = (0..<count).map { 3 * $0 }
    var chunks = SortedChunks(array)
    for turn in 0..<3 * count {
      let number = dice.number(3 * count + 4)
      let index = array.firstPlace { $0 >= number }
      let place = chunks.firstPlace { $0 >= number }
      #expect(chunks[place] == (index < array.count ? array[index] : nil))
      #expect(
        chunks.place(before: place).flatMap { chunks[$0] } == (index > 0 ? array[index - 1] : nil))
      switch turn % 3 {
      case 0:
        array.insert(number, at: index)
        chunks.insert(number, at: place)
      case 1 where index < array.count:
        array.remove(at: index)
        chunks.remove(at: place)
      case 2 where index < array.count:
        array[index] = number
        chunks.replace(at: place, by: number)
      default: continue
      }
    }
    #expect(chunks.elements == array)
    while let place = Optional(chunks.firstPlace { _ in true }), chunks[place] != nil {
      chunks.remove(at: place)
    }
    #expect(chunks.isEmpty)
    #expect(chunks.elements == [])
  }
}
