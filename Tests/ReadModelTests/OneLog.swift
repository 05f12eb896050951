import Bytes
import Domain
import ReadModel

/// A read model that is updated with one log, event by event.
struct OneLog {
  let model: ReadModel
  private(set) var causality = Causality()
  private var facts: [Fact] = []
  private var sequence: UInt64 { UInt64(facts.count) }
  private let id = UniqueID(high: 0, low: 1)

  init(_ place: ReadModel.Place = .memory) throws {
    model = try ReadModel(place)
    _ = causality.number(of: id, replica: id)
  }

  /// Writes an event and commits it.
  @discardableResult
  mutating func write(
    _ verb: Verb, _ target: Body.Target, _ writes: [Write] = []
  ) throws -> EventKey {
    try write([(verb, target, writes)])
    return EventKey(log: 0, sequence: sequence)
  }

  /// Writes events and commits them together.
  mutating func write(_ events: [(Verb, Body.Target, [Write])]) throws {
    let start = facts.count
    for (verb, target, writes) in events {
      let key = EventKey(log: 0, sequence: sequence + 1)
      facts.append(
        Fact(
          key: key, time: Int64(key.sequence) * 10, when: nil, hash: Self.hash(key.sequence),
          body: Body(verb, target, writes)))
    }
    let new = Array(facts[start...])
    var hydrated = try model.records.hydrate(new, causality: causality)
    for fact in new { hydrated.records.apply(fact) }
    try model.writer.commit(&hydrated, change: change)
  }

  private var change: Change {
    Change(positions: [
      LogPosition(number: 0, id: id, replica: id, sequence: sequence, hash: Self.hash(sequence))
    ])
  }

  /// The hash of an event, which starts with its number, so that ids sort like the events.
  private static func hash(_ sequence: UInt64) -> UniqueID {
    UniqueID(high: sequence << 56, low: sequence)
  }

  /// The rows that differ from those of a new read model of the same events.
  func rowsUnlikeRebuilt() throws -> [String] {
    let records = Records.fold(facts, causality: causality)
    let rebuilt = try ReadModel.inMemory(from: records, change: change).tableDump.dump()
    return Set(try model.tableDump.dump()).symmetricDifference(rebuilt).sorted()
  }

  @discardableResult
  mutating func add(_ kind: Kind, _ writes: [(Field, Value)]) throws -> EventKey {
    try write(.add, .kind(kind), writes.map { Write($0, $1) })
  }

  mutating func list(_ name: String) throws -> EventKey {
    try add(.list, [(Field.List.name, .text(name))])
  }

  @discardableResult
  mutating func todo(
    _ title: String, on list: EventKey? = nil, _ more: [(Field, Value)] = []
  ) throws -> EventKey {
    let reference = list.map { [(Field.Todo.list, Value.reference($0))] } ?? []
    return try add(.todo, [(Field.Todo.title, .text(title))] + reference + more)
  }

  func titles(
    _ filter: TodoFilter = TodoFilter(), by order: TodoOrder = .priority
  ) throws -> [String?] {
    try model.todos.todos(filter, by: order).map(\.title)
  }
}
