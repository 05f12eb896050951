import Foundation
import Platform
import PosixPlatform
import Synchronization

/// A device that adds a record and syncs repeatedly during a test.
final class HonestPeer: Sendable {
  /// The results so far.
  struct Account: Sendable {
    var titles: [String] = []
    /// The duration of the slowest sync.
    var longestMilliseconds: Int64 = 0
    var faults: [String] = []
  }

  private struct State {
    var account = Account()
    var isStopping = false
    var hasStopped = false
  }

  private let state = Mutex(State())

  init(_ program: Program, list: String) {
    SystemThread.start { [self] in
      // The peer also syncs once if it is stopped before its thread begins.
      repeat { goOnce(program, list) } while !state.withLock { $0.isStopping }
      state.withLock { $0.hasStopped = true }
    }
  }

  private func goOnce(_ program: Program, _ list: String) {
    let title = "honest \(state.withLock { $0.account.titles.count })"
    let clock = SystemTimekeeper()
    do {
      let added = try program.run("add", "todo", title, "--list", list).code
      let start = clock.monotonicMilliseconds()
      let (synced, told) = try sync(program)
      let took = clock.monotonicMilliseconds() - start
      state.withLock { state in
        state.account.titles.append(title)
        state.account.longestMilliseconds = max(state.account.longestMilliseconds, took)
        if (added, synced) != (0, 0) { state.account.faults.append("\(title): \(told)") }
      }
    } catch {
      state.withLock { $0.account.faults.append("\(error)") }
    }
  }

  /// Syncs with all peers, and returns the exit code and output.
  private func sync(_ program: Program) throws -> (code: Int32, told: String) {
    let pipe = Pipe()
    let process = try program.process(["sync"], output: pipe)
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  /// Waits for the current step, and returns the results.
  func stop() -> Account {
    state.withLock { $0.isStopping = true }
    while !state.withLock({ $0.hasStopped }) { SystemTimekeeper().pause(milliseconds: 10) }
    return state.withLock { $0.account }
  }
}
