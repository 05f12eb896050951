import Bytes
import Domain
import Interchange
import Testing

/// Single dates of recurring tasks in files of Taskwarrior that lack the recurring tasks themselves.
struct TaskwarriorDateTests {
  private static func uuid(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }

  private static func template(_ status: String = "recurring") -> String {
    #"{"description":"Mop","due":"20261123T000000Z","entry":"20261101T080000Z","recur":"weekly","status":"\#(status)","uuid":"\#(uuid(1))"}"#
  }

  /// A date of the recurring task.
  private static func date(_ index: Int, due: String, _ members: String) -> String {
    #"{"description":"Mop","due":"\#(due)","entry":"20261101T080000Z","imask":\#(index),"parent":"\#(uuid(1))","recur":"weekly",\#(members),"uuid":"\#(uuid(index + 2))"}"#
  }

  private static let open = date(0, due: "20261123T000000Z", #""status":"pending""#)
  private static let done = date(
    0, due: "20261123T000000Z", #""end":"20261124T101500Z","status":"completed""#)

  private static func file(_ tasks: String...) throws -> ForeignFile {
    try FileFormat.taskwarrior.read(Array(tasks.joined(separator: "\n").utf8))
  }

  @Test(arguments: [[], [template("deleted")]])
  func `Taskwarrior dates: a date without its recurring task is a to-do that does not repeat`(
    others: [String]
  ) throws {
    let later = Self.date(
      1, due: "20261130T170000Z", #""end":"20261130T180000Z","status":"completed""#)
    let text = (others + [Self.open, later]).joined(separator: "\n")
    let file = try FileFormat.taskwarrior.read(Array(text.utf8))
    #expect(file.passedOver == (others.isEmpty ? [:] : [.deletedTask: 1]))
    #expect(file.remarks.map(\.note) == [.seriesAbsent, .seriesAbsent])
    var book = ForeignBook()
    #expect(book.take(file) == .init(added: 2))
    #expect(
      Set(book.shown) == [
        #"{"kind":"todo","title":"Mop","due":"2026-11-23"}"#,
        #"{"kind":"todo","title":"Mop","done":true,"completedAt":1796061600000,"due":"2026-11-30","dueTime":1020}"#,
      ])
    #expect(book.take(file) == .init(same: 2))
  }

  @Test func `Taskwarrior dates: a date without its recurring task is exported as it was`() throws {
    var book = ForeignBook()
    book.take(try Self.file(Self.open))
    let tasks = try JSON(parsing: Array(try book.written(.taskwarrior).utf8)).array ?? []
    let names = ["uuid", "status", "due", "imask", "parent", "recur"]
    let told = tasks.map { task in
      names.map { name in task[name].map { $0.string ?? $0.text() } ?? "-" }
    }
    #expect(told == [[Self.uuid(2), "pending", "20261123T000000Z", "0", Self.uuid(1), "weekly"]])
  }

  @Test func `Taskwarrior dates: a date of a series that the book has is an occurrence`() throws {
    var book = ForeignBook()
    book.take(try Self.file(Self.template(), Self.open))
    #expect(book.take(try Self.file(Self.open)) == .init(same: 1))
    #expect(book.repeating("Mop") == "FREQ=WEEKLY from 2026-11-23: 2026-11-23")
    #expect(book.take(try Self.file(Self.done)) == .init(edited: 1))
    #expect(book.take(try Self.file(Self.done)) == .init(same: 1))
    #expect(
      book.repeating("Mop")
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-24")
    #expect(book.records.documents(.todo).count { !$0.isOccurrence } == 1)
  }

  @Test func `Taskwarrior dates: a date that became a to-do stays a to-do beside its series`()
    throws
  {
    var book = ForeignBook()
    book.take(try Self.file(Self.done))
    let whole = try Self.file(
      Self.template().replacing("Mop", with: "Mop the floor"), Self.done)
    #expect(book.take(whole) == .init(added: 1))
    #expect(
      book.repeating("Mop the floor")
        == "FREQ=WEEKLY from 2026-11-23: 2026-11-30; 2026-11-23 done 2026-11-24 'Mop'")
    #expect(book.todo("Mop")?.value(Field.Todo.done) == .boolean(true))
  }
}
