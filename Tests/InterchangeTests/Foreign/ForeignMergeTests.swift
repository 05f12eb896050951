import Domain
import Interchange
import Testing

/// How imports change records that the book already has.
struct ForeignMergeTests {
  private static let table = """
    First name,Last name,Birthday,Phone
    Ada,Lovelace,1815-12-10,1
    Alan,Turing,1912-06-23,2

    """

  @Test func `Foreign import: a first import adds records, and a second import finds them`() throws
  {
    var book = ForeignBook()
    #expect(try book.take(Self.table, .csv) == .init(added: 2))
    let before = book.shown
    #expect(
      before == [
        #"{"kind":"birthday","firstName":"Ada","lastName":"Lovelace","birthdate":"1815-12-10"}"#,
        #"{"kind":"birthday","firstName":"Alan","lastName":"Turing","birthdate":"1912-06-23"}"#,
      ])
    #expect(try book.take(Self.table, .csv) == .init(same: 2))
    #expect(book.shown == before)
  }

  private static let tasks = """
    Id,Title,List,Due,Priority
    1,Sweep,Home,2026-12-01,high
    2,Mop,Home,,

    """

  @Test func `Foreign import: only fields changed in the file since are written`() throws {
    var book = ForeignBook()
    try book.take(Self.tasks, .csv)
    let sweep = try #require(book.document("Sweep"))
    try book.run(
      #"{"op":"edit","kind":"todo","id":"\#(sweep.id.uuid)","set":{"due":"2027-01-01","title":"Broom"}}"#
    )
    // The file still has the original day and title.
    let later = Self.tasks.replacing("high", with: "low")
    #expect(try book.take(later, .csv) == .init(edited: 1, same: 1))
    let todo = try #require(book.document("Broom").flatMap(Todo.init))
    #expect(todo.due?.iso == "2027-01-01")
    #expect(todo.priority == .low)
    #expect(try book.take(later, .csv) == .init(same: 1, outdated: 1))
  }

  @Test func `Foreign import: a value removed from the file is cleared, and other values remain`()
    throws
  {
    var book = ForeignBook()
    try book.take(Self.tasks, .csv)
    let mop = try #require(book.document("Mop"))
    try book.run(
      #"{"op":"edit","kind":"todo","id":"\#(mop.id.uuid)","set":{"note":"wet"}}"#)
    let later = Self.tasks.replacing("2026-12-01", with: "")
    #expect(try book.take(later, .csv) == .init(edited: 1, same: 1))
    #expect(book.document("Sweep").flatMap(Todo.init)?.due == nil)
    #expect(book.document("Mop")?.note == "wet")
  }

  @Test func `Foreign import: a deleted record stays deleted unless an undo removed it`() throws {
    var book = ForeignBook()
    try book.take(Self.tasks, .csv)
    let sweep = try #require(book.document("Sweep"))
    try book.run(#"{"op":"delete","kind":"todo","id":"\#(sweep.id.uuid)"}"#)
    #expect(try book.take(Self.tasks, .csv) == .init(same: 1, keptDeleted: 1))
    book.takenBack = [sweep.key]
    #expect(try book.take(Self.tasks, .csv) == .init(added: 1, same: 1))
    #expect(book.document("Sweep")?.isAlive == true)
  }

  @Test func `Foreign import: a list is created once, and an existing list is used`() throws {
    var book = ForeignBook()
    try book.run(#"{"op":"add","kind":"list","id":"h","name":"Home"}"#)
    try book.take(Self.tasks, .csv)
    try book.take("Title,List\nDig,Garden\nSow,Garden\n", .csv)
    #expect(book.records.documents(.list).map { $0.text(Field.List.name) }.count == 2)
    // The list is renamed in the book, but the file still refers to it.
    let garden = try #require(book.document("Garden"))
    try book.run(
      #"{"op":"edit","kind":"list","id":"\#(garden.id.uuid)","set":{"name":"Outside"}}"#)
    try book.take("Title,List\nReap,Garden\n", .csv)
    #expect(book.records.documents(.list).count == 2)
    #expect(book.document("Reap")?.value(Field.Todo.list).reference == garden.key)
  }

  @Test func `Foreign import: a record that the book refuses is skipped, and the rest is imported`()
    throws
  {
    var book = ForeignBook()
    let long = String(repeating: "x", count: 5000)
    let outcome = try book.take("Title\n\(long)\nshort\n", .csv)
    #expect(
      outcome
        == .init(
          added: 1, faults: [.badValue(.todo, "title", .value(.tooLong(maximumBytes: 4096)))]))
  }

  @Test func `Foreign import: a done to-do is added open and completed at its time`() throws {
    var book = ForeignBook()
    try book.take(
      "Title,Done,Created at,Completed at\nSweep,yes,2026-01-02T00:00:00Z,2026-03-04T00:00:00Z\n",
      .csv)
    let sweep = try #require(book.document("Sweep"))
    #expect(Todo(sweep)?.completedAt == 1_772_582_400_000)
    #expect(Todo(sweep)?.createdAt == 1_767_312_000_000)
    #expect(sweep.shown(Field.Todo.done)?.survivors.map(\.effectiveTime) == [1_772_582_400_000])
  }

  @Test func `Foreign import: two equal rows are two records`() throws {
    var book = ForeignBook()
    #expect(try book.take("Title\nSweep\nSweep\n", .csv) == .init(added: 2))
    #expect(try book.take("Title\nSweep\nSweep\nSweep\n", .csv) == .init(added: 1, same: 2))
  }

  @Test func `Foreign import: field digests read back from their text`() throws {
    let fields: [Field: ForeignRecord.Content] = [
      Field.Todo.title: .value(.text("a")), Field.Todo.list: .list(named: "b"),
    ]
    let digests = FieldDigests(fields, of: .todo)
    #expect(FieldDigests(digests.text) == digests)
    #expect(digests.text == "5-07b4f0fe2c.6-07b4eb3627")
    #expect(FieldDigests("5-c8") == nil)
    #expect(FieldDigests("x") == nil)
  }
}
