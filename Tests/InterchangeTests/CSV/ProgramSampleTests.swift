import Domain
import Interchange
import Testing

/// Complete exports of other programs, imported twice and exported again.
struct ProgramSampleTests {
  private static func file(_ sample: ProgramSample) throws -> ForeignFile {
    var settings = ForeignSettings()
    settings.fileName = sample.fileName
    return try sample.format.read(Array(sample.text.utf8), settings)
  }

  @Test(arguments: ProgramSample.tables)
  func `Program samples: each table is recognised by its header and imported completely, once`(
    sample: ProgramSample
  ) throws {
    let file = try Self.file(sample)
    #expect(file.program == sample.program)
    #expect(file.skipped == [])
    var book = ForeignBook()
    #expect(book.take(file) == .init(added: sample.records.count))
    #expect(book.told == sample.records.sorted())
    #expect(book.take(file) == .init(same: sample.records.count))
    // The exported table has more values, such as creation times. Importing the table changes nothing visible.
    let before = book.shown
    let written = try book.written(.csv)
    #expect(try book.take(written, .csv).faults == [])
    #expect(book.shown == before)
    #expect(try book.written(.csv) == written)
    // The ids of this book differ from those of the first book.
    var other = try ForeignBook("")
    try other.take(written, .csv)
    // Records with the same creation time are ordered by id, so the lines are sorted.
    let lines = { (text: String) in text.split(separator: "\r\n").sorted() }
    #expect(lines(try other.written(.csv)) == lines(written))
  }

  @Test(arguments: ProgramSample.tables)
  func `Program samples: each table is recognised with other separators and from its text`(
    sample: ProgramSample
  ) throws {
    #expect(FileFormat.recognise(Array(sample.text.utf8), name: nil) == .csv)
    let bare = sample.text.replacing("\u{FEFF}", with: "")
    guard !bare.contains("\""), !bare.contains(";") else { return }
    var settings = ForeignSettings()
    settings.fileName = sample.fileName
    for separator in [";", "\t"] {
      let text = bare.replacing(",", with: separator)
      var book = ForeignBook()
      book.take(try FileFormat.csv.read(Array(text.utf8), settings))
      #expect(book.told == sample.records.sorted())
    }
  }

  @Test func `Google Tasks: lists and tasks are imported completely, and only once`() throws {
    let sample = ProgramSample.googleTasks
    #expect(FileFormat.recognise(Array(sample.text.utf8), name: "Tasks.json") == .googleTasks)
    let file = try Self.file(sample)
    #expect(file.skipped == [])
    #expect(file.passedOver == [.emptyRow: 1, .deletedTask: 1])
    #expect(file.notes == [:])
    var book = ForeignBook()
    #expect(book.take(file) == .init(added: 3))
    #expect(book.toldWithLists == sample.records.sorted())
    let pay = try #require(book.document("Pay").flatMap { Todo($0) })
    #expect(pay.parent == book.document("Buy bread")?.key)
    #expect(book.take(file) == .init(same: 3))
    var settings = ForeignSettings()
    settings.takesDeleted = true
    #expect(try book.take(sample.text, .googleTasks, settings) == .init(added: 1, same: 3))
    #expect(book.document("Gone")?.isAlive == false)
  }

  @Test func `Google Tasks: an invalid task is reported and the others are imported`() throws {
    let tasks = [
      #"{"id":"a","title":"x","status":"odd"}"#, #"{"title":"no id"}"#, #"{"id":"b","notes":"n"}"#,
      #"{"id":"c","title":"y","due":"soon"}"#, #"{"id":"d","title":"good","starred":true}"#, "7",
      #"{"id":"d","title":"twice"}"#,
    ]
    let text = #"{"kind":"tasks#tasks","items":[\#(tasks.joined(separator: ","))]}"#
    let file = try FileFormat.googleTasks.read(Array(text.utf8))
    #expect(file.records.map(\.uid) == ["d"])
    #expect(file.records.map(\.extra) == [["starred": "true"]])
    #expect(
      file.faults == [
        .path("items[0]"): .unreadable(field: "status", "odd"), .path("items[1]"): .missing("id"),
        .path("items[2]"): .missing("title"),
        .path("items[3]"): .unreadable(field: "due", "soon"),
        .path("items[5]"): .broken("it is not a JSON object"),
        .path("items[6]"): .broken("an earlier task has the same id"),
      ])
    for other in ["[]", "{}", #"{"kind":"other","items":[]}"#] {
      #expect(throws: ForeignFault.notOfFormat(.googleTasks)) {
        try FileFormat.googleTasks.read(Array(other.utf8))
      }
    }
    #expect(
      try FileFormat.googleTasks.read(Array(#"{"kind":"tasks#taskLists"}"#.utf8)).records == [])
    #expect(throws: ForeignFault.broken("its items are not an array")) {
      try FileFormat.googleTasks.read(Array(#"{"kind":"tasks#tasks","items":7}"#.utf8))
    }
    #expect(throws: ForeignFault.broken("the JSON ends too early")) {
      try FileFormat.googleTasks.read(Array("{".utf8))
    }
  }
}

extension ForeignBook {
  /// The to-dos and people of the book, one per sorted line.
  var told: [String] {
    let todos = records.documents(.todo).filter(\.isAlive).compactMap { document in
      Todo(document).map { line($0, document) }
    }
    let people = records.documents(.birthday).filter(\.isAlive).compactMap { document in
      Birthday(document).map { person in
        let name = [person.firstName, person.lastName].compactMap(\.self).joined(separator: " ")
        return name + (person.birthdate.map { " " + $0.iso } ?? "") + rest(of: document, " ")
      }
    }
    return (todos + people).sorted()
  }

  /// The to-dos, people and lists of the book, one per sorted line.
  var toldWithLists: [String] {
    let lists = records.documents(.list).filter(\.isAlive).compactMap(TodoList.init)
    return (told + lists.map { "list \($0.name)" }).sorted()
  }

  /// A to-do in the form `[x] Mop, on Home, due 2026-12-01, done 2026-11-02, high, #a #b: note`.
  private func line(_ todo: Todo, _ document: Document) -> String {
    var parts = ["[\(todo.isDone ? "x" : " ")] \(todo.title)"]
    let list = document.value(Field.Todo.list).reference.flatMap(records.document)
    if let list { parts.append("on \(list.text(Field.List.name) ?? "")") }
    if let due = todo.due { parts.append("due \(due.iso)") }
    if todo.isDone, let completed = todo.completedAt {
      // A completion time that the file lacks is the time of the import, which is early in 1970 in these tests.
      let isTold = completed > 1_000_000_000_000 && completed != todo.createdAt
      parts.append("done " + (isTold ? CivilDate(ofInstant: completed)?.iso ?? "" : "now"))
    }
    if todo.priority != .normal { parts.append(todo.priority == .high ? "high" : "low") }
    return parts.joined(separator: ", ") + rest(of: document, ", ")
  }

  private func rest(of document: Document, _ separator: String) -> String {
    let tags = document.tags.map { "#" + $0 }.joined(separator: " ")
    let note = document.note.map { ": " + $0.replacing("\n", with: " / ") } ?? ""
    return (tags.isEmpty ? "" : separator + tags) + note
  }
}
