package import ReadModel

/// An endless sequence of the changes to the result of a query.
///
/// Each iterator starts with the steps from ``Query/nothing`` to the current result, even if that is empty. Every later
/// element turns the previous result into the latest one. No change is omitted, and none is queued, so a slow reader
/// receives all changes since its last element as one. Empty changes are skipped. An iterator ends when its task is
/// cancelled, and throws when the book can no longer be read; after that, it returns nil, even on another task. A new
/// iterator tries to read the book again.
package struct LiveQuery<Row: QueryRow>: AsyncSequence, Sendable {
  package typealias Element = ChangeSet<Row>
  package typealias Failure = DaybookError

  package let query: Query<Row>
  private let watcher: Watcher

  init(_ query: Query<Row>, by watcher: Watcher) {
    self.query = query
    self.watcher = watcher
  }

  /// Starts to follow the result.
  package func makeAsyncIterator() -> Iterator { Iterator(watcher.follow(query)) }

  /// A follower of the result.
  package struct Iterator: AsyncIteratorProtocol {
    private let following: Following<Row>

    init(_ following: Following<Row>) { self.following = following }

    /// The next change, once there is one; nil once the iterator has ended.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DaybookError) -> ChangeSet<Row>? {
      try await following.next(isolation: actor)
    }
  }
}

/// A follower of a feed.
///
/// The follower leaves the feed when it is released.
final class Following<Row: QueryRow> {
  private let feed: Feed<Row>
  private let number: Int
  private let watcher: Watcher
  /// The last edition that was returned.
  private var told: Feed<Row>.Edition
  /// Whether the follower has ended, because its task was cancelled or the book could not be read.
  private var hasEnded = false

  /// Wraps a follower that was added to the feed, given its number.
  init(_ feed: Feed<Row>, _ number: Int, of watcher: Watcher) {
    self.feed = feed
    self.number = number
    self.watcher = watcher
    told = Feed.Edition(number: 0, sections: feed.query.nothing)
  }

  deinit {
    feed.leave(number)
    watcher.wake()
  }

  func next(
    isolation actor: isolated (any Actor)?
  ) async throws(DaybookError) -> ChangeSet<Row>? {
    while !hasEnded, !Task.isCancelled {
      switch feed.answer(after: told.number) {
      case .failure(let error):
        hasEnded = true
        throw error
      case .nothing: await feed.wait(number, after: told.number)
      case .edition(let edition, let steps):
        let (before, isFirst) = (told, told.number == 0)
        told = edition
        let isNext = before.number + 1 == edition.number
        let changes = isNext ? steps : ChangeSet(from: before.sections, to: edition.sections)
        if isFirst || !changes.isEmpty { return changes }
      }
    }
    // The feed does not let a cancelled follower wait again.
    hasEnded = true
    return nil
  }
}
