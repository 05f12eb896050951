import Bytes
import Domain
import Interchange
import Testing

struct StateExportTests {
  private let story = """
    {"t":1,"op":"add","kind":"todo","id":"T2","title":"No list","done":true,"completedAt":9}
    {"t":2,"op":"add","kind":"list","id":"L","name":"Home","color":"#00ff00"}
    {"t":3,"op":"add","kind":"todo","id":"T1","title":"Tea","list":"L","tags":["a","b"],"by":"me"}
    {"t":4,"op":"add","kind":"list","id":"M","name":"Gone"}
    {"t":5,"op":"add","kind":"todo","id":"T3","title":"Hidden","list":"M"}
    {"t":6,"op":"delete","kind":"list","id":"M"}
    {"t":7,"op":"add","kind":"question","id":"Q","content":"What?"}
    {"t":8,"op":"add","kind":"choice","id":"C","question":"Q","name":"Rice","weight":3}
    {"t":9,"op":"add","kind":"choice","id":"D","question":"Q","name":"Soup"}
    {"t":10,"op":"add","kind":"pick","id":"P","question":"Q","choice":"D","draw":"00ff"}
    {"t":11,"op":"delete","kind":"choice","id":"D"}
    {"t":12,"op":"edit","kind":"todo","id":"T1","set":{"done":true}}
    """

  private let state = [
    ##"{"t":2,"op":"add","kind":"list","id":"L","name":"Home","colour":"#00ff00"}"##,
    #"{"t":3,"op":"add","kind":"todo","id":"T1","title":"Tea","list":"L","done":true,"completedAt":12,"tags":["a","b"]}"#,
    #"{"t":1,"op":"add","kind":"todo","id":"T2","title":"No list","done":true,"completedAt":9}"#,
    #"{"t":7,"op":"add","kind":"question","id":"Q","content":"What?"}"#,
    #"{"t":8,"op":"add","kind":"choice","id":"C","question":"Q","name":"Rice","weight":3}"#,
    #"{"t":9,"op":"add","kind":"choice","id":"D","question":"Q","name":"Soup"}"#,
    #"{"t":10,"op":"add","kind":"pick","id":"P","question":"Q","choice":"D","draw":"00ff"}"#,
    #"{"t":11,"op":"delete","kind":"choice","id":"D"}"#,
  ]

  @Test
  func
    `State export: records are exported as adds, parents first, with deleted but picked choices`()
    throws
  {
    var world = World()
    try world.run(story)
    #expect(world.records.shownLines == state)
  }

  @Test func `State export: importing an exported state gives the same state`() throws {
    var world = World()
    try world.run(state.joined(separator: "\n"))
    #expect(world.records.shownLines == state)
  }

  @Test func `State export: a record without uid is exported under its own id`() throws {
    var world = World(keepsUIDs: false)
    try world.run(#"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#)
    let id = try #require(world.records.documents(.list).first?.id)
    let text = Source.UID.bytes(id).text
    #expect(
      world.records.shownLines
        == [#"{"t":1,"op":"add","kind":"list","id":"\#(text)","name":"Home"}"#])
  }

  @Test func `State export: a uid of another importer does not count as an operation-log uid`()
    throws
  {
    var world = World()
    let source = Source(importer: 3, uidText: "L")
    world.write([
      Draft(.add, .kind(.list), [Write(.source, source.value), Write(Field.List.name, .text("x"))])
    ])
    try world.run(#"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#)
    let ids = StateExport.operations(of: world.records).map(\.id)
    #expect(ids.count == 2 && Set(ids).count == 2 && ids.contains("L"))
  }

  @Test func `State export: an id that equals another record's uid gets a suffix`() throws {
    var world = World(keepsUIDs: false)
    try world.run(#"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#)
    let id = try #require(world.records.documents(.list).first?.id)
    let source = Source(uid: id)
    world.write([
      Draft(.add, .kind(.list), [Write(.source, source.value), Write(Field.List.name, .text("x"))])
    ])
    let ids = StateExport.operations(of: world.records).map(\.id)
    #expect(ids == [source.uid.text, source.uid.text + "+"])
  }
}
