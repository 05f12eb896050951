import Bytes
import Testing

struct ReachingTests {
  @Test func `Graphs: each node that a start leads to is visited once, also in a circle`() {
    let edges = [1: [2, 3], 2: [4], 3: [4], 4: [1], 5: [6]]
    var known: Set<Int> = []
    var ends: [Int] = []
    edges.forEachReached(from: 1, known: &known) { ends.append($0) }
    #expect(known == [1, 2, 3, 4])
    #expect(ends.sorted() == [1, 2, 3, 4, 4])
    edges.forEachReached(from: 4, known: &known) { ends.append($0) }
    #expect(ends.count == 5)
    edges.forEachReached(from: 5, known: &known)
    #expect(known == [1, 2, 3, 4, 5, 6])
  }
}
