import Bytes
import Daybook
import Domain
import Glibc
import Platform
import PosixPlatform
import ReadModel
import Synchronization
import Syncing

/// Measures the exchange of concurrent changes between two devices of one large book.
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

  /// The duration of a process that syncs with a server process, in milliseconds.
  ///
  /// Each device has run a hundred commands since the last sync.
  mutating func cold(turns: Int) throws -> Sample {
    let server = try ServerProcess(of: large.folder / "book", large.program)
    defer { server.stop() }
    let words = ["-C", (large.folder / "other").string, "sync", "tcp://\(server.place)"]
    var taken: [Double] = []
    for _ in 0...turns {
      try own.write(100, &chance)
      try other.write(100, &chance)
      // The server needs time to notice and process what has been written to its book.
      large.machine.timekeeper.pause(milliseconds: 500)
      taken.append(try milliseconds { try large.program.run(words) })
    }
    return Sample(Array(taken.dropFirst()))
  }

  /// The cost of an exchange between two devices that stay connected.
  struct Warm {
    /// The time in milliseconds from the writes until each device knows that the other has stored its events.
    let held: Sample
    /// The time in milliseconds until each device shows the other's events.
    let shown: Sample
    /// The number of bytes sent over the connection, in both directions.
    let bytes: Sample
  }

  /// Measures turns in which each device runs one command that changes a hundred to-dos.
  mutating func warm(turns: Int) throws -> Warm {
    let (one, two) = (LiveSide(), LiveSide())
    defer { for side in [one, two] { side.stop() } }
    let port = one.serve(large.folder / "book", on: large.machine)
    guard port > 0 else { throw BenchFailure.live }
    two.follow(large.folder / "other", port: port, on: large.machine)
    try two.come.wait(for: 1)
    var taken: [(held: Double, shown: Double, bytes: Double)] = []
    for _ in 0...turns {
      large.machine.timekeeper.pause(milliseconds: 300)
      let counts = [one.come, two.come, one.gone, two.gone].map { ($0, $0.count) }
      let before = two.bytes
      try own.tick(100, &chance)
      try other.tick(100, &chance)
      let start = LiveSide.now
      for (events, count) in counts { try events.wait(for: count + 100) }
      large.machine.timekeeper.pause(milliseconds: 100)
      taken.append(
        (
          held: max(one.gone.time, two.gone.time).milliseconds(since: start),
          shown: max(one.come.time, two.come.time).milliseconds(since: start),
          bytes: Double(two.bytes - before)
        ))
    }
    taken.removeFirst()
    return Warm(
      held: Sample(taken.map(\.held)), shown: Sample(taken.map(\.shown)),
      bytes: Sample(taken.map(\.bytes)))
  }
}

extension Int {
  /// Returns the milliseconds between two times in nanoseconds.
  fileprivate func milliseconds(since start: Int) -> Double { Double(self - start) / 1e6 }
}

/// A process that serves a book until it is stopped.
private struct ServerProcess {
  private let process: pid_t
  /// The address at which the server listens.
  let place: String

  init(of folder: Path, _ program: Program) throws {
    process = try program.start(
      ["-C", folder.string, "serve", "--listen", "127.0.0.1:0"])
    for _ in 0..<500 {
      if let endpoint = try Book(at: folder, on: .bench).service.served() {
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

/// The number of events transferred in one direction, and the time of the last one.
private final class Passage: Sendable {
  private let passed = Atomic<Int>(0)
  private let last = Atomic<Int>(0)

  var count: Int { passed.load(ordering: .acquiring) }
  var time: Int { last.load(ordering: .acquiring) }

  func note(_ events: Int) {
    guard events > 0 else { return }
    last.store(LiveSide.now, ordering: .releasing)
    passed.add(events, ordering: .releasing)
  }

  /// Waits, for at most about 30 seconds, until the given number of events have been transferred.
  func wait(for events: Int) throws {
    for _ in 0..<30_000 where count < events { Machine.system.timekeeper.pause(milliseconds: 1) }
    guard count >= events else { throw BenchFailure.live }
  }
}

/// One end of a connection that stays open, with its own thread and book.
private final class LiveSide: Sendable {
  /// The number of the other side's events that are shown here.
  ///
  /// The first sync is counted as one event, so that callers can wait for it.
  let come = Passage()
  /// The number of events that the other side has confirmed as stored.
  let gone = Passage()
  private let isOver = Atomic(false)
  private let hasEnded = Atomic(false)
  private let port = Atomic<Int>(0)
  private let traffic = Atomic<Int>(0)

  var bytes: Int { traffic.load(ordering: .acquiring) }

  /// The time of a monotonic clock, in nanoseconds.
  static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  func serve(_ folder: Path, on machine: Machine) -> UInt16 {
    SystemThread.start { [self] in
      run(folder, on: machine) { book, tell in
        try LiveService(of: book).serve(
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
        try LiveService(of: book).follow(
          [contact], tell: tell, until: { [self] in isOver.load(ordering: .relaxed) })
      }
    }
  }

  private func run(
    _ folder: Path, on machine: Machine, _ body: (Book, @escaping (LiveNews) -> Void) throws -> Void
  ) {
    defer { hasEnded.store(true, ordering: .releasing) }
    do {
      let book = try Book(at: folder, on: machine)
      book.core.store.noticesOthers = true
      try body(book) { [self] in note($0) }
    } catch {
      print("daybook-bench: \(error)")
    }
  }

  private func note(_ news: LiveNews) {
    switch news {
    case .met(_, let receipt), .news(_, let receipt):
      if let total = receipt.traffic {
        traffic.store(total.bytesSent + total.bytesReceived, ordering: .releasing)
      }
      if case .met = news { come.note(1) }
      come.note(receipt.received.events)
    case .sent(_, let shares, _, _): gone.note(shares.events)
    case .lost(_, let error, _), .failed(_, let error): print("daybook-bench: \(error)")
    case .turnedAway(_, let error): print("daybook-bench: \(error)")
    case .left, .letIn, .stripped: break
    }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    while !hasEnded.load(ordering: .acquiring) {
      Machine.system.timekeeper.pause(milliseconds: 5)
    }
  }
}

extension [Receipt.Share] {
  fileprivate var events: Int { reduce(0) { $0 + Int($1.events) } }
}
