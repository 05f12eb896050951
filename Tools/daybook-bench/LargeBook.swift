import Bytes
import Daybook
import Domain
import Interchange
import Journaling
import Platform
import PosixPlatform
import ReadModel
import Syncing

/// A book that contains a whole workload, with a current read model.
struct LargeBook {
  let machine = Machine.bench
  let folder: Path
  let book: Book
  /// A copy of the program in the same folder.
  let program: Program

  init(of workload: Workload, in parent: Path) throws {
    try self.init(in: parent)
    try fill(with: workload)
  }

  /// Creates an empty book.
  init(in parent: Path) throws {
    folder = BenchJournal.newFolder(in: parent, machine)
    try machine.disk.makeDirectories(folder)
    program = try Program(copiedTo: folder, on: machine.disk)
    book = try BookFactory.create(at: folder / "book", on: machine, deviceName: "bench")
  }

  /// Imports a whole workload, compacts the logs, and updates the read model.
  ///
  /// - Returns: The duration of the import in milliseconds, without the compaction.
  @discardableResult
  func fill(with workload: Workload) throws -> Double {
    let taken = try milliseconds {
      let report = try book.importer.importOperations(
        workload.lines, ImportOptions(keepsUIDs: true, isStrict: false))
      guard report.skipped.isEmpty else { throw BenchFailure.skippedLines(report.skipped.count) }
    }
    _ = try book.healer.compact()
    _ = try book.view()
    return taken
  }

  /// The size of the book without the view, in bytes per imported operation.
  func bytesPerOperation(of workload: Workload) throws -> Double {
    let byteCount = try machine.disk.byteCount(in: folder / "book", except: "view.sqlite")
    return Double(byteCount) / Double(workload.count)
  }

  /// The number of events in all logs.
  var eventCount: UInt64 {
    book.replica.hello.frontier.places.reduce(0) { $0 + $1.sequence }
  }

  /// Adds a device to the book, which receives all events that the book contains so far.
  func admittedDevice(_ name: String) throws -> Book {
    try machine.disk.makeDirectories(folder / "stick")
    let stick = PeerAddress.directory(folder / "stick")
    _ = try book.replicator.sync(with: stick)
    let other = try BookFactory.join(
      at: folder / name, from: stick, on: machine, deviceName: name, confirm: { _ in true }
    ).book
    _ = try book.replicator.sync(with: stick, admission: .always)
    _ = try other.replicator.sync(with: stick)
    return other
  }

  func remove() throws { try machine.disk.removeAll(folder) }

  /// Returns the duration and CPU time of a process that lists 50 to-dos, in milliseconds.
  func listing() throws -> (whole: Sample, working: Sample) {
    let words = ["-C", (folder / "book").string, "list", "todos", "--limit", "50"]
    return try program.typicalMilliseconds(words, runs: 100)
  }
}

/// A second device of a large book, which writes events for the first device to receive.
struct OtherDevice {
  let here: Book
  private let there: Book
  private let replica: UniqueID
  private var todos: [UniqueID]
  private var done: Set<UniqueID>
  private let list: UniqueID?
  private var isTicking = false

  init(of large: LargeBook) throws {
    try self.init(here: large.book, there: try large.admittedDevice("other"))
  }

  /// Creates a writer in the book `there`, whose events are received in the book `here`.
  private init(here: Book, there: Book) throws {
    (self.here, self.there) = (here, there)
    replica = there.replica.hello.replica
    let rows = try there.view().todos.todos()
    todos = rows.map(\.head.id)
    done = Set(rows.filter(\.isDone).map(\.head.id))
    list = try there.view().lists.lists().first?.head.id
  }

  /// Writes events on the second device, in a typical mix.
  mutating func write(_ count: Int, _ chance: inout Chance) throws {
    for number in 0..<count {
      let todo = todos[chance.below(todos.count)]
      switch number % 10 {
      case 0..<3:
        let title = "take \(chance.hex(4)) to \(chance.hex(5))"
        let place = list.map(Request.ListChoice.existing) ?? Request.ListChoice.none
        _ = try there.commands.perform(.addTodo(title: title, list: place, priority: 1, due: nil))
      case 3:
        _ = try there.commands.perform(
          .addBirthday(firstName: chance.hex(5), lastName: chance.hex(6), birthdate: nil))
      case 4..<6:
        let title = Value.text("call \(chance.hex(6))")
        _ = try there.commands.perform(.edit(todo, [.init(Field.Todo.title, .value(title))]))
      default:
        let isDone = done.remove(todo) == nil
        if isDone { done.insert(todo) }
        _ = try there.commands.perform(.setDone([todo], isDone))
      }
    }
  }

  /// Returns a writer on the first device, for the opposite direction.
  ///
  /// Each device then changes its own half of the to-dos.
  mutating func opposite() throws -> OtherDevice {
    var opposite = try OtherDevice(here: there, there: here)
    opposite.todos = opposite.todos.indices.filter { $0 % 2 == 0 }.map { opposite.todos[$0] }
    let left = Set(opposite.todos)
    todos.removeAll(where: left.contains)
    return opposite
  }

  /// Marks `count` to-dos as done in one command; every second call marks them as open.
  mutating func tick(_ count: Int, _ chance: inout Chance) throws {
    isTicking.toggle()
    var chosen: Set<UniqueID> = []
    while chosen.count < count {
      let todo = todos[chance.below(todos.count)]
      if done.contains(todo) != isTicking { chosen.insert(todo) }
    }
    _ = try there.commands.perform(.setDone(chosen.sorted(), isTicking))
    if isTicking { done.formUnion(chosen) } else { done.subtract(chosen) }
  }

  /// Measures the time that the first device takes to store the new frames and update its read model, in milliseconds.
  func apply() throws -> Double {
    var frames: [[UInt8]] = []
    try BookReplica(of: there.replica).forEachFrame(
      of: replica, lackedBy: here.replica.hello.frontier.places
    ) {
      frames.append($0)
    }
    let guest = BookReplica(of: here.replica)
    return try milliseconds {
      for frame in frames { try guest.stage(frame, of: replica) }
      _ = try guest.commit()
      _ = try here.view()
    }
  }

  /// Measures a whole sync with a bundle file, including the receipt, in milliseconds.
  func sync(by file: Path) throws -> Double {
    _ = try there.replicator.writeBundle(to: file, since: "bench")
    return try milliseconds { _ = try here.replicator.sync(with: .file(file)) }
  }
}
