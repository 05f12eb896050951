import Bytes
import Domain
import Interchange
import Testing

/// Series and their occurrences in exports of operations.
struct SeriesExportTests {
  private static let story = """
    {"op":"add","kind":"list","id":"L","name":"Home"}
    {"t":1,"op":"add","kind":"todo","id":"z","title":"Bins","list":"L","due":"2026-11-23","repeat":"FREQ=WEEKLY"}
    {"t":2,"op":"add","kind":"todo","id":"a","series":"z","slot":"2026-11-23","done":true,"closedOn":"2026-11-26"}
    {"t":3,"op":"add","kind":"todo","id":"c","series":"z","slot":"2026-11-30","due":"2026-12-01","title":"All bins"}
    {"t":4,"op":"add","kind":"todo","id":"b","title":"Brown","parent":"z"}
    {"t":5,"op":"add","kind":"todo","id":"d","series":"b","slot":"2026-11-30","cancelled":true,"closedOn":"2026-11-30"}
    {"t":6,"op":"add","kind":"todo","id":"m","title":"Mop"}
    """

  private static func lines(_ operations: [Operation]) -> [String] {
    operations.map { operation in
      var operation = operation
      operation.time = nil
      operation.assignments.removeAll {
        [Field.Todo.createdAt, Field.Todo.completedAt].contains($0.field)
      }
      return operation.line
    }
  }

  private let state = [
    #"{"op":"add","kind":"list","id":"L","name":"Home"}"#,
    #"{"op":"add","kind":"todo","id":"z","title":"Bins","list":"L","due":"2026-11-23","repeat":"FREQ=WEEKLY"}"#,
    #"{"op":"add","kind":"todo","id":"a","done":true,"slot":"2026-11-23","closedOn":"2026-11-26","series":"z"}"#,
    #"{"op":"add","kind":"todo","id":"b","title":"Brown","parent":"z"}"#,
    #"{"op":"add","kind":"todo","id":"c","title":"All bins","due":"2026-12-01","slot":"2026-11-30","series":"z"}"#,
    #"{"op":"add","kind":"todo","id":"d","slot":"2026-11-30","closedOn":"2026-11-30","cancelled":true,"series":"b"}"#,
    #"{"op":"add","kind":"todo","id":"m","title":"Mop"}"#,
  ]

  @Test func `State export: occurrences follow their series, and parts follow their to-dos`()
    throws
  {
    let book = try ForeignBook(Self.story)
    #expect(Self.lines(StateExport.operations(of: book.records)) == state)
  }

  @Test
  func `State export: an empty book shows the same series, and importing again changes nothing`()
    throws
  {
    let book = try ForeignBook(Self.story)
    let export = StateExport.operations(of: book.records)
    let text = export.map(\.line).joined(separator: "\n")
    var other = ForeignBook(number: 2)
    try other.run(text)
    for title in ["Bins", "Brown"] { #expect(other.repeating(title) == book.repeating(title)) }
    #expect(
      other.repeating("Bins")
        == "FREQ=WEEKLY from 2026-11-23: 2026-12-01; 2026-11-23 done 2026-11-26; "
        + "2026-11-30 open due 2026-12-01 'All bins'")
    #expect(StateExport.operations(of: other.records) == export)
    let planner = OperationPlanner(keepsUIDs: true)
    for operation in export { #expect(try planner.plan(operation, on: other.records) == []) }
    // The ids of the first book lead to its own records.
    for operation in export { #expect(try planner.plan(operation, on: book.records) == []) }
  }

  @Test func `State export: occurrences are left out only with their series`()
    throws
  {
    let book = try ForeignBook(
      Self.story + "\n" + """
        {"op":"add","kind":"todo","id":"e","title":"Ended","due":"2026-11-23","repeat":"FREQ=WEEKLY;COUNT=1"}
        {"op":"add","kind":"todo","id":"f","series":"e","slot":"2026-11-23","done":true,"closedOn":"2026-11-23"}
        """)
    let home = try #require(book.document("Home")).id
    func ids(_ list: UniqueID?, isOpenOnly: Bool = false) -> [String] {
      StateExport.operations(of: book.records, list: list, isOpenOnly: isOpenOnly).map(\.id)
    }
    #expect(ids(home) == ["L", "z", "a", "c"])
    #expect(ids(nil, isOpenOnly: true) == ["L", "z", "a", "c", "m"])
    #expect(ids(nil).suffix(3) == ["e", "f", "m"])
    let titles = { (contents: ExportContents) in
      contents.documents(.todo).compactMap { $0.text(Field.Todo.title) }
    }
    #expect(titles(book.contents()) == ["Bins", "Brown", "Mop", "Ended"])
    #expect(titles(ExportContents(book.records, isOpenOnly: true)) == ["Bins", "Mop"])
  }

  @Test func `State export: a part is exported with its parent, regardless of their ids`() throws {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"todo","id":"c","title":"Passport"}
      {"op":"add","kind":"todo","id":"b","title":"Photo","parent":"c"}
      {"op":"add","kind":"todo","id":"a","title":"Frame","parent":"b"}
      """)
    let lines = Self.lines(StateExport.operations(of: book.records))
    #expect(
      lines == [
        #"{"op":"add","kind":"todo","id":"c","title":"Passport"}"#,
        #"{"op":"add","kind":"todo","id":"b","title":"Photo","parent":"c"}"#,
        #"{"op":"add","kind":"todo","id":"a","title":"Frame","parent":"b"}"#,
      ])
  }

  @Test func `State difference: an occurrence is added after its series, and deleted separately`()
    throws
  {
    var world = World(machines: 2)
    try world.run(#"{"t":1,"op":"add","kind":"list","id":"L","name":"Home"}"#)
    world.meet()
    try world.run(Self.story.split(separator: "\n").dropFirst().joined(separator: "\n"), on: 1)
    func difference(_ from: Int, _ to: Int) -> [String] {
      Self.lines(
        StateDifference(from: world.machines[from].records, to: world.machines[to].records)
          .operations)
    }
    #expect(difference(0, 1) == Array(state.dropFirst()))
    try world.run(difference(0, 1).joined(separator: "\n"))
    try world.run(#"{"t":9,"op":"delete","kind":"todo","id":"a"}"#, on: 1)
    #expect(difference(0, 1) == [#"{"op":"delete","kind":"todo","id":"a"}"#])
    #expect(difference(1, 0).first?.contains(#""id":"a""#) == true)
    try world.run(#"{"t":10,"op":"delete","kind":"todo","id":"z"}"#, on: 1)
    // The occurrences are hidden with their series.
    #expect(
      difference(0, 1).filter { $0.contains("delete") }
        == [#"{"op":"delete","kind":"todo","id":"z"}"#])
  }
}
