import Bytes
import Daybook
import Foundation
import Journaling
import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

/// Books that the library opens, joins and serves, and their witnesses in the state folder of the machine.
struct LibraryWitnessTests {
  /// A computer whose disk can be replaced by an old copy, except for its state folder.
  private final class Computer {
    static let folder = "/home/book"
    private static let state = Path("/state/daybook")
    private let simulated: SimulatedMachine
    private let stick: SimulatedDisk
    private var disk: SimulatedDisk

    init(_ name: String, seed: UInt64, stick: SimulatedDisk) throws {
      simulated = SimulatedMachine(seed: seed)
      (self.stick, disk) = (stick, simulated.disk)
      for folder in [Path("/etc"), MountedDisk.stick(0)] {
        try machine.disk.makeDirectories(folder)
      }
      try machine.disk.replace(Path("/etc/machine-id"), with: Array("\(name) \(seed)\n".utf8))
    }

    var machine: Machine {
      Machine(
        disk: MountedDisk(own: disk, sticks: [stick]), timekeeper: simulated.timekeeper,
        dice: simulated.dice, network: simulated.network, stateFolder: Self.state)
    }

    func open() throws -> Book { try Book.open(Self.folder, on: machine, device: "laptop") }

    func copyOfDisk() -> SimulatedDisk { disk.copy() }

    func restore(_ copy: SimulatedDisk) throws {
      let witnesses = disk.files.filter { $0.key.names(below: Self.state) != nil }
      disk = copy.copy()
      for (path, bytes) in witnesses {
        try disk.makeDirectories(path.parent)
        try machine.disk.replace(path, with: bytes)
      }
    }
  }

  private let stick = Book.Peer.folder(MountedDisk.stick(0).string)

  @Test(arguments: [false, true])
  func `Library: after an old copy has replaced the folder, no log forks and nothing is lost`(
    isJoined: Bool
  ) throws {
    let disk = SimulatedMachine(seed: 0).disk
    let other = try Computer("other", seed: 4_401, stick: disk)
    let laptop = try Computer("laptop", seed: 4_402, stick: disk)
    let first = try (isJoined ? other : laptop).open()
    try first.sync(with: stick)
    let joining = (isJoined ? laptop : other).machine
    let joined = try Book.join(stick, in: Computer.folder, on: joining, device: "joined")
    for book in [first, joined, first, joined] { try book.sync(with: stick, admitsAll: true) }
    let own = isJoined ? joined : first
    try own.addTodo("Sweep")
    let copy = laptop.copyOfDisk()
    try own.addTodo("Mop")
    try own.sync(with: stick)
    try laptop.restore(copy)
    try laptop.open().addTodo("Dust")
    let books = [try laptop.open(), try other.open()]
    for book in books + books { try book.sync(with: stick, admitsAll: true) }
    for book in books {
      #expect(book.core.store.journal.forks.isEmpty)
      #expect(try Set(book.todos().map(\.title)) == ["Sweep", "Mop", "Dust"])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `Library: a server, and a device that joins by invitation, keep their witnesses`()
    async throws
  {
    let place = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())").path()
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(atPath: place) }
    let machines = ["laptop", "phone"].map {
      Machine.real(keepingStateIn: Path("\(place)/state/\($0)"))
    }
    let laptop = try Book.open("\(place)/laptop", on: machines[0], device: "laptop")
    let (stream, told) = AsyncStream<BookServer.News>.makeStream()
    let server = laptop.server(port: 0)
    let serving = Task {
      defer { told.finish() }
      try await server.run { told.yield($0) }
    }
    var news = stream.makeAsyncIterator()
    guard case .listening? = await news.next(isolation: #isolation) else {
      Issue.record("it does not listen")
      return
    }
    // Admitting the device is a write of the server.
    let phone = try Book.join(
      by: try laptop.invite().code, in: "\(place)/phone", on: machines[1], device: "phone")
    serving.cancel()
    try await serving.value
    for (book, machine) in zip([laptop, phone], machines) {
      #expect(try book.todos() == [])
      let log = try #require(try book.deviceList.devices().first(where: \.isThis)).replica
      let folder = try #require(machine.stateFolder)
      let bytes = try machine.disk.contents(of: folder / log.hex, limit: 4096)
      let end = try #require(book.core.store.journal.logs[log])
      #expect(LocalDevice.witnessed(by: bytes)?.sequence == end.sequence)
      #expect(end.sequence > 1 || book === phone)
    }
  }

  @Test func `Machine: the state folder is that of the XDG specification`() {
    #expect(Path.stateFolder(state: "/var/ada", home: "/home/ada") == Path("/var/ada/daybook"))
    let inHome = Path("/home/ada/.local/state/daybook")
    #expect(Path.stateFolder(state: "state", home: "/home/ada") == inHome)
    #expect(Path.stateFolder(state: nil, home: "/home/ada") == inHome)
    #expect(Path.stateFolder(state: nil, home: "ada") == nil)
    #expect(Path.stateFolder(state: nil, home: nil) == nil)
  }
}
