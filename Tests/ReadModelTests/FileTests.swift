import Bytes
import Domain
import Foundation
import Platform
import PosixPlatform
import ReadModel
import SQLite
import Testing

/// Each test has its own folder, which is removed with the suite's instance.
@Suite final class FileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private var path: String { folder.appending(path: "read.sqlite").path }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // If this fails, only a temporary folder remains.
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `File: committed tables are read back after it is opened again`() throws {
    var log = try OneLog(.file(path))
    try log.todo("kept")
    let expected = try log.model.tableDump.dump()
    #expect(try ReadModel(.file(path)).tableDump.dump() == expected)
  }

  @Test func `File: a file built in one step equals tables filled in memory`() throws {
    let book = RandomBook(seed: 9, hasHoles: false, steps: 80)
    let counts = book.logs.map(\.count)
    let records = Records.fold(book.facts(upTo: counts), causality: book.causality(upTo: counts))
    try build(from: records, book.change(upTo: counts))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["read.sqlite"])
    let model = try ReadModel(.file(path))
    let digested = try book.built(upTo: counts)
    #expect(try model.stateDigest.digest(causality: records.causality) == records.digest())
    #expect(try digested.stateDigest.digest(causality: records.causality) == records.digest())
    #expect(try model.tableDump.dump() == digested.tableDump.dump())
    try model.check()
    #expect(throws: ReadModelError.disk(DiskError(.open, Path(path), .exists))) {
      try build(from: records, Change())
    }
    #expect(try ReadModel(.file(path)).tableDump.dump() == digested.tableDump.dump())
  }

  @Test func `File: a large file is the same when other threads make the rows`() throws {
    let records = Self.manyTodos()
    let change = Change(settings: ["count": [1]])
    let alone = try ReadModel.inMemory(from: records, change: change)
    try build(from: records, change)
    let model = try ReadModel(.file(path))
    #expect(try model.documents.counts().first { $0.kind == .todo }?.count == 2_228)
    #expect(try model.stateDigest.digest(causality: records.causality) == records.digest())
    #expect(try alone.stateDigest.digest(causality: records.causality) == records.digest())
    #expect(try model.tableDump.dump() == alone.tableDump.dump())
    try model.check()
  }

  @Test(arguments: [true, false])
  func `File: the ids of all living records are read ahead`(isBegun: Bool) throws {
    try build(from: Self.manyTodos(), Change())
    let model = try ReadModel(.file(path))
    let todos = try model.todos.todos()
    // If the helper thread has not begun, the caller reads the ids.
    let ahead = ReadAhead(in: path, beside: { if isBegun { $0() } }) {
      tables throws(ReadModelError) in try ReadModel(tables).documents.livingIDs()
    }
    let ids = ahead.awaited(by: Machine.system.timekeeper)
    #expect(ids == (isBegun ? todos.map(\.head.id).sorted() : nil))
    let wanted = todos.map(\.head.id)
    let names = try [
      model.documents.shortNames(of: wanted, among: ids), model.documents.shortNames(of: wanted),
    ]
    #expect(wanted.map(names[0].name) == wanted.map(names[1].name))
  }

  @Test(arguments: [0, 1, 2], [true, false])
  func `File: a long list is the same when it is read with a helper thread`(
    helper: Int, isAll: Bool
  ) throws {
    let helpers: [Machine.Beside] = [{ _ in }, { $0() }, SystemThread.start]
    try build(from: Self.manyTodos(), Change())
    let model = try ReadModel(.file(path))
    let filter = TodoFilter(includesClosed: isAll)
    let todos = try model.todos.todos(filter)
    #expect(todos.count == 2_228)
    #expect(try model.todos.todos(filter, beside: helpers[helper]) == todos)
  }

  @Test func `File: a long list read in two parts shows a single state`() throws {
    try build(from: Self.manyTodos(), Change())
    let model = try ReadModel(.file(path))
    let path = path
    let todos = try model.todos.todos(beside: { read in
      read()
      let other = try? Connection(.file(path, .readWriteCreate))
      try? other?.execute("UPDATE todo SET title = 'new ' || title")
    })
    #expect(todos.count == 2_228)
    #expect(todos.allSatisfy { $0.title?.hasPrefix("new ") == true })
  }

  private func build(from records: Records, _ change: Change) throws {
    try ReadModel.build(file: Path(path), from: records, change: change, on: .system)
  }

  /// 2,600 to-dos, every seventh of them deleted.
  private static func manyTodos() -> Records {
    var causality = Causality()
    let id = UniqueID(high: 0, low: 1)
    let log = causality.number(of: id, replica: id)
    var records = Records(causality: causality)
    func take(_ sequence: UInt64, _ body: Body) {
      let key = EventKey(log: log, sequence: sequence)
      let hash = UniqueID(high: sequence &* 0x9E37_79B9_7F4A_7C15, low: sequence)
      records.absorb(
        Fact(key: key, time: Int64(sequence), when: nil, hash: hash, body: body))
    }
    for sequence in UInt64(1)...2_600 {
      take(sequence, Body(.add, .kind(.todo), [Write(Field.Todo.title, .text("no. \(sequence)"))]))
    }
    for (place, target) in stride(from: UInt64(1), through: 2_600, by: 7).enumerated() {
      let key = EventKey(log: log, sequence: target)
      take(2_601 + UInt64(place), Body(.delete, .entity(key)))
    }
    return records
  }

  @Test func `File: a file that is not a database is unusable`() throws {
    try Data(repeating: 0x61, count: 40_000).write(to: URL(filePath: path))
    #expect(throws: ReadModelError.unusable(.notADatabase)) { try ReadModel(.file(path)) }
  }

  @Test func `File: a file from a different program or version is unusable`() throws {
    let connection = try Connection(.file(path, .readWriteCreate))
    try connection.execute("CREATE TABLE other (a)")
    #expect(throws: ReadModelError.unusable(.foreign)) { try ReadModel(.file(path)) }
    let second = path + "2"
    _ = try ReadModel(.file(second))
    // The same tables, filled by an older version of the program.
    let older = ReadModel.version - 1
    try Connection(.file(second, .readWriteCreate)).execute("PRAGMA user_version = \(older)")
    #expect(throws: ReadModelError.unusable(.otherVersion(older))) { try ReadModel(.file(second)) }
    try Connection(.file(second, .readWriteCreate)).execute("PRAGMA user_version = 77")
    #expect(throws: ReadModelError.unusable(.otherVersion(77))) { try ReadModel(.file(second)) }
    try Connection(.file(second, .readWriteCreate)).execute(
      "PRAGMA user_version = \(ReadModel.version); DROP TABLE todo")
    #expect(throws: ReadModelError.unusable(.damaged)) { try ReadModel(.file(second)) }
  }

  @Test func `File: damage inside is detected when it is read`() throws {
    try fill(path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    for index in 16_384..<bytes.count { bytes[index] = 0xFF }
    try bytes.write(to: URL(filePath: path))
    #expect(throws: ReadModelError.unusable(.damaged)) {
      let model = try ReadModel(.file(path))
      _ = try model.todos.todos()
      try model.check()
    }
  }

  @Test func `File: an unreadable state is reported as damage`() throws {
    var log = try OneLog(.file(path))
    let todo = try log.todo("one")
    try Connection(.file(path, .readWriteCreate)).execute(
      "UPDATE entity SET state = x'8601'")
    let (model, causality) = (log.model, log.causality)
    #expect(throws: ReadModelError.unusable(.damaged)) {
      try model.records.hydrate([todo], causality: causality)
    }
  }

  @Test func `Commit: a failed commit changes nothing`() throws {
    var log = try OneLog()
    try log.todo("one")
    let before = try log.model.tableDump.dump()
    let late = Sighting(event: EventKey(log: 0, sequence: 1), other: 1, upTo: 3)
    let (model, causality) = (log.model, log.causality)
    #expect(throws: ReadModelError.needsRefold) {
      var hydrated = Hydrated(Records(causality: causality))
      try model.writer.commit(&hydrated, change: Change(seen: [late], settings: ["a": [1]]))
    }
    #expect(try log.model.tableDump.dump() == before)
  }

  @Test func `Commit: a failed commit can be repeated with the same records`() throws {
    var log = try OneLog()
    let todo = try log.todo("one")
    let fact = Fact(
      key: EventKey(log: 0, sequence: 2), time: 20, when: nil, hash: UniqueID(high: 2, low: 2),
      body: Body(.edit, .entity(todo), [Write(Field.Todo.title, .text("two"))]))
    var hydrated = try log.model.records.hydrate([fact], causality: log.causality)
    hydrated.records.apply(fact)
    let positions = try log.model.logs.positions()
    #expect(throws: ReadModelError.stale) {
      try log.model.writer.commit(&hydrated, change: Change(), expecting: [])
    }
    #expect(try log.titles() == ["one"])
    try log.model.writer.commit(&hydrated, change: Change(), expecting: positions)
    #expect(try log.titles() == ["two"])
  }

  @Test func `Copy: an existing file is kept and reported`() throws {
    var log = try OneLog(.file(path))
    try log.todo("one")
    for bytes in [[UInt8](), [1, 2, 3]] {
      let other = path + "-\(bytes.count)"
      try Data(bytes).write(to: URL(filePath: other))
      #expect(throws: ReadModelError.disk(DiskError(.open, Path(other), .exists))) {
        try log.model.copy(to: Path(other), on: .system)
      }
      #expect(try Data(contentsOf: URL(filePath: other)) == Data(bytes))
    }
    let copy = path + "-copy"
    try log.model.copy(to: Path(copy), on: .system)
    let expected = try log.model.tableDump.dump()
    #expect(try ReadModel(.file(copy)).tableDump.dump() == expected)
  }

  private func fill(_ path: String) throws {
    var log = try OneLog(.file(path))
    for number in 0..<60 { try log.todo("to-do \(number)") }
  }
}
