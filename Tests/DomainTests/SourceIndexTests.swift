import Bytes
import Testing

@testable import Domain

@Suite struct SourceIndexTests {
  /// The name of every number but each seventh, which has that of the one before; of two kinds and forms of source.
  private func name(_ number: Int) -> SourceIndex.Name {
    let number = number.isMultiple(of: 7) ? max(0, number - 1) : number
    let id = UniqueID(high: UInt64(number / 4), low: 5)
    return SourceIndex.Name(
      kind: number.isMultiple(of: 2) ? .todo : .birthday,
      source: number % 4 < 2 ? Source(uid: id) : Source(importer: 3, uidText: "record \(id.hex)"))
  }

  @Test(arguments: [0, 5_000])
  func `the first entity of each name is found as a dictionary would find it`(reserved: Int) {
    var (index, known, entities) = (SourceIndex(), [SourceIndex.Name: Int](), EntityTable())
    index.reserveCapacity(reserved)
    for place in 0..<3_000 {
      let name = name(place)
      #expect(index.place(of: name, in: entities) == known[name])
      entities.change(EventKey(log: 0, sequence: UInt64(place))) {
        $0.birth = Entity.Birth(
          kind: name.kind, time: 0, effectiveTime: 0, hash: .none, source: name.source)
      }
      if known[name] == nil { known[name] = place }
      #expect(index.insert(place, as: name, in: entities) == known[name])
    }
    for place in 0..<3_000 {
      #expect(index.place(of: name(place), in: entities) == known[name(place)])
    }
    #expect(index.place(of: name(4_000), in: entities) == nil)
  }

  /// Of so many, some ten pairs have the same half of their hashes.
  @Test func `names are told apart though what is kept of their hashes is the same`() {
    var (index, entities) = (SourceIndex(), EntityTable())
    var found: [Int] = []
    let places = 0..<300_000
    for place in places {
      let source = Source(uid: UniqueID(high: 1, low: UInt64(place)))
      entities.change(EventKey(log: 0, sequence: UInt64(place))) {
        $0.birth = Entity.Birth(
          kind: .todo, time: 0, effectiveTime: 0, hash: .none, source: source)
      }
      let name = SourceIndex.Name(kind: .todo, source: source)
      found.append(index.insert(place, as: name, in: entities))
    }
    #expect(found == Array(places))
  }
}
