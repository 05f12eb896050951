import Bytes
import TestDice
import Testing

@testable import Domain

@Suite struct EntityTableTests {
  private let entity = EventKey(log: 1, sequence: 7)

  private func origin(_ log: UInt32, _ sequence: UInt64) -> Origin {
    Origin(
      key: EventKey(log: log, sequence: sequence), time: Int64(sequence),
      effectiveTime: -Int64(sequence), hash: UniqueID(high: UInt64(log), low: sequence))
  }

  private func write(_ field: Int64, _ log: UInt32, _ sequence: UInt64) -> Stored {
    origin(log, sequence).write(of: Field(rawValue: field), .text("\(field) by \(log).\(sequence)"))
  }

  /// Tests every order in which marks of two logs can arrive, with and without marks that are kept in addition to
  /// others.
  @Test(arguments: [false, true], [MarkRole.giver, .delete])
  func `Entity table: marks are kept as in a plain array`(keepsAll: Bool, role: MarkRole) {
    let marks = [origin(0, 3), origin(0, 5), origin(1, 2), origin(1, 4)]
    for first in marks {
      for second in marks {
        for third in marks {
          for fourth in marks {
            var (table, array) = (EntityTable(), SortedChunks<Mark>())
            let place = table.place(adding: entity)
            for mark in [first, second, third, fourth] {
              let dropped = array.keep(mark.mark, besideOthers: keepsAll)
              let noted = table.note(mark)
              #expect(table.keep(noted, as: role, at: place, besideOthers: keepsAll) == dropped)
              var expected = Entity(key: entity)
              if role == .giver {
                expected.givers = array.elements
              } else {
                expected.deletes = array.elements
              }
              #expect(table[entity] == expected)
            }
          }
        }
      }
    }
  }

  /// Tests a few fields and more fields than are chained, of several logs.
  ///
  /// Some numbers need more than half of their width.
  @Test(arguments: [3, 40] as [Int64])
  func `Entity table: the last write of each log to a field is kept in any order`(fields: Int64) {
    var dice = Dice(seed: UInt64(fields))
    let numbers = (0..<fields).map { $0.isMultiple(of: 7) ? ($0 + 1) << 33 : $0 + 2 }
    var table = EntityTable()
    let place = table.place(adding: entity)
    var expected: [Stored] = []
    for _ in 0..<600 {
      let key = EventKey(log: .random(in: 0..<3, using: &dice), sequence: .random(in: 1...90))
      let written = ([1, 2] as [Int64]).map { number in
        var write = write(numbers.randomElement(using: &dice)!, key.log, key.sequence)
        write.value = .integer(number)
        return write
      }
      let body = Body(.edit, .entity(entity), written.map { Write($0.field, $0.value) })
      let fact = Fact(
        key: key, time: written[0].time, when: written[0].effectiveTime, hash: written[0].hash,
        body: body)
      let noted = table.note(fact.origin)
      #expect(table.keepWrites(of: fact, by: noted, at: place) == [])
      for write in written {
        let others = expected.filter { ($0.field, $0.key.log) == (write.field, key.log) }
        if others.contains(where: { $0.key.sequence > key.sequence }) { continue }
        expected.removeAll { ($0.field, $0.key.log) == (write.field, key.log) }
        expected.append(write)
      }
    }
    expected.sort { ($0.field, $0.key.log) < ($1.field, $1.key.log) }
    #expect(table[entity]?.writes == expected)
  }

  /// An entity with all its parts and the given number of writes.
  private func full(_ writes: Int64, _ key: EventKey) -> Entity {
    var entity = Entity(key: key)
    entity.birth = Entity.Birth(
      kind: Kind(rawValue: .max), time: 5, effectiveTime: 6, hash: UniqueID(high: 7, low: 8),
      source: Source(importer: 9, uidText: "ten"),
      joins: [EventKey(log: 2, sequence: 1), EventKey(log: 2, sequence: 2)])
    entity.writes = (0..<writes).map { write($0 / 2 + 2, UInt32($0 % 2), UInt64($0 + 1)) }
    entity.givers = [origin(0, 3).mark, origin(1, 2).mark]
    entity.deletes = [origin(0, 4).mark]
    entity.aliases = [EventKey(log: 2, sequence: 9)]
    entity.promises = [
      Entity.Promise(parent: EventKey(log: 0, sequence: 1), mark: origin(0, 3).mark)
    ]
    return entity
  }

  @Test func `Entity table: an inserted entity reads back unchanged and replaces the previous one`()
  {
    var table = EntityTable()
    var entities: [Entity] = []
    for writes in [0, 1, 15, 16, 17, 40] as [Int64] {
      let key = EventKey(log: 1, sequence: UInt64(writes))
      table.insert(full(40 - writes, key))
      #expect(table[key] == full(40 - writes, key))
      entities.append(writes == 15 ? Entity(key: key) : full(writes, key))
      table.insert(entities[entities.count - 1])
    }
    #expect(Array(table.values) == entities)
    #expect(table.keys == entities.map(\.key))
    let place = table.place(of: entities[3].key)!
    #expect(table.kind(at: place) == Kind(rawValue: .max))
    #expect(table.source(at: place) == Source(importer: 9, uidText: "ten"))
    #expect(table.id(at: place) == entities[3].id)
    #expect(
      entities.map { table.hasAliases(at: table.place(of: $0.key)!) }
        == entities.map { !$0.aliases.isEmpty })
  }

  /// Tests one event for all writes, and one event for each write.
  @Test(arguments: [1, 700])
  func `Entity table: many writes and promises are kept sorted and without duplicates`(events: Int)
  {
    var dice = Dice(seed: UInt64(events))
    var table = EntityTable()
    let place = table.place(adding: entity)
    var (writes, promises): ([Field: Stored], Set<Entity.Promise>) = ([:], [])
    for sequence in 1...UInt64(events) {
      let origin = origin(0, sequence)
      var body = Body(.edit, .entity(entity))
      for _ in 0..<(2_800 / events) {
        let parent = EventKey(log: 3, sequence: .random(in: 0...9, using: &dice))
        let field = Field(rawValue: .random(in: 2...600, using: &dice))
        body.writes += [Write(field, .integer(.random(in: 0...9, using: &dice)))]
        body.writes += [Write(Field.Todo.list, .reference(parent))]
        promises.insert(Entity.Promise(parent: parent, mark: origin.mark))
      }
      for write in body.writes { writes[write.field] = origin.write(of: write.field, write.value) }
      let fact = Fact(
        key: origin.key, time: origin.time, when: origin.effectiveTime, hash: origin.hash,
        body: body)
      #expect(table.keepWrites(of: fact, by: table.note(origin), at: place) == [])
    }
    var expected = Entity(key: entity)
    expected.writes = writes.values.sorted { $0.field < $1.field }
    expected.promises = promises.sorted { ($0.mark.key, $0.parent) < ($1.mark.key, $1.parent) }
    #expect(table[entity] == expected)
  }

  /// If each number were assumed to be near the previous number, the array for the log would need about 2^60 elements.
  @Test func `Entity table: sequence numbers with growing gaps are found without a growing array`()
  {
    var table = EntityTable()
    let keys = (0..<48).map { EventKey(log: 0, sequence: 4_096 << UInt64($0) - 1) }
    for key in keys { _ = table.place(adding: key) }
    #expect(keys.map { table.place(of: $0) } == keys.indices.map(Optional.some))
  }

  @Test func `Entity table: an entity is found by any log and sequence number`() {
    var table = EntityTable()
    let numbers: [UInt64] = [1, 4_095, 4_096, 12_287, 12_288, 1 << 40, .max]
    let keys = [0, 3, 65_535, 65_536, UInt32.max].flatMap { log in
      numbers.map { EventKey(log: log, sequence: $0) }
    }
    for key in keys {
      #expect(table[key] == nil)
      #expect(table.place(adding: key) == table.place(adding: key))
    }
    #expect(table.keys == keys)
    #expect(keys.map { table.place(of: $0) } == keys.indices.map(Optional.some))
  }
}
