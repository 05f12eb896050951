import Bytes
import Domain
import Interchange
import Testing

struct OperationPlanTests {
  private let ada = """
    {"t":5,"op":"add","kind":"birthday","id":"A","firstName":"Ada","lastName":"L"}
    """

  @Test func `Operation plan: an add with an unknown id writes the record with its source`() throws
  {
    var world = World()
    let body = Body(
      .add, .kind(.birthday),
      [
        Write(.source, .text("A")), Write(Field.Birthday.firstName, .text("Ada")),
        Write(Field.Birthday.lastName, .text("L")),
      ])
    #expect(try world.run(ada) == [body])
    #expect(world.facts.map(\.when) == [5])
  }

  @Test func `Operation plan: a repeated add writes only fields that have changed`()
    throws
  {
    var world = World()
    try world.run(ada)
    #expect(try world.run(ada).isEmpty)
    let bodies = try world.run(
      #"{"op":"add","kind":"birthday","id":"A","lastName":"Lovelace","birthdate":null}"#)
    let key = EventKey(log: 0, sequence: 1)
    let write = Write(Field.Birthday.lastName, .text("Lovelace"))
    #expect(bodies == [Body(.edit, .entity(key), [write])])
  }

  @Test func `Operation plan: an add of a deleted record restores it and clears missing fields`()
    throws
  {
    var world = World()
    try world.run(ada)
    try world.run(#"{"op":"delete","kind":"birthday","id":"A"}"#)
    let bodies = try world.run(
      #"{"op":"add","kind":"birthday","id":"A","firstName":"Ada","birthdate":"1815-12-10"}"#)
    let key = EventKey(log: 0, sequence: 1)
    let date = try CivilDate(year: 1815, month: 12, day: 10)
    #expect(
      bodies == [
        Body(.restore, .entity(key)),
        Body(
          .edit, .entity(key),
          [
            Write(Field.Birthday.lastName, .null), Write(Field.Birthday.birthdate, .date(date)),
          ]),
      ])
  }

  @Test func `Operation plan: edits, deletes and restores without effect write nothing`() throws {
    var world = World()
    try world.run(ada)
    #expect(
      try world.run(
        """
        {"op":"edit","kind":"birthday","id":"A","set":{"firstName":" Ada ","birthdate":null}}
        {"op":"edit","kind":"birthday","id":"A","set":{}}
        {"op":"restore","kind":"birthday","id":"A"}
        """
      ).isEmpty)
    let delete = #"{"op":"delete","kind":"birthday","id":"A"}"#
    let key = EventKey(log: 0, sequence: 1)
    #expect(try world.run(delete) == [Body(.delete, .entity(key))])
    #expect(try world.run(delete).isEmpty)
    #expect(
      try world.run(#"{"op":"restore","kind":"birthday","id":"A"}"#)
        == [Body(.restore, .entity(key))])
  }

  @Test func `Operation plan: an edit of a deleted record is refused`() throws {
    var world = World()
    try world.run(ada)
    try world.run(#"{"op":"delete","kind":"birthday","id":"A"}"#)
    #expect(throws: OperationFault.dead(.birthday, "A")) {
      try world.run(#"{"op":"edit","kind":"birthday","id":"A","set":{"firstName":"B"}}"#)
    }
  }

  @Test(arguments: ["edit", "delete", "restore"])
  func `Operation plan: an unknown id is refused`(verb: String) {
    var world = World()
    #expect(throws: OperationFault.unknownID(.list, "B")) {
      try world.run(#"{"op":"\#(verb)","kind":"list","id":"B","name":"x"}"#)
    }
  }

  @Test func `Operation plan: an id is valid only for records of its kind`() throws {
    var world = World()
    try world.run(ada)
    #expect(throws: OperationFault.unknownID(.list, "A")) {
      try world.run(#"{"op":"delete","kind":"list","id":"A"}"#)
    }
  }

  @Test func `Operation plan: a record from another machine is found after sync`() throws {
    var world = World(machines: 2)
    try world.run(ada, on: 0)
    let edit = #"{"op":"edit","kind":"birthday","id":"A","set":{"firstName":"Eda"}}"#
    #expect(throws: OperationFault.unknownID(.birthday, "A")) { try world.run(edit, on: 1) }
    world.send(from: 0, to: 1)
    let write = Write(Field.Birthday.firstName, .text("Eda"))
    #expect(
      try world.run(edit, on: 1)
        == [Body(.edit, .entity(EventKey(log: 0, sequence: 1)), [write])])
  }

  @Test func `Operation plan: a record added on two machines is edited and deleted in both`() throws
  {
    var world = World(machines: 2)
    try world.run(ada, on: 0)
    try world.run(ada, on: 1)
    world.meet()
    let keys = [EventKey(log: 0, sequence: 1), EventKey(log: 1, sequence: 1)]
    let write = Write(Field.Birthday.lastName, .text("Lovelace"))
    #expect(
      try world.run(#"{"op":"edit","kind":"birthday","id":"A","set":{"lastName":"Lovelace"}}"#)
        == keys.map { Body(.edit, .entity($0), [write]) })
    #expect(
      try world.run(#"{"op":"delete","kind":"birthday","id":"A"}"#)
        == keys.map { Body(.delete, .entity($0)) })
  }

  @Test func `Operation plan: references are resolved by source id`() throws {
    var world = World()
    try world.run(
      """
      {"op":"add","kind":"list","id":"L","name":"Home"}
      {"op":"add","kind":"question","id":"Q","content":"What?"}
      """)
    let todo = try world.run(#"{"op":"add","kind":"todo","id":"T","title":"Tea","list":"L"}"#)
    let list = Write(Field.Todo.list, .reference(EventKey(log: 0, sequence: 1)))
    #expect(todo.first?.writes.contains(list) == true)
    let choice = try world.run(#"{"op":"add","kind":"choice","id":"C","name":"x","question":"Q"}"#)
    let question = Write(.owner, .reference(EventKey(log: 0, sequence: 2)))
    #expect(choice.first?.writes.contains(question) == true)
    #expect(throws: OperationFault.unknownReference(.todo, "list", id: "Q")) {
      try world.run(#"{"op":"edit","kind":"todo","id":"T","set":{"list":"Q"}}"#)
    }
  }

  @Test func `Operation plan: a choice cannot move to another question`() throws {
    var world = World()
    let choice = #"{"op":"add","kind":"choice","id":"C","name":"x","question":"Q"}"#
    try world.run(
      """
      {"op":"add","kind":"question","id":"Q","content":"What?"}
      {"op":"add","kind":"question","id":"R","content":"Who?"}
      \(choice)
      """)
    #expect(try world.run(choice).isEmpty)
    #expect(throws: OperationFault.refused(.fixed(.choice, .owner))) {
      try world.run(#"{"op":"edit","kind":"choice","id":"C","set":{"question":"R"}}"#)
    }
    try world.run(#"{"op":"delete","kind":"choice","id":"C"}"#)
    #expect(try world.run(choice).map(\.verb) == [.restore])
  }

  @Test func `Operation plan: values that the domain refuses are refused`() {
    var world = World()
    #expect(throws: OperationFault.refused(.required(.list, Field.List.name))) {
      try world.run(#"{"op":"add","kind":"list","id":"L","name":"  "}"#)
    }
    #expect(throws: OperationFault.refused(.required(.choice, .owner))) {
      try world.run(#"{"op":"add","kind":"choice","id":"L","name":"x"}"#)
    }
    #expect(throws: OperationFault.refused(.empty(.birthday))) {
      try world.run(#"{"op":"add","kind":"birthday","id":"L","note":"?"}"#)
    }
  }

  @Test func `Operation plan: reason and provenance are written to the first event`() throws {
    var world = World()
    let bodies = try world.run(
      #"{"op":"add","kind":"list","id":"L","name":"x","z":"1","because":"so","b":"2"}"#)
    let encoded: [UInt8] = [0xA2, 0x61, 0x62, 0x61, 0x32, 0x61, 0x7A, 0x61, 0x31]
    #expect(
      bodies.map(\.writes) == [
        [
          Write(.because, .text("so")), Write(.provenance, .other(encoded)),
          Write(.source, .text("L")), Write(Field.List.name, .text("x")),
        ]
      ])
    let delete = try world.run(#"{"op":"delete","kind":"list","id":"L","b":"2"}"#)
    #expect(delete.map(\.writes) == [[Write(.provenance, .other([0xA1, 0x61, 0x62, 0x61, 0x32]))]])
  }

  @Test func `Operation plan: without uids, ids are valid for only one run`() throws {
    var world = World(keepsUIDs: false)
    let lines = """
      {"op":"add","kind":"list","id":"L","name":"Home"}
      {"op":"add","kind":"todo","id":"T","title":"Tea","list":"L"}
      {"op":"edit","kind":"todo","id":"T","set":{"title":"Coffee"}}
      """
    let bodies = try world.run(lines)
    #expect(bodies.map(\.verb) == [.add, .add, .edit])
    #expect(!bodies.flatMap(\.writes).contains { $0.field == .source })
    let anotherRun = OperationPlanner(keepsUIDs: false)
    #expect(anotherRun.entity(.list, "L", in: world.records) == nil)
  }

  @Test func `Operation plan: a record without uid is found by the id from its export`() throws {
    var world = World(keepsUIDs: false)
    try world.run(#"{"t":5,"op":"add","kind":"list","id":"L","name":"Home"}"#)
    let exported = StateExport.operations(of: world.records)
    let planner = OperationPlanner(keepsUIDs: true)
    #expect(exported.count == 1)
    for operation in exported {
      #expect(try planner.plan(operation, on: world.records).isEmpty)
    }
  }

  @Test func `Operation plan: a repeating to-do is closed by itself only on its first date`()
    throws
  {
    var world = World()
    try world.run(
      #"{"op":"add","kind":"todo","id":"B","title":"Bins","due":"2026-11-23","repeat":"FREQ=WEEKLY"}"#
    )
    let bins = EventKey(log: 0, sequence: 1)
    func current() -> String? { world.records.recurrence(of: bins)?.slot?.iso }
    let done = #"{"op":"edit","kind":"todo","id":"B","done":true}"#
    let write = Write(Field.Todo.done, .boolean(true))
    #expect(try world.run(done) == [Body(.edit, .entity(bins), [write])])
    #expect(current() == "2026-11-30")
    try world.run(#"{"op":"edit","kind":"todo","id":"B","done":false}"#)
    #expect(current() == "2026-11-23")
    try world.run(
      #"{"op":"add","kind":"todo","id":"O","series":"B","slot":"2026-11-23","done":true}"#)
    #expect(current() == "2026-11-30")
    #expect(throws: OperationFault.closesNoDate("B")) { try world.run(done) }
    #expect(try world.run(#"{"op":"edit","kind":"todo","id":"B","done":false}"#).isEmpty)
    // A history is reproduced as it was.
    let told = try world.run(#"{"t":9,"op":"edit","kind":"todo","id":"B","done":true}"#)
    #expect(told.first?.writes.first == write)
    #expect(current() == "2026-11-30")
  }
}
