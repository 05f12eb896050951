import Bytes
import Domain
import Testing

@Suite struct StampTests {
  @Test func `Stamp: the order is by time, replica, sequence and hash`() {
    func stamp(_ time: Int64, _ replica: UInt64, _ sequence: UInt64, _ hash: UInt64) -> Stamp {
      Stamp(
        time: time, replica: UniqueID(high: 0, low: replica), sequence: sequence,
        hash: UniqueID(high: 0, low: hash))
    }
    let sorted = [
      stamp(1, 9, 9, 9), stamp(2, 1, 9, 9), stamp(2, 2, 1, 9), stamp(2, 2, 2, 1), stamp(2, 2, 2, 2),
    ]
    #expect(sorted.reversed().sorted() == sorted)
  }
}
