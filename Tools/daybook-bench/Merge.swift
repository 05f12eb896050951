import Bytes
import Daybook
import Domain
import Glibc
import Platform
import PosixPlatform
import ReadModel
import Synchronization
import Syncing

/// Two devices of one large book that both have written, and what it costs to bring them together.
struct Merge {
  private let large: LargeBook
  private var other: OtherDevice
  private var own: OtherDevice
  private var chance = Chance()

  init(of workload: Workload, in folder: Path) throws {
    large = try LargeBook(of: workload, in: folder)
    var other = try OtherDevice(of: large)
    own = try other.opposite()
    self.other = other
  }

  func remove() throws { try large.remove() }

  /// Milliseconds of a process that syncs with one that serves, from its start to its end.
  ///
  /// Each device has carried out a hundred commands since they last met.
  mutating func cold(turns: Int) throws -> Double {
    let server = try ServerProcess(of: large.folder / "book", large.program)
    defer { server.stop() }
    let words = ["-C", (large.folder / "other").string, "sync", "tcp://\(server.place)"]
    var taken: [Double] = []
    for _ in 0..<turns {
      try own.write(100, &chance)
      try other.write(100, &chance)
      // The server hears of what another process has written on its side, and comes to rest.
      large.machine.timekeeper.pause(milliseconds: 500)
      taken.append(try milliseconds { try large.program.run(words) })
    }
    return median(taken)
  }

  /// Milliseconds from when both have written until both show what the other wrote, and the bytes that go over the
  /// line meanwhile.
  ///
  /// They stay in touch. Each device carries out one command on a hundred to-dos.
  mutating func warm(turns: Int) throws -> (milliseconds: Double, bytes: Int) {
    let (one, two) = (LiveSide(), LiveSide())
    defer { for side in [one, two] { side.stop() } }
    let port = one.serve(large.folder / "book", on: large.machine)
    guard port > 0 else { throw BenchFailure.live }
    two.follow(large.folder / "other", port: port, on: large.machine)
    try two.wait(for: 1)
    var (taken, bytes): ([Double], [Int]) = ([], [])
    for _ in 0..<turns {
      large.machine.timekeeper.pause(milliseconds: 300)
      let sides = [one, two].map { ($0, $0.events) }
      let before = two.bytes
      try own.tick(100, &chance)
      try other.tick(100, &chance)
      let start = LiveSide.now
      for (side, events) in sides { try side.wait(for: events + 100) }
      taken.append(Double((sides.map(\.0.lastNews).max() ?? 0) - start) / 1e6)
      large.machine.timekeeper.pause(milliseconds: 100)
      bytes.append(two.bytes - before)
    }
    return (median(taken), bytes.max() ?? 0)
  }
}

/// A program that serves a book until it is stopped.
private struct ServerProcess {
  private let process: pid_t
  /// Where it listens.
  let place: String

  init(of folder: Path, _ program: Program) throws {
    process = try program.start(
      ["-C", folder.string, "serve", "--listen", "127.0.0.1:0"])
    for _ in 0..<500 {
      if let endpoint = try Book(at: folder, on: .system).served() {
        place = endpoint.text
        return
      }
      Machine.system.timekeeper.pause(milliseconds: 20)
    }
    throw BenchFailure.live
  }

  func stop() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    _ = unsafe waitpid(process, &status, 0)
  }
}

/// One end of a line that stays open, with a thread and a book of its own.
private final class LiveSide: Sendable {
  private let isOver = Atomic(false)
  private let hasEnded = Atomic(false)
  private let port = Atomic<Int>(0)
  /// How many events have come and are shown, and when they last were.
  private let come = Atomic<Int>(0)
  private let time = Atomic<Int>(0)
  private let traffic = Atomic<Int>(0)

  var events: Int { come.load(ordering: .acquiring) }
  var lastNews: Int { time.load(ordering: .acquiring) }
  var bytes: Int { traffic.load(ordering: .acquiring) }

  /// Nanoseconds of a clock that only goes forward.
  static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  func serve(_ folder: Path, on machine: Machine) -> UInt16 {
    SystemThread.start { [self] in
      run(folder, on: machine) { book, tell in
        try book.serve(
          host: "127.0.0.1", port: 0,
          ready: { [self] in port.store(Int($0), ordering: .releasing) }, tell: tell,
          until: { [self] in isOver.load(ordering: .relaxed) })
      }
    }
    while port.load(ordering: .acquiring) == 0, !hasEnded.load(ordering: .acquiring) {
      machine.timekeeper.pause(milliseconds: 5)
    }
    return UInt16(port.load(ordering: .acquiring))
  }

  func follow(_ folder: Path, port: UInt16, on machine: Machine) {
    SystemThread.start { [self] in
      run(folder, on: machine) { book, tell in
        let contact = Contact(name: "bench", address: .tcp(host: "127.0.0.1", port: port))
        try book.follow([contact], tell: tell, until: { [self] in isOver.load(ordering: .relaxed) })
      }
    }
  }

  private func run(
    _ folder: Path, on machine: Machine, _ body: (Book, @escaping (LiveNews) -> Void) throws -> Void
  ) {
    defer { hasEnded.store(true, ordering: .releasing) }
    do {
      let book = try Book(at: folder, on: machine)
      book.noticesOthers = true
      try body(book) { [self] in note($0) }
    } catch {
      print("daybook-bench: \(error)")
    }
  }

  private func note(_ news: LiveNews) {
    switch news {
    case .met(_, let receipt), .news(_, let receipt):
      let events = receipt.received.reduce(0) { $0 + Int($1.events) }
      if let total = receipt.traffic {
        traffic.store(total.bytesSent + total.bytesReceived, ordering: .releasing)
      }
      if events > 0 { time.store(Self.now, ordering: .releasing) }
      // Having met counts for one, so that it can be waited for.
      var met = 0
      if case .met = news { met = 1 }
      come.add(events + met, ordering: .releasing)
    case .lost(_, let error, _), .failed(_, let error): print("daybook-bench: \(error)")
    case .turnedAway(_, let error): print("daybook-bench: \(error)")
    case .sent, .left: break
    }
  }

  /// Waits until so many events have come.
  func wait(for events: Int) throws {
    for _ in 0..<30_000 where self.events < events {
      guard !hasEnded.load(ordering: .acquiring) else { throw BenchFailure.live }
      Machine.system.timekeeper.pause(milliseconds: 1)
    }
    guard self.events >= events else { throw BenchFailure.live }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    while !hasEnded.load(ordering: .acquiring) {
      Machine.system.timekeeper.pause(milliseconds: 5)
    }
  }
}
