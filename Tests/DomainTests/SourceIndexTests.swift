import Bytes
import Testing

@testable import Domain

@Suite struct SourceIndexTests {
  /// A name for every number, of two kinds and two forms of source.
  ///
  /// Each seventh name repeats the previous one.
  private func name(_ number: Int) -> SourceIndex.Name {
    let number = number.isMultiple(of: 7) ? max(0, number - 1) : number
    let id = UniqueID(high: UInt64(number / 4), low: 5)
    return SourceIndex.Name(
      kind: number.isMultiple(of: 2) ? .todo : .birthday,
      source: number % 4 < 2 ? Source(uid: id) : Source(importer: 3, uidText: "record \(id.hex)"))
  }

  /// Adds an entity with this name at its source.
  private func add(_ name: SourceIndex.Name, to table: inout EntityTable) -> Int {
    let key = EventKey(log: 0, sequence: UInt64(table.count))
    let origin = Origin(key: key, time: 0, effectiveTime: 0, hash: .none)
    let place = table.place(adding: key)
    table.setBirth(at: place, by: table.note(origin), kind: name.kind, source: name.source)
    return place
  }

  @Test(arguments: [0, 15_000])
  func `Source index: the entities of each name are found as in a dictionary`(reserved: Int) {
    var (table, known) = (EntityTable(), [SourceIndex.Name: [EventKey]]())
    table.reserveCapacity(forEvents: reserved)
    for number in 0..<3_000 {
      let name = name(number)
      #expect(table.keys(named: name) == known[name] ?? [])
      let place = add(name, to: &table)
      #expect(table.indexSource(at: place) == known[name]?.first)
      known[name, default: []].append(table.key(at: place))
      #expect(table.isShared(name) == (known[name]?.count != 1))
    }
    for number in 0..<3_000 { #expect(table.keys(named: name(number)) == known[name(number)]) }
    #expect(table.keys(named: name(4_000)) == [])
  }

  /// Among this many names, about ten pairs have equal short hashes.
  @Test func `Source index: names with equal short hashes are distinguished`() {
    var table = EntityTable()
    let taken = (0..<300_000).compactMap { number in
      let name = SourceIndex.Name(
        kind: .todo, source: Source(uid: UniqueID(high: 1, low: UInt64(number))))
      return table.indexSource(at: add(name, to: &table))
    }
    #expect(taken == [])
    #expect(!table.hasTwins)
  }
}
