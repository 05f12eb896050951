import Daybook
import Platform
import PosixPlatform
import Synchronization
import Syncing

/// Devices that take in a whole large book from another one at once, by TLS.
struct FullSync {
  /// What one of them takes.
  struct Part {
    /// Milliseconds until all was received, verified and durable.
    let storing: Double
    /// Milliseconds until it was folded and told, too.
    let whole: Double
    /// Milliseconds for which it was working until then.
    let working: Double
    let receivedBytes: Double
  }

  private let large: LargeBook
  private let others: [Book]

  /// Makes some devices that know the book before all that is in it was written.
  init(of workload: Workload, in parent: Path, devices: Int) throws {
    large = try LargeBook(in: parent)
    others = try (0..<devices).map { [large] in try large.admittedDevice("other \($0)") }
    try large.fill(with: workload)
  }

  /// Lets each device sync once.
  func run() throws -> [Part] {
    let server = Server(of: large)
    let port = server.start()
    defer { server.stop() }
    return try others.map { try sync($0, with: port) }
  }

  /// Leaves nothing behind.
  func remove() throws { try large.remove() }

  private func sync(_ book: Book, with port: UInt16) throws -> Part {
    let clock = ContinuousClock()
    let start = clock.now
    var end = start
    var isTalking = false
    book.progress.onProgress = { progress in
      // What is worked at afterwards tells of itself in the same way.
      if isTalking, progress == nil { end = clock.now }
      isTalking = progress?.work == .sync
    }
    var result: Receipt?
    let working = try workingMilliseconds {
      result = try book.replicator.sync(with: .tcp(host: "127.0.0.1", port: port))
    }
    let whole = clock.now - start
    guard let receipt = result, receipt.digest == (try large.book.statusReader.digest()) else {
      throw BenchFailure.differs
    }
    return Part(
      storing: (end - start).inMilliseconds, whole: whole.inMilliseconds, working: working,
      receivedBytes: Double(receipt.traffic?.bytesReceived ?? 0))
  }
}

/// Serves a book on a thread of its own, as another process would.
private final class Server: Sendable {
  private let folder: Path
  private let machine: Machine
  private let port = Atomic<Int>(0)
  private let isOver = Atomic(false)
  private let hasEnded = Atomic(false)

  init(of large: LargeBook) { (folder, machine) = (large.folder / "book", large.machine) }

  /// Begins to serve, and returns the port.
  func start() -> UInt16 {
    SystemThread.start { [self] in
      // Who syncs finds nobody there, and says so.
      try? serve()
      hasEnded.store(true, ordering: .releasing)
    }
    while port.load(ordering: .acquiring) == 0, !hasEnded.load(ordering: .acquiring) { pause() }
    return UInt16(port.load(ordering: .acquiring))
  }

  func stop() {
    isOver.store(true, ordering: .releasing)
    while !hasEnded.load(ordering: .acquiring) { pause() }
  }

  private func serve() throws {
    let book = try Book(at: folder, on: machine)
    try LiveService(of: book).serve(
      host: "127.0.0.1", port: 0,
      ready: { port.store(Int($0), ordering: .releasing) }, tell: { _ in },
      until: { isOver.load(ordering: .acquiring) })
  }

  private func pause() { machine.timekeeper.pause(milliseconds: 1) }
}

extension Duration {
  var inMilliseconds: Double {
    Double(components.seconds) * 1_000 + Double(components.attoseconds) * 1e-15
  }
}
