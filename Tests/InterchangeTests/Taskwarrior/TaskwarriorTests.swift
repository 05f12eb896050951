import Bytes
import Domain
import Interchange
import Testing

struct TaskwarriorTests {
  private static func uuid(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }

  /// The output of `task export`, with a user-defined attribute.
  private static let file = """
    [
    {"id":1,"description":"Buy Eggos","due":"20261121T230000Z","entry":"20261120T120000Z","estimate":2.5,"modified":"20261120T120001Z","priority":"H","project":"Home.Kitchen","status":"pending","tags":["shop","food"],"uuid":"\(uuid(1))","urgency":12.1},
    {"id":0,"description":"Pay rent","end":"20261103T080000Z","entry":"20261101T080000Z","modified":"20261103T080000Z","status":"completed","uuid":"\(uuid(2))"},
    {"id":3,"annotations":[{"entry":"20261101T090000Z","description":"at the desk"},{"entry":"20261102T090000Z","description":"not on Monday"}],"depends":["\(uuid(1))"],"description":"Ask","entry":"20261101T080000Z","priority":"M","status":"waiting","uuid":"\(uuid(3))","wait":"20270101T000000Z"},
    {"id":4,"description":"Water","due":"20261120T120000Z","entry":"20191201T080000Z","mask":"+-","recur":"weekly","status":"recurring","uuid":"\(uuid(4))"},
    {"id":5,"description":"Water","due":"20261127T120000Z","entry":"20191201T080000Z","imask":1,"parent":"\(uuid(4))","recur":"weekly","status":"pending","uuid":"\(uuid(5))"},
    {"id":0,"description":"Gone","end":"20261103T080000Z","entry":"20261101T080000Z","status":"deleted","uuid":"\(uuid(6))"}
    ]

    """

  /// Settings one hour ahead of UTC.
  private static var settings: ForeignSettings {
    var settings = ForeignSettings()
    settings.localOffset = { _ in 3600 }
    return settings
  }

  private static var export: ExportSettings {
    var settings = ExportSettings.test
    settings.localOffset = { _ in 3600 }
    return settings
  }

  private static func shown(_ book: ForeignBook) -> Set<String> {
    Set(
      book.shown.filter { $0.contains(#""todo""#) }.map { line in
        book.records.documents(.list).reduce(line) { line, list in
          line.replacing(
            "\"list\":\"\(list.id.uuid)\"", with: "\"on\":\(list.text(Field.List.name) ?? "")")
        }
      })
  }

  @Test func `Taskwarrior: the entry time of a task is never after its end`() throws {
    // This is how a line of todo.txt with a completion date but without a creation date is imported.
    let book = try ForeignBook(
      #"{"t":1795176000000,"op":"add","kind":"todo","id":"a","title":"Mop","done":true,"completedAt":1795089600000}"#
    )
    let text = try book.written(.taskwarrior)
    #expect(text.contains(#""end":"20261119T120000Z","entry":"20261119T120000Z""#), "\(text)")
  }

  @Test func `Taskwarrior: tasks become to-dos, due on the local day`() throws {
    var book = ForeignBook()
    #expect(try book.take(Self.file, .taskwarrior, Self.settings) == .init(added: 4))
    #expect(
      Self.shown(book) == [
        #"{"kind":"todo","title":"Buy Eggos","on":Home.Kitchen,"priority":2,"due":"2026-11-22","tags":["food","shop"]}"#,
        #"{"kind":"todo","title":"Pay rent","done":true,"completedAt":1793692800000}"#,
        #"{"kind":"todo","title":"Ask","start":"2027-01-01","note":"at the desk\nnot on Monday"}"#,
        #"{"kind":"todo","title":"Water","due":"2026-11-20","dueTime":780,"repeat":"FREQ=WEEKLY"}"#,
        #"{"kind":"todo","done":true,"slot":"2026-11-20"}"#,
      ])
    #expect(
      book.document("Buy Eggos").flatMap { Todo($0) }?.createdAt == 1_795_176_000_000)
    #expect(try book.take(Self.file, .taskwarrior, Self.settings) == .init(same: 4))
  }

  @Test func `Taskwarrior: skipped tasks are counted, and unsupported attributes reported`() throws
  {
    let file = try FileFormat.taskwarrior.read(Array(Self.file.utf8), Self.settings)
    #expect(file.passedOver == [.deletedTask: 1])
    #expect(
      file.notes == [
        .line(4): [
          .changed(field: "wait", "20270101T000000Z", to: "2027-01-01"),
          .notActedOn(#"depends:["00000000-0000-4000-8000-000000000001"]"#),
        ]
      ])
    #expect(file.skipped == [])
  }

  @Test func `Taskwarrior: deleted tasks are deleted here on request`() throws {
    var settings = Self.settings
    settings.takesDeleted = true
    var book = ForeignBook()
    #expect(try book.take(Self.file, .taskwarrior, settings) == .init(added: 5))
    #expect(book.document("Gone")?.isAlive == false)
    #expect(try book.take(Self.file, .taskwarrior, settings) == .init(same: 5))
    let later = Self.file.replacing(#""pending","tags""#, with: #""deleted","tags""#)
    #expect(try book.take(later, .taskwarrior, Self.settings) == .init(same: 3))
    #expect(book.document("Buy Eggos")?.isAlive == true)
    try book.take(later, .taskwarrior, settings)
    #expect(book.document("Buy Eggos")?.isAlive == false)
  }

  @Test func `Taskwarrior: imported tasks are exported unchanged`() throws {
    var book = ForeignBook()
    try book.take(Self.file, .taskwarrior, Self.settings)
    let written = try JSON(parsing: Array(try book.written(.taskwarrior, Self.export).utf8))
    let before = try JSON(parsing: Array(Self.file.utf8))
    for (number, index) in [(1, 0), (2, 1), (3, 2), (4, 3)] {
      let task = written.array?.first { $0["uuid"]?.string == Self.uuid(number) }
      var expected = before.array?[index].members ?? []
      // These attributes are derived or depend on the time of the import.
      expected.removeAll { ["id", "urgency", "modified"].contains($0.name) }
      var found = task?.members ?? []
      found.removeAll { ["modified", "daybookseries"].contains($0.name) }
      #expect(
        JSON.object(found) == .object(expected.sorted { $0.name < $1.name }), "task \(number)")
    }
    // *Water* has two children: one from the mask and one from the file.
    let children = written.array?.filter { $0["parent"]?.string == Self.uuid(4) } ?? []
    #expect(children.map { $0["imask"]?.integer } == [0, 1])
    #expect(children.last?["uuid"]?.string == Self.uuid(5))
    #expect(written.array?.count == 6)
  }

  @Test func `Taskwarrior: our own to-dos are exported with all required attributes`() throws {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"list","id":"h","name":"Home stuff"}
      {"op":"add","kind":"todo","id":"e","t":1795176000000,"title":"Buy \\"Eggos\\"","list":"h","due":"2026-11-22","note":"blue"}
      {"op":"add","kind":"todo","id":"f","t":1795176000000,"title":"Find Mike","done":true,"completedAt":1795179600000,"priority":1}
      """)
    let eggos = try #require(book.document("Buy \"Eggos\"")).id.uuid
    let mike = try #require(book.document("Find Mike")).id.uuid
    #expect(
      try book.written(.taskwarrior, Self.export) == """
        [
        {"annotations":[{"description":"blue","entry":"20261120T120000Z"}],"description":"Buy \\"Eggos\\"","due":"20261121T230000Z","entry":"20261120T120000Z","modified":"20261120T120000Z","project":"Home stuff","status":"pending","uuid":"\(eggos)"},
        {"description":"Find Mike","end":"20261120T130000Z","entry":"20261120T120000Z","modified":"20261120T120000Z","priority":"M","status":"completed","uuid":"\(mike)"}
        ]

        """)
    var again = book
    let written = try book.written(.taskwarrior, Self.export)
    let outcome = try again.take(written, .taskwarrior, Self.settings)
    #expect(outcome == .init(same: 2))
    #expect(Self.shown(again) == Self.shown(book))
  }

  /// A task with annotations, each with its own time.
  private static func annotated(_ notes: [(entry: String, text: String)]) -> String {
    let annotations = notes.map { note in
      JSON.object(("entry", .string(note.entry)), ("description", .string(note.text))).text()
    }
    return """
      [{"annotations":[\(annotations.joined(separator: ","))],"description":"Fix roof",\
      "entry":"20261101T070000Z","status":"pending","uuid":"\(uuid(1))"}]
      """
  }

  /// The exported annotations after the note has been changed to this text.
  private static func annotations(
    of notes: [(entry: String, text: String)], once note: String
  ) throws -> [String] {
    var book = ForeignBook()
    try book.take(annotated(notes), .taskwarrior, settings)
    let id = try #require(book.document("Fix roof")).id.uuid
    let set = JSON.object(("note", .string(note))).text()
    try book.run(
      #"{"op":"edit","t":1795176000000,"kind":"todo","id":"\#(id)","set":\#(set)}"#)
    let written = try JSON(parsing: Array(try book.written(.taskwarrior, export).utf8))
    let found = written.array?[0]["annotations"]?.array ?? []
    // Importing the export changes nothing in the note.
    let outcome = try book.take(book.written(.taskwarrior, export), .taskwarrior, settings)
    #expect(outcome == .init(same: 1) || outcome == .init(edited: 1))
    #expect(book.document("Fix roof")?.note == note)
    return found.map { "\($0["entry"]?.string ?? "") \($0["description"]?.string ?? "")" }
  }

  private static let calls = [
    (entry: "20261102T090000Z", text: "called Bob"),
    (entry: "20261109T090000Z", text: "Bob sent quote"),
  ]

  /// Changed notes with their exported annotations; the change was at 20261120T120000Z.
  private static let notes: [(note: String, written: [String])] = [
    (
      "called Bob\nBob sent quote\npaid deposit",
      [
        "20261102T090000Z called Bob", "20261109T090000Z Bob sent quote",
        "20261120T120000Z paid deposit",
      ]
    ),
    (
      "called Bob\ntwice\nBob sent quote",
      [
        "20261102T090000Z called Bob", "20261102T090001Z twice", "20261109T090000Z Bob sent quote",
      ]
    ),
    (
      "why\ncalled Bob\nBob sent quote",
      ["20261101T070000Z why", "20261102T090000Z called Bob", "20261109T090000Z Bob sent quote"]
    ),
    ("Bob sent quote", ["20261109T090000Z Bob sent quote"]),
    (
      "called Bob\nBob sent bill\nand more",
      ["20261102T090000Z called Bob", "20261120T120000Z Bob sent bill\nand more"]
    ),
    (
      "Bob sent quote\ncalled Bob",
      ["20261109T090000Z Bob sent quote", "20261102T090000Z called Bob"]
    ),
    ("all new", ["20261101T070000Z all new"]),
  ]

  @Test(arguments: notes)
  func `Taskwarrior: an annotation that remains in a changed note keeps its time`(
    note: String, written: [String]
  ) throws {
    #expect(try Self.annotations(of: Self.calls, once: note) == written)
  }

  @Test func `Taskwarrior: equal, long, old or many annotations keep their times`() throws {
    let alike = [
      (entry: "20261102T090000Z", text: "called"), (entry: "20261103T090000Z", text: "called"),
    ]
    #expect(
      try Self.annotations(of: alike, once: "called\ncalled\nagain") == [
        "20261102T090000Z called", "20261103T090000Z called", "20261120T120000Z again",
      ])
    let long = [(entry: "20261102T090000Z", text: "one\ntwo")]
    #expect(
      try Self.annotations(of: long, once: "one\ntwo\nthree") == [
        "20261102T090000Z one\ntwo", "20261120T120000Z three",
      ])
    let old = [(entry: "20261101T070000Z", text: "one\ntwo")]
    #expect(
      try Self.annotations(of: old, once: "one\ntwo\nthree") == [
        "20261101T070000Z one\ntwo", "20261120T120000Z three",
      ])
    let many = (1...300).map { number in
      (entry: "202611\(10 + number % 10)T0900\(10 + number / 10)Z", text: "call \(number)")
    }
    let note = many.map(\.text).joined(separator: "\n") + "\nlast"
    #expect(
      try Self.annotations(of: many, once: note)
        == many.map { "\($0.entry) \($0.text)" } + ["20261120T120000Z last"])
  }

  @Test func `Taskwarrior: a waiting task stays waiting in the export until it is done`() throws {
    var book = ForeignBook()
    let pending = #""status":"pending","uuid":"\#(Self.uuid(7))","wait":"20270101T000000Z"}"#
    let text = #"{"description":"Later","entry":"20261101T080000Z",\#(pending)"# + "\n"
    try book.take(Self.file + text, .taskwarrior, Self.settings)
    let before = try book.written(.taskwarrior, Self.export)
    #expect(before.contains(#""wait":"20270101T000000Z""#))
    #expect(before.contains(#""status":"waiting""#))
    #expect(before.contains(pending))
    let ask = try #require(book.document("Ask")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(ask)","set":{"done":true}}"#)
    let after = try book.written(.taskwarrior, Self.export)
    #expect(!after.contains(#""status":"waiting""#))
    #expect(after.contains(#""status":"recurring""#))
  }

  @Test func `Taskwarrior: values changed in the book are kept`() throws {
    var book = ForeignBook()
    try book.take(Self.file, .taskwarrior, Self.settings)
    let water = try #require(book.document("Water")).id.uuid
    try book.run(#"{"op":"edit","kind":"todo","id":"\#(water)","set":{"title":"Water all"}}"#)
    let later = Self.file.replacing("\"H\"", with: "\"L\"")
    #expect(
      try book.take(later, .taskwarrior, Self.settings) == .init(edited: 1, same: 2, outdated: 1))
    #expect(book.document("Water all") != nil)
    #expect(book.document("Buy Eggos").flatMap { Todo($0) }?.priority == .low)
  }

  private static let broken: [(String, ForeignFault)] = [
    (#""description":"a","status":"pending""#, .missing("uuid")),
    (#""uuid":"7","description":"a","status":"pending""#, .unreadable(field: "uuid", "7")),
    (#""uuid":"\#(uuid(8))","status":"pending""#, .missing("description")),
    (#""uuid":"\#(uuid(8))","description":"a""#, .missing("status")),
    (
      #""uuid":"\#(uuid(8))","description":"a","status":"odd""#,
      .unreadable(field: "status", "odd")
    ),
    (
      #""uuid":"\#(uuid(8))","description":"a","status":"pending","due":"tomorrow""#,
      .unreadable(field: "due", "tomorrow")
    ),
    (
      #""uuid":"\#(uuid(8))","description":"a","status":"pending","due":"20260230T000000Z""#,
      .unreadable(field: "due", "20260230T000000Z")
    ),
    (
      #""uuid":"\#(uuid(8))","description":"a","status":"pending","priority":"X""#,
      .unreadable(field: "priority", "X")
    ),
    (
      #""uuid":"\#(uuid(8))","description":"a","status":"pending","tags":[1]"#,
      .unreadable(field: "tags", "[1]")
    ),
    (
      #""uuid":"\#(uuid(1))","description":"again","status":"pending""#,
      .broken("an earlier task has the same uuid")
    ),
    (#""uuid"#, .broken("an invalid number in the JSON at byte 7")),
  ]

  @Test(arguments: broken)
  func `Taskwarrior: a bad task is skipped and reported by its line, and the others are read`(
    members: String, fault: ForeignFault
  ) throws {
    let good = #"{"uuid":"\#(Self.uuid(1))","description":"good","status":"pending"}"#
    let text = "\(good)\n{\(members)}\n\(good.replacing("0001", with: "0002"))\n"
    let file = try FileFormat.taskwarrior.read(Array(text.utf8))
    #expect(file.records.map(\.uid) == [Self.uuid(1), Self.uuid(2)])
    if case .broken(let words) = fault, words.contains("JSON") {
      guard case .broken(let found)? = file.faults[.line(2)] else {
        Issue.record("\(file.faults)")
        return
      }
      #expect(found.contains("JSON"))
    } else {
      #expect(file.faults == [.line(2): fault])
    }
  }

  @Test func `Taskwarrior: a JSON array is read in any layout`() throws {
    let tasks = try FileFormat.taskwarrior.read(Array(Self.file.utf8)).records
    let json = try JSON(parsing: Array(Self.file.utf8))
    for text in [json.text(), json.text(indented: true)] {
      let found = try FileFormat.taskwarrior.read(Array(text.utf8)).records
      #expect(found.map(\.uid) == tasks.map(\.uid))
      #expect(found.map(\.fields) == tasks.map(\.fields))
    }
    #expect(try FileFormat.taskwarrior.read([]).records == [])
    #expect(throws: ForeignFault.tooDeep(limit: 64)) {
      try FileFormat.taskwarrior.read(Array(String(repeating: "[", count: 200_000).utf8))
    }
  }

  @Test
  func `Taskwarrior: a task above the attribute limit is refused, and a task at it is read`()
    throws
  {
    let members = (0..<50_000).map { "\"a\($0)\":\($0)" }.joined(separator: ",")
    let text = #"[{"uuid":"\#(Self.uuid(1))","description":"good","status":"pending","#
    var settings = ForeignSettings()
    settings.limits.fieldBytes = 2 << 20
    let file = try FileFormat.taskwarrior.read(Array("\(text)\(members)}]".utf8), settings)
    #expect(file.skipped.map(\.fault) == [.tooManyParts("properties", limit: 10_000)])
    settings.limits.properties = 50_003
    let large = try FileFormat.taskwarrior.read(Array("\(text)\(members)}]".utf8), settings)
    #expect(large.records.count == 1)
  }
}
