public import Platform
import Synchronization

/// A book that any task can use, and that works on its own thread.
///
/// Reads and writes of a book wait for the disk, and a sync waits for the network. Tasks share a few threads, which
/// must not wait. This actor does the work on its own thread while its callers are suspended, and serves them one after
/// another.
///
/// ```swift
/// let shared = try await BookActor.opening(on: .system) { () throws(Book.Failure) in
///   try Book.open("/home/ada/daybook", on: .system, device: "laptop")
/// }
/// let titles = try await shared.perform { book in try book.todos().map(\.title) }
/// ```
public actor BookActor {
  private nonisolated let thread: BookThread
  /// The book; nil until it is opened.
  private var book: Book?

  /// The thread on which the actor works.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  private init(_ thread: BookThread) { self.thread = thread }

  /// Opens or joins a book on the thread on which it is then used.
  ///
  /// - Parameters:
  ///   - machine: The computer. On a computer without threads, the book blocks its callers.
  ///   - open: Opens the book, for example with ``Book/open(_:on:device:)`` or ``Book/join(_:in:on:device:)``.
  /// - Returns: The book, for any number of tasks.
  /// - Throws: The error that `open` throws.
  public static func opening(
    on machine: Machine, _ open: @Sendable () throws(Book.Failure) -> Book
  ) async throws(Book.Failure) -> BookActor {
    let actor = BookActor(BookThread(of: machine))
    try await actor.begin(open)
    return actor
  }

  private func begin(_ open: @Sendable () throws(Book.Failure) -> Book) throws(Book.Failure) {
    book = try open()
  }

  /// Runs a function with the book, and returns its result.
  ///
  /// No other function runs at the same time, so the reads and writes of the function are consistent with each other.
  ///
  /// - Parameter body: The function. The book stays with the actor, because only sendable values can leave it.
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  public func perform<Value: Sendable, Fault: Error>(
    _ body: @Sendable (Book) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    guard let book else { preconditionFailure("an actor is handed out with its book") }
    return try body(book)
  }
}

/// Runs jobs one after another, on a thread that exists only while there are jobs.
///
/// On a machine without threads, the jobs run on the caller's thread.
private final class BookThread: SerialExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    /// The executor itself while a thread runs the jobs; nil if no thread does.
    ///
    /// A job may release the last other reference to the executor.
    var served: BookThread?
  }

  private let queue = Mutex(Queue())
  private let beside: Machine.Beside?

  init(of machine: Machine) { beside = machine.beside }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustStart = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.served = self }
      return queue.served == nil
    }
    guard mustStart else { return }
    if let beside { beside { [self] in serve() } } else { serve() }
  }

  private func serve() {
    while let job = next() { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// The next job; nil if there is none, which ends the thread.
  ///
  /// Once this function has returned nil, the executor may be deallocated.
  private func next() -> UnownedJob? {
    let (job, last) = queue.withLock { queue -> (UnownedJob?, BookThread?) in
      queue.jobs.isEmpty ? (nil, queue.served.take()) : (queue.jobs.removeFirst(), nil)
    }
    // The lock is part of the executor, so the executor must not be deallocated while the lock is held.
    withExtendedLifetime(last) {}
    return job
  }
}
