import ReadModel
import Synchronization

/// The part of a feed that does not depend on the type of rows.
protocol Feeding: AnyObject, Sendable {
  /// Whether the feed has followers.
  var isWanted: Bool { get }
  /// Whether the feed has never been read.
  var isNew: Bool { get }
  /// Updates the result from a read model, and wakes waiting followers.
  ///
  /// This function must not be called concurrently.
  func refresh(from model: ReadModel, touched: Touched) throws(DaybookError)
  /// Ends the feed with an error.
  func fail(_ error: DaybookError)
}

/// The result of one query for all its followers.
///
/// For followers that keep up, each result is read and compared with the previous one only once.
///
/// The feed stores only the latest result and the steps to it from the previous one. A slow follower compares the
/// latest result with its own last result.
final class Feed<Row: QueryRow>: Feeding {
  /// A result, numbered from 1.
  ///
  /// Number 0 is the empty result before the first one.
  struct Edition: Sendable {
    var number: Int
    var sections: [RowSection<Row>]
  }

  /// The answer to a follower.
  enum Answer: Sendable {
    case nothing
    /// A result, and the steps to it from the previous result.
    case edition(Edition, ChangeSet<Row>)
    case failure(DaybookError)
  }

  private struct State {
    var latest: Edition?
    var steps: ChangeSet<Row>?
    var failure: DaybookError?
    var followers: Set<Int> = []
    var lastFollower = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<Int> = []
  }

  let query: Query<Row>
  private let state = Mutex(State())

  init(_ query: Query<Row>) { self.query = query }

  var isWanted: Bool { state.withLock { !$0.followers.isEmpty } }
  var isNew: Bool { state.withLock { $0.latest == nil } }

  func refresh(from model: ReadModel, touched: Touched) throws(DaybookError) {
    var (number, result) = state.withLock { state in
      (state.latest?.number ?? 0, LiveResult(query, showing: state.latest?.sections))
    }
    guard let changes = try result.refresh(from: model, touched: touched) else { return }
    number += 1
    let edition = Edition(number: number, sections: result.sections)
    wake { state in
      state.latest = edition
      state.steps = changes
    }
  }

  func fail(_ error: DaybookError) { wake { $0.failure = error } }

  private func wake(_ change: (inout sending State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }
}

// Functions that followers call.
extension Feed {
  /// Adds a follower.
  ///
  /// - Returns: The follower's number.
  func join() -> Int {
    state.withLock { state in
      state.lastFollower += 1
      state.followers.insert(state.lastFollower)
      return state.lastFollower
    }
  }

  func leave(_ follower: Int) {
    state.withLock { state in
      state.followers.remove(follower)
      state.cancelled.remove(follower)
    }
  }

  /// The answer to a follower that has the edition with the given number.
  func answer(after number: Int) -> Answer {
    state.withLock { state in
      if let latest = state.latest, let steps = state.steps, latest.number > number {
        return .edition(latest, steps)
      }
      return state.failure.map(Answer.failure) ?? .nothing
    }
  }

  /// Returns when there is a later edition, the feed has failed, or the task is cancelled.
  func wait(_ follower: Int, after number: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          let isReady = state.latest.map { $0.number > number } ?? false
          guard !isReady, state.failure == nil, !state.cancelled.contains(follower) else {
            return false
          }
          state.waiting[follower] = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.cancelled.insert(follower)
        return state.waiting.removeValue(forKey: follower)
      }
      waiting?.resume()
    }
  }
}
