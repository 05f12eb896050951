import Daybook
import Phrasing
import Platform
import Synchronization

/// Serves a book of the demonstration while the other machine connects to it.
final class DemoServer: Sendable {
  private struct State {
    var port: UInt16?
    var failure: Told?
    var isStopping = false
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let folder: Path
  private let machine: Machine

  init(_ folder: Path, on machine: Machine) {
    self.folder = folder
    self.machine = machine
  }

  private static let patienceMilliseconds: Int64 = 10_000

  /// Starts listening on another thread, and returns the port number.
  func start(
    _ beside: (@escaping @Sendable () -> Void) -> Void, patience: any Timekeeper
  ) throws -> UInt16 {
    beside { self.serve() }
    let deadline = patience.monotonicMilliseconds() + Self.patienceMilliseconds
    while patience.monotonicMilliseconds() < deadline {
      if let port = state.withLock({ $0.port }) { return port }
      if let failure = state.withLock({ $0.failure }) {
        throw ConsoleError.demoFailed(step: "", found: failure.text)
      }
      patience.pause(milliseconds: 5)
    }
    throw ConsoleError.demoFailed(step: "", found: "The server did not start in time.")
  }

  /// Asks the server to stop, and waits at most 10 seconds for it to end.
  func stop(patience: any Timekeeper) {
    state.withLock { $0.isStopping = true }
    let deadline = patience.monotonicMilliseconds() + Self.patienceMilliseconds
    while !state.withLock({ $0.hasEnded }), patience.monotonicMilliseconds() < deadline {
      patience.pause(milliseconds: 5)
    }
  }

  private func serve() {
    defer { state.withLock { $0.hasEnded = true } }
    do throws(DaybookError) {
      try LiveService(of: Book(at: folder, on: machine)).serve(
        host: "127.0.0.1", port: 0, ready: { port in state.withLock { $0.port = port } },
        tell: { _ in }, until: { state.withLock { $0.isStopping } })
    } catch {
      state.withLock { $0.failure = error.told }
    }
  }
}
