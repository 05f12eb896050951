import Daybook
import Platform
import ReadModel
import Testing

/// Acknowledged changes survive any crash, and the next command works.
struct OrdealTests {
  private static let stick = Path("/stick")
  private static let import3 = Array(
    """
    {"op": "add", "kind": "birthday", "id": "a", "firstName": "Ada"}
    {"op": "add", "kind": "birthday", "id": "b", "firstName": "Bob"}
    {"op": "edit", "kind": "birthday", "id": "b", "set": {"firstName": "Bea"}}
    """.utf8)

  /// A book with two lists, written by two processes.
  private static func twoLists(_ desk: Desk) throws {
    _ = try desk.found().commands.perform(.addList(name: "Home", colour: nil))
    _ = try desk.open().commands.perform(.addList(name: "Work", colour: nil))
  }

  /// Puts the book of another machine on the stick, which has joined this machine's book or founded its own.
  private static func fillStick(_ desk: Desk, joinedTo book: Bool) throws {
    let other = try Desk(seed: 999)
    if book {
      _ = try desk.open().replicator.sync(with: .directory(stick))
      try other.take(stick, from: desk)
      let (joined, _) = try BookFactory.join(
        at: Desk.folder, from: .directory(stick), on: other.machine, deviceName: "other",
        view: .memory, confirm: { _ in true })
      _ = try joined.commands.perform(.addList(name: "Far", colour: nil))
      _ = try joined.replicator.sync(with: .directory(stick))
    } else {
      let founded = try other.found("other")
      _ = try founded.commands.perform(.addList(name: "Far", colour: nil))
      _ = try founded.replicator.sync(with: .directory(stick))
    }
    try desk.take(stick, from: other)
  }

  private static func open(_ machine: Machine) throws -> Book {
    try Book(at: Desk.folder, on: machine, view: .memory)
  }

  private static func join(_ machine: Machine) throws {
    _ = try BookFactory.join(
      at: Desk.folder, from: .directory(stick), on: machine, deviceName: "laptop",
      view: .memory, confirm: { _ in true })
  }

  static let ordeals = [
    Ordeal("founding") { _ in
    } act: {
      _ = try BookFactory.create(at: Desk.folder, on: $0, deviceName: "laptop", view: .memory)
    },
    Ordeal("a command", adds: ["New"], prepare: twoLists) {
      _ = try open($0).commands.perform(.addList(name: "New", colour: nil))
    },
    Ordeal("an import", adds: ["Ada", "Bea"], prepare: twoLists) {
      _ = try open($0).importer.importOperations(import3)
    },
    Ordeal("an undo", removes: ["Work"], prepare: twoLists) { _ = try open($0).undoEngine.undo() },
    Ordeal("a sync that takes", adds: ["Far"]) { desk in
      try twoLists(desk)
      try fillStick(desk, joinedTo: true)
    } act: {
      _ = try open($0).replicator.sync(with: .directory(stick), admission: .always)
    },
    Ordeal("a sync that gives", prepare: twoLists) {
      _ = try open($0).replicator.sync(with: .directory(stick))
    },
    Ordeal("joining", adds: ["Far"]) {
      try fillStick($0, joinedTo: false)
    } act: {
      try join($0)
    },
    Ordeal("joining with a book", adds: ["Far"]) { desk in
      try twoLists(desk)
      try fillStick(desk, joinedTo: false)
    } act: {
      try join($0)
    },
  ]

  @Test(arguments: ordeals, Ordeal.Blow.allCases)
  func `Crash safety: acknowledged changes survive a failure at any call of the disk`(
    ordeal: Ordeal, blow: Ordeal.Blow
  ) throws {
    try ordeal.suffer(blow, seed: 301)
  }
}

extension Desk {
  /// Copies a folder from another machine's disk, as if on a stick.
  func take(_ folder: Path, from other: Desk) throws {
    let (source, target) = (other.machine.disk, machine.disk)
    try target.makeDirectories(folder)
    for name in try source.list(folder) {
      let path = folder / name
      if try source.status(path)?.kind == .directory {
        try take(path, from: other)
      } else if try target.status(path) == nil {
        try target.replace(path, with: try source.contents(of: path, limit: 1 << 26))
      }
    }
  }
}
