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

  @Test func `Stamp: writes of an event in two branches are sorted by field, then by log id`() {
    var causality = Causality()
    let trunk = UniqueID(high: 0, low: 1)
    let number = causality.number(of: trunk, replica: trunk)
    // The branch with the higher id comes first in this process.
    let logs = [UInt64(9), 5].map { id in
      causality.number(of: UniqueID(high: 0, low: id), replica: trunk, behind: number)
    }
    let list = Field.Todo.list
    let writes = [list.alternative(1), list].flatMap { field in
      logs.map { log in
        Stored(
          field: field, key: EventKey(log: log, sequence: 3), time: 1, effectiveTime: 1,
          hash: UniqueID(high: 0, low: 7), value: .null)
      }
    }
    let sorted = causality.highestFirst(writes)
    #expect(sorted.map(\.key.log) == [logs[1], logs[0], logs[1], logs[0]])
    #expect(sorted.map(\.field) == [list, list, list.alternative(1), list.alternative(1)])
  }
}
