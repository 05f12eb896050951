import Testing

@testable import Domain

@Suite struct MarksTests {
  /// Every order in which marks of two logs may come, with and without those that are kept beside others.
  @Test(arguments: [false, true])
  func `marks are kept as an array of them would keep them`(keepsAll: Bool) {
    let marks = [(0, 3), (0, 5), (1, 2), (1, 4)].map { log, sequence in
      Mark(
        key: EventKey(log: log, sequence: sequence), time: Int64(sequence),
        effectiveTime: -Int64(sequence))
    }
    for first in marks {
      for second in marks {
        for third in marks {
          for fourth in marks {
            var (kept, array) = (Marks(), [Mark]())
            for mark in [first, second, third, fourth] {
              let dropped = array.keep(mark, besideOthers: keepsAll)
              #expect(kept.keep(mark, besideOthers: keepsAll) == dropped)
              #expect(Array(kept) == array)
              #expect(kept == Marks(array))
            }
          }
        }
      }
    }
  }
}
