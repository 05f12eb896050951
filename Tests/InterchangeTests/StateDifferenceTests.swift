import Domain
import Interchange
import Testing

struct StateDifferenceTests {
  /// Two synced machines, the second of which then runs more operations.
  private func parted(_ common: String, _ alone: String) throws -> World {
    var world = World(machines: 2, keepsUIDs: true)
    try world.run(common)
    world.meet()
    try world.run(alone, on: 1)
    return world
  }

  private func lines(of world: World) -> [String] {
    StateDifference(from: world.machines[0].records, to: world.machines[1].records)
      .operations.map(\.line)
  }

  private let common = """
    {"t":1,"op":"add","kind":"list","id":"L","name":"Home"}
    {"t":2,"op":"add","kind":"list","id":"M","name":"Work"}
    {"t":3,"op":"add","kind":"todo","id":"T","title":"Tea","list":"L","note":"hot"}
    {"t":4,"op":"add","kind":"todo","id":"U","title":"Soup"}
    {"t":5,"op":"add","kind":"question","id":"Q","content":"What?"}
    {"t":6,"op":"add","kind":"choice","id":"C","question":"Q","name":"Rice"}
    """

  @Test func `State difference: it lists adds, edits, cleared fields and deletes, parents first`()
    throws
  {
    var world = try parted(
      common,
      """
      {"t":10,"op":"edit","kind":"todo","id":"T","set":{"note":null,"list":null,"title":"Mate"}}
      {"t":11,"op":"delete","kind":"todo","id":"U"}
      {"t":12,"op":"delete","kind":"question","id":"Q"}
      {"t":13,"op":"delete","kind":"list","id":"M"}
      {"t":14,"op":"add","kind":"list","id":"N","name":"New"}
      {"t":15,"op":"add","kind":"todo","id":"V","title":"Bread","list":"N"}
      """)
    let difference = lines(of: world)
    #expect(
      difference == [
        #"{"t":14,"op":"add","kind":"list","id":"N","name":"New"}"#,
        #"{"op":"edit","kind":"todo","id":"T","set":{"title":"Mate","list":null,"note":null}}"#,
        #"{"t":15,"op":"add","kind":"todo","id":"V","title":"Bread","list":"N"}"#,
        #"{"op":"delete","kind":"question","id":"Q"}"#,
        #"{"op":"delete","kind":"todo","id":"U"}"#,
        #"{"op":"delete","kind":"list","id":"M"}"#,
      ])
    try world.run(difference.joined(separator: "\n"))
    #expect(world.machines[0].records.shownLines == world.machines[1].records.shownLines)
    #expect(lines(of: world) == [])
  }

  @Test func `State difference: a restored record becomes a complete add`() throws {
    var world = try parted(
      common + "\n" + #"{"t":7,"op":"delete","kind":"todo","id":"T"}"#,
      #"{"t":10,"op":"restore","kind":"todo","id":"T"}"#)
    let difference = lines(of: world)
    #expect(
      difference
        == [#"{"t":3,"op":"add","kind":"todo","id":"T","title":"Tea","list":"L","note":"hot"}"#])
    try world.run(difference.joined(separator: "\n"))
    #expect(world.machines[0].records.shownLines == world.machines[1].records.shownLines)
  }

  @Test func `State difference: a record already written again under its id is left out`() throws {
    var world = World(machines: 2)
    world.write([Draft(.add, .kind(.list), [Write(Field.List.name, .text("Home"))])], on: 1)
    let kept = lines(of: world)
    #expect(kept.count == 1)
    try world.run(kept.joined(separator: "\n"))
    world.send(from: 0, to: 1)
    // The second machine now has both records, and the first machine has the rewritten record.
    #expect(world.machines[1].records.documents(.list).count == 2)
    let difference = StateDifference(
      from: world.machines[0].records, to: world.machines[1].records)
    #expect(difference.operations == [])
    #expect(difference.partedCount == 0)
  }

  @Test func `State difference: records joined only in the former state are counted`() throws {
    var world = World(machines: 2)
    try world.run(common)
    world.meet()
    let todos = world.records.documents(.todo).map(\.key)
    world.write([Draft(.alias, .entity(todos[0]), [Write(.with, .reference(todos[1]))])])
    let difference = StateDifference(
      from: world.machines[0].records, to: world.machines[1].records)
    #expect(difference.partedCount == 1)
  }
}
