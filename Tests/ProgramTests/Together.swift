import PosixPlatform
import Synchronization

/// Runs tasks on two threads, because each task waits for processes.
///
/// - Returns: The results of all tasks, in any order.
func together(
  _ pieces: [@Sendable () throws -> [String]]
) async -> [String] {
  let state = Together(pieces)
  return await withCheckedContinuation { continuation in
    for _ in 0..<2 {
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
    var results: [String] = []
    var threads = 2
  }

  private let state: Mutex<State>

  init(_ pieces: [@Sendable () throws -> [String]]) { state = Mutex(State(pieces: pieces[...])) }

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
