import Foundation
import PosixPlatform
import Synchronization

/// Runs tasks on one more thread than there are processors, because each task waits for processes.
///
/// - Returns: The results of all tasks, in any order.
func together(
  _ pieces: [@Sendable () throws -> [String]]
) async -> [String] {
  let threads = ProcessInfo.processInfo.activeProcessorCount + 1
  let state = Together(pieces, threads: threads)
  return await withCheckedContinuation { continuation in
    for _ in 0..<threads {
      SystemThread.start {
        while let piece = state.next() {
          do {
            state.add(try piece())
          } catch {
            state.add(["\(error)"])
          }
        }
        if let results = state.leave() { continuation.resume(returning: results) }
      }
    }
  }
}

private final class Together: Sendable {
  private struct State {
    var pieces: ArraySlice<@Sendable () throws -> [String]>
    var threads: Int
    var results: [String] = []
  }

  private let state: Mutex<State>

  init(_ pieces: [@Sendable () throws -> [String]], threads: Int) {
    state = Mutex(State(pieces: pieces[...], threads: threads))
  }

  func next() -> (@Sendable () throws -> [String])? { state.withLock { $0.pieces.popFirst() } }

  func add(_ results: [String]) { state.withLock { $0.results += results } }

  /// Ends the work of one thread.
  ///
  /// - Returns: All results, for the last thread.
  func leave() -> [String]? {
    state.withLock { state in
      state.threads -= 1
      return state.threads == 0 ? state.results : nil
    }
  }
}
