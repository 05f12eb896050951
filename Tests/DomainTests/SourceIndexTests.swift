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

  /// Adds an entity that is called so at its source.
  private func add(_ name: SourceIndex.Name, to table: inout EntityTable) -> Int {
    let key = EventKey(log: 0, sequence: UInt64(table.count))
    let origin = Origin(key: key, time: 0, effectiveTime: 0, hash: .none)
    let place = table.place(adding: key)
    table.setBirth(at: place, by: table.note(origin), kind: name.kind, source: name.source)
    return place
  }

  @Test(arguments: [0, 15_000])
  func `the first entity of each name is found as a dictionary would find it`(reserved: Int) {
    var (table, known) = (EntityTable(), [SourceIndex.Name: Int]())
    table.reserveCapacity(forEvents: reserved)
    for number in 0..<3_000 {
      let name = name(number)
      #expect(table.place(of: name) == known[name])
      let place = add(name, to: &table)
      if known[name] == nil { known[name] = place }
      #expect(table.index(place, as: name) == known[name])
    }
    for number in 0..<3_000 { #expect(table.place(of: name(number)) == known[name(number)]) }
    #expect(table.place(of: name(4_000)) == nil)
  }

  /// Of so many, some ten pairs have the same half of their hashes.
  @Test func `names are told apart though what is kept of their hashes is the same`() {
    var table = EntityTable()
    let places = 0..<300_000
    let found = places.map { number in
      let name = SourceIndex.Name(
        kind: .todo, source: Source(uid: UniqueID(high: 1, low: UInt64(number))))
      return table.index(add(name, to: &table), as: name)
    }
    #expect(found == Array(places))
  }
}
