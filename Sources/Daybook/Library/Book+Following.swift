import ReadModel

extension Book {
  /// The to-dos as they are, and again after each change, whoever makes it: this process, another, or a sync.
  ///
  /// - Parameter list: The list they are on; nil for all to-dos.
  /// - Returns: A sequence that goes on for ever; it may be used on any task, and outlives this book.
  public func following(todosOn list: RecordID? = nil) -> TodoUpdates {
    TodoUpdates(watch(.todos(list.map { .list($0.id) } ?? .anywhere)))
  }

  /// What becomes of a list of to-dos, each time as a whole; whoever asks seldom gets the latest.
  public struct TodoUpdates: AsyncSequence, Sendable {
    /// The to-dos after a change, the most urgent first.
    public typealias Element = [Todo]
    /// Why the book can be read no longer.
    public typealias Failure = Book.Failure

    private let query: LiveQuery<TodoRow>

    init(_ query: LiveQuery<TodoRow>) { self.query = query }

    /// Begins to follow.
    public func makeAsyncIterator() -> Iterator {
      Iterator(query.makeAsyncIterator(), showing: query.query.nothing)
    }

    /// One follower.
    public struct Iterator: AsyncIteratorProtocol {
      private var changes: LiveQuery<TodoRow>.Iterator
      private var sections: [RowSection<TodoRow>]

      init(_ changes: LiveQuery<TodoRow>.Iterator, showing sections: [RowSection<TodoRow>]) {
        (self.changes, self.sections) = (changes, sections)
      }

      /// The to-dos, as soon as they have changed; nil when the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(Book.Failure) -> [Todo]? {
        do throws(DaybookError) {
          guard let change = try await changes.next(isolation: actor) else { return nil }
          change.apply(to: &sections)
          return sections.flatMap(\.rows).map(Todo.init)
        } catch {
          throw Book.Failure(error)
        }
      }
    }
  }
}
