import Daybook
import Platform
import PosixPlatform
import Synchronization
import Syncing

/// Measures devices that receive a whole large book from another device in one sync over TLS.
struct FullSync {
  /// The cost of the sync for one device.
  struct Part {
    /// The time in milliseconds until all events were received, verified and durable.
    let storing: Double
    /// The time in milliseconds until the sync was complete, including the fold and the receipt.
    let whole: Double
    /// The CPU time of the sync, in milliseconds.
    let working: Double
    let receivedBytes: Double
  }

  private let large: LargeBook
  private let others: [Book]

  /// Creates devices that join an empty book, and then fills the book with the workload.
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

  /// Removes all files of the measurement.
  func remove() throws { try large.remove() }

  private func sync(_ book: Book, with port: UInt16) throws -> Part {
    let clock = ContinuousClock()
    let start = clock.now
    var end = start
    var isTalking = false
    book.progress.onProgress = { progress in
      // The work after the transfer reports its progress in the same way, so only the end of the transfer is recorded.
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

/// Serves a book on a separate thread, as another process would.
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
      // If serving fails, the sync reports that it cannot connect.
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
