import Domain
import ReadModel

extension Book: BookReading {
  /// The book as it is now.
  public var state: BookState {
    get throws(Failure) {
      let model = try failing { () throws(DaybookError) in try core.projector.view() }
      return BookState(book: self, model: model)
    }
  }

  /// The book as it was at a given time, computed from the events of all devices up to then.
  ///
  /// All events are read once, which takes a few seconds for a hundred thousand of them.
  ///
  /// - Parameter milliseconds: The time, in milliseconds since 1970, as in ``Event/milliseconds``.
  /// - Returns: The state, which no longer changes. Only the caller that uses this book may use that state.
  /// - Throws: ``Failure`` if the book cannot be read.
  public func at(milliseconds: Int64) throws(Failure) -> PastBook {
    let model = try failing { () throws(DaybookError) in try view(at: milliseconds) }
    return PastBook(state: BookState(book: self, model: model, moment: milliseconds))
  }

  /// The to-dos now, and again after each change by this process, another process, or a sync.
  ///
  /// The machine must have threads, as `Machine.system` does. On a machine without threads, such as a `TestMachine`,
  /// the sequence has no elements, and waits until its task is cancelled.
  ///
  /// - Parameter list: The list; nil for all to-dos.
  /// - Returns: An endless sequence, which can be used on any task and outlives this book.
  public func following(todosOn list: RecordID? = nil) -> TodoUpdates {
    TodoUpdates(watch(.todos(list.map { .list($0.id) } ?? .anywhere)))
  }

  /// The to-dos of a list after each change.
  ///
  /// A slow reader gets only the latest result.
  public struct TodoUpdates: Sendable {
    private let query: LiveQuery<TodoRow>

    init(_ query: LiveQuery<TodoRow>) { self.query = query }
  }
}

extension Book.TodoUpdates: AsyncSequence {
  /// The to-dos after a change, most urgent first.
  public typealias Element = [Book.Todo]
  /// The reason why the book can no longer be read.
  public typealias Failure = Book.Failure

  /// Starts to follow the book.
  public func makeAsyncIterator() -> Iterator {
    Iterator(query.makeAsyncIterator(), showing: query.query.nothing)
  }

  /// An iterator that follows the book.
  public struct Iterator: AsyncIteratorProtocol {
    private var changes: LiveQuery<TodoRow>.Iterator
    private var sections: [RowSection<TodoRow>]

    init(_ changes: LiveQuery<TodoRow>.Iterator, showing sections: [RowSection<TodoRow>]) {
      (self.changes, self.sections) = (changes, sections)
    }

    /// Returns the to-dos once they have changed.
    ///
    /// Once the task is cancelled or the book cannot be read, the iterator returns nil on every task.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Book.Failure) -> [Book.Todo]? {
      do throws(DaybookError) {
        guard let change = try await changes.next(isolation: actor) else { return nil }
        change.apply(to: &sections)
        return sections.flatMap(\.rows).map(Book.Todo.init)
      } catch {
        throw Book.Failure(error)
      }
    }
  }
}

/// A read-only book as it was at a given time.
///
/// ``Book/at(milliseconds:)`` returns a past book, which does not contain records that have been erased since.
public struct PastBook: BookReading {
  /// The state of the book at that time.
  public let state: BookState

  /// The time of the state, in milliseconds since 1970.
  public var milliseconds: Int64 { state.moment ?? 0 }
}
