package import ReadModel

/// What happens to the result of a query, as a sequence that goes on for ever.
///
/// Each iterator begins with the steps from ``Query/nothing`` to the result as it is then, also if that is empty.
/// Every later element leads from the result after the one before it to the latest there is; nothing is left out
/// and nothing waits in line, so who asks seldom is told of all that happened in between as one change. An
/// element that would change nothing is not given. An iterator ends when its task is cancelled, and throws when
/// the book can no longer be read; another iterator then tries again.
package struct LiveQuery<Row: QueryRow>: AsyncSequence, Sendable {
  package typealias Element = ChangeSet<Row>
  package typealias Failure = DaybookError

  package let query: Query<Row>
  private let watcher: Watcher

  init(_ query: Query<Row>, by watcher: Watcher) {
    self.query = query
    self.watcher = watcher
  }

  /// Begins to follow the result.
  package func makeAsyncIterator() -> Iterator { Iterator(watcher.follow(query)) }

  /// One follower of a result.
  package struct Iterator: AsyncIteratorProtocol {
    private let following: Following<Row>

    init(_ following: Following<Row>) { self.following = following }

    /// The next change, as soon as there is one; nil when the task is cancelled.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DaybookError) -> ChangeSet<Row>? {
      try await following.next(isolation: actor)
    }
  }
}

/// A follower of a feed, who leaves it when it goes.
final class Following<Row: QueryRow> {
  private let feed: Feed<Row>
  private let number: Int
  private let watcher: Watcher
  /// What was told last.
  private var told: Feed<Row>.Edition

  /// Takes over the number of somebody who has joined the feed.
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
    while !Task.isCancelled {
      switch feed.answer(after: told.number) {
      case .failure(let error): throw error
      case .nothing: await feed.wait(number, after: told.number)
      case .edition(let edition, let steps):
        let (before, isFirst) = (told, told.number == 0)
        told = edition
        let isNext = before.number + 1 == edition.number
        let changes = isNext ? steps : ChangeSet(from: before.sections, to: edition.sections)
        if isFirst || !changes.isEmpty { return changes }
      }
    }
    return nil
  }
}
