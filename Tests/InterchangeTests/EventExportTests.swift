import Bytes
import Domain
import Interchange
import TestDice
import Testing

struct EventExportTests {
  private func export(_ world: World) -> [Operation] {
    EventExport(of: world.facts.shuffled(), causality: world.causality).operations
  }

  private func replay(_ operations: [Operation], salt: UInt64 = 2) throws -> World {
    var world = World(salt: salt)
    for operation in operations { try world.run(Operation(line: Array(operation.line.utf8))) }
    return world
  }

  @Test func `Event export: a single replica's history is exported as its original lines`()
    throws
  {
    let lines = """
      {"t":9,"op":"add","kind":"list","id":"L","name":"Home","by":"me"}
      {"t":8,"op":"add","kind":"todo","id":"T","title":"Tea","list":"L"}
      {"t":7,"op":"edit","kind":"todo","id":"T","set":{"done":true,"due":"2026-12"},"because":"so"}
      {"t":6,"op":"delete","kind":"list","id":"L","by":"me"}
      {"t":5,"op":"restore","kind":"list","id":"L"}
      {"t":4,"op":"edit","kind":"todo","id":"T","set":{"list":null}}
      """
    var world = World()
    try world.run(lines)
    #expect(export(world).map(\.line).joined(separator: "\n") == lines)
    #expect(try replay(export(world), salt: 1).records.digest() == world.records.digest())
  }

  @Test func `Event export: a record kept alive by a concurrent edit exports a restore`() throws {
    var world = World(machines: 2)
    try world.run(#"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#)
    world.meet()
    try world.run(#"{"t":2,"op":"edit","kind":"list","id":"L","set":{"name":"House"}}"#, on: 0)
    try world.run(#"{"t":3,"op":"delete","kind":"list","id":"L"}"#, on: 1)
    world.meet()
    #expect(
      export(world).map(\.line) == [
        #"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#,
        #"{"t":2,"op":"edit","kind":"list","id":"L","set":{"name":"House"}}"#,
        #"{"t":3,"op":"delete","kind":"list","id":"L"}"#,
        #"{"t":3,"op":"restore","kind":"list","id":"L"}"#,
      ])
  }

  @Test func `Event export: a child added to a concurrently deleted list exports a restore`() throws
  {
    var world = World(machines: 2)
    try world.run(#"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#)
    world.meet()
    try world.run(#"{"t":2,"op":"delete","kind":"list","id":"L"}"#, on: 1)
    try world.run(#"{"t":3,"op":"add","kind":"todo","id":"T","title":"Tea","list":"L"}"#, on: 0)
    world.meet()
    #expect(export(world).map(\.verb) == [.add, .delete, .restore, .add])
    #expect(try replay(export(world)).records.shownLines == world.records.shownLines)
  }

  @Test func `Event export: a final edit corrects fields that replaying would show differently`()
    throws
  {
    var world = World(machines: 2)
    try world.run(#"{"t":1,"op":"add","kind":"todo","id":"T","title":"Tea"}"#)
    world.meet()
    let done = #""op":"edit","kind":"todo","id":"T","set":{"done":true}}"#
    try world.run(#"{"t":2,"# + done, on: 0)
    try world.run(#"{"t":3,"# + done, on: 1)
    world.meet()
    let lines = export(world).map(\.line)
    #expect(lines.count == 4)
    #expect(lines.last == #"{"t":3,"op":"edit","kind":"todo","id":"T","set":{"completedAt":3}}"#)
  }

  @Test func `Event export: alias events are skipped and counted`() throws {
    var world = World()
    try world.run(
      """
      {"t":1,"op":"add","kind":"list","id":"L","name":"Home"}
      {"t":2,"op":"add","kind":"list","id":"M","name":"House"}
      """)
    let keys = world.facts.map(\.key)
    world.write([Draft(.alias, .entity(keys[0]), [Write(.with, .reference(keys[1]))])])
    let export = EventExport(of: world.facts, causality: world.causality)
    #expect(export.operations.map(\.id) == ["L", "M"])
    #expect(export.skippedCount == 1)
  }

  @Test func `Event export: a record added on two machines exports under one id`() throws {
    var world = World(machines: 2)
    try world.run(#"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#, on: 0)
    try world.run(#"{"t":2,"op":"add","kind":"list","id":"L","name":"House"}"#, on: 1)
    world.meet()
    try world.run(#"{"t":3,"op":"delete","kind":"list","id":"L"}"#, on: 1)
    #expect(
      export(world).map(\.line) == [
        #"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#,
        #"{"t":2,"op":"add","kind":"list","id":"L","name":"House"}"#,
        #"{"t":3,"op":"delete","kind":"list","id":"L"}"#,
      ])
  }

  @Test(arguments: 0..<60)
  func `Event export: replaying a random history of several machines yields the same records`(
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    let world = World.random(using: &dice, keepsUIDs: !seed.isMultiple(of: 4))
    let export = EventExport(of: world.facts.shuffled(using: &dice), causality: world.causality)
    let replayed = try replay(export.operations)
    #expect(replayed.records.shownLines == world.records.shownLines)
    #expect(export.skippedCount == 0)
  }
}

extension World {
  /// A random history of several machines that sync from time to time.
  fileprivate static func random(using dice: inout Dice, keepsUIDs: Bool) -> World {
    var world = World(machines: 1 + dice.number(4), keepsUIDs: keepsUIDs)
    for step in 0..<150 {
      let place = dice.number(world.machines.count)
      if dice.chance(15) {
        world.send(from: dice.number(world.machines.count), to: place)
        continue
      }
      let operation = dice.deed(at: Int64(step))
      do throws(OperationFault) {
        try world.run(operation, on: place)
      } catch {
        // Many of the random operations are refused.
      }
    }
    world.meet()
    return world
  }
}

extension Dice {
  fileprivate mutating func deed(at time: Int64) -> Operation {
    let kinds: [Kind] = [.list, .todo, .todo, .question, .choice, .pick, .birthday]
    let kind = kinds[number(kinds.count)]
    let verbs: [Operation.Verb] = [.add, .add, .edit, .edit, .edit, .delete, .restore]
    var operation = Operation(verbs[number(verbs.count)], kind, id: id(), time: 1000 + time)
    guard operation.verb == .add || operation.verb == .edit else { return operation }
    for field in Schema.schema(of: kind)?.fields ?? [] {
      // Two machines can clear different parts of a birthday and thus leave it empty, but no command writes an empty
      // birthday.
      let isKept = kind == .birthday && field.field == Field.Birthday.firstName
      if isKept {
        operation.assignments.append(.init(field.field, .value(.text(id()))))
        continue
      }
      let isGiven = operation.verb == .add ? field.isRequired || chance(30) : chance(30)
      guard isGiven, operation.verb == .add || !field.isFixed else { continue }
      // No operation can move a choice either, but two machines may add it to different questions.
      let content = field.isFixed ? .source(operation.id) : content(field.type)
      guard let content, field.field != Field.Pick.draw || kind != .pick else { continue }
      operation.assignments.append(.init(field.field, content))
    }
    return operation
  }

  private mutating func id() -> String { ["a", "b", "c"][number(3)] }

  private mutating func content(_ type: FieldType) -> Operation.Content? {
    if chance(10) { return .value(.null) }
    switch type {
    case .text: return .value(.text(id()))
    case .boolean: return .value(.boolean(chance(50)))
    case .date: return .value(.integer(1815 * 512 + 12 * 32 + 1 + Int64(number(3))))
    case .reference: return .source(id())
    case .priority, .instant, .colour, .leapRule: return .value(.integer(Int64(number(2))))
    case .integer: return .value(.integer(Int64(number(3))))
    default: return nil
    }
  }
}
