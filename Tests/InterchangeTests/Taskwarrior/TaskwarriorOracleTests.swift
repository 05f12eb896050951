import Bytes
import Domain
import Foundation
import Interchange
import Testing

/// Tasks written or read by Taskwarrior itself.
struct TaskwarriorOracleTests {
  private static let program = "/usr/bin/task"
  private static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  /// A Taskwarrior installation without tasks and with one user-defined attribute.
  private final class Warrior {
    let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let settings = """
        data.location=\(folder.path)
        confirmation=off
        verbose=nothing
        uda.estimate.type=numeric

        """
      try Data(settings.utf8).write(to: folder.appending(path: "taskrc"))
    }

    deinit {
      // If this fails, only a temporary folder remains.
      try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func run(_ words: String...) throws -> [UInt8] {
      let settings = folder.appending(path: "taskrc").path
      return try Oracle.run(
        program: TaskwarriorOracleTests.program, words,
        environment: ["TASKRC": settings, "HOME": folder.path, "TZ": "UTC"])
    }

    func take(_ bytes: [UInt8]) throws {
      let file = folder.appending(path: "tasks.json")
      try Data(bytes).write(to: file)
      try run("import", file.path)
    }
  }

  private static func tasks(_ bytes: [UInt8]) throws -> [String: [JSON.Member]] {
    var tasks: [String: [JSON.Member]] = [:]
    for task in try JSON(parsing: bytes).array ?? [] {
      // These attributes are derived or depend on the time of the export.
      let members = task.members?.filter { !["id", "urgency", "modified"].contains($0.name) } ?? []
      tasks[task["uuid"]?.string ?? ""] = members.sorted { $0.name < $1.name }
    }
    return tasks
  }

  @Test(.enabled(if: isInstalled, "taskwarrior is not installed"))
  func `Taskwarrior program: its tasks survive a book and return unchanged`() throws {
    let first = try Warrior()
    try first.run(
      "add", "Buy \"Eggos\" [x]", "project:Home.Kitchen", "priority:H", "due:2026-11-22", "+shop",
      "+food", "estimate:2.5")
    try first.run("add", "Pay rent")
    try first.run("add", "Ask", "depends:1", "wait:2037-01-01", "due:2026-11-22T13:30:00Z")
    try first.run("2", "done")
    try first.run("1", "annotate", "at the corner")
    let before = try first.run("export")
    var book = ForeignBook()
    #expect(book.take(try FileFormat.taskwarrior.read(before)) == .init(added: 3))
    #expect(book.document("Buy \"Eggos\" [x]").flatMap { Todo($0) }?.due?.iso == "2026-11-22")
    let second = try Warrior()
    try second.take(Array(try book.written(.taskwarrior).utf8))
    let after = try Self.tasks(try second.run("export"))
    for (uuid, members) in try Self.tasks(before) {
      #expect(JSON.object(after[uuid] ?? []) == .object(members))
    }
    #expect(after.count == 3)
  }

  @Test(.enabled(if: isInstalled, "taskwarrior is not installed"))
  func `Taskwarrior program: it reads to-dos of a book`() throws {
    let book = try ForeignBook(
      """
      {"op":"add","kind":"list","id":"h","name":"Home stuff"}
      {"op":"add","kind":"todo","id":"e","t":1795176000000,"title":"Buy: eggs +now @shop \\"x\\"","list":"h","due":"2026-11-22","note":"one\\ntwo"}
      {"op":"add","kind":"todo","id":"f","t":1795176000000,"title":"Find Mike","done":true,"completedAt":1795179600000,"priority":0}
      """)
    let warrior = try Warrior()
    try warrior.take(Array(try book.written(.taskwarrior).utf8))
    var other = ForeignBook()
    other.take(try FileFormat.taskwarrior.read(try warrior.run("export")))
    #expect(
      other.shown.map { $0.replacing(/"list":"[^"]+"/, with: "") }.sorted()
        == book.shown.map { $0.replacing(/"list":"[^"]+"/, with: "") }.sorted())
  }

  @Test(.enabled(if: isInstalled, "taskwarrior is not installed"))
  func
    `Taskwarrior program: a child that is done there is done here, and no export duplicates one`()
    throws
  {
    var book = ForeignBook(number: 1)
    try book.run(
      #"{"op":"add","kind":"todo","t":1795132800000,"id":"b","title":"Bins","due":"2037-01-05","repeat":"FREQ=WEEKLY"}"#
    )
    let warrior = try Warrior()
    func exported() throws -> [UInt8] {
      // Reports add missing children.
      try warrior.run("next")
      return try warrior.run("export")
    }
    try warrior.take(Array(try book.written(.taskwarrior).utf8))
    #expect(book.take(try FileFormat.taskwarrior.read(try exported())) == .init(same: 1))
    try warrior.take(Array(try book.written(.taskwarrior).utf8))
    #expect(try Self.tasks(try exported()).count == 2)
    try warrior.run("+CHILD", "done")
    #expect(
      book.take(try FileFormat.taskwarrior.read(try warrior.run("export"))) == .init(edited: 1))
    let told = try #require(book.repeating("Bins"))
    #expect(told.hasPrefix("FREQ=WEEKLY from 2037-01-05: 2037-01-12; 2037-01-05 done 2"), "\(told)")
    try warrior.take(Array(try book.written(.taskwarrior).utf8))
    #expect(try Self.tasks(try exported()).count == 3)
    #expect(book.take(try FileFormat.taskwarrior.read(try exported())) == .init(same: 1))
    #expect(book.repeating("Bins") == told)
  }
}
