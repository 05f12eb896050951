import Daybook
import Foundation
import Platform
import PosixPlatform
import ReadModel
import Synchronization
import Testing

/// A book on a real disk that one thread writes to and another thread follows.
@Suite(.timeLimit(.minutes(5))) struct WatchOverTests {
  typealias Result = [RowSection<TodoRow>]

  /// The rows that the follower has built.
  ///
  /// The writer waits until they are correct.
  private final class Slate: Sendable {
    private let built = Mutex<Result>([])
    private let news = DispatchSemaphore(value: 0)

    func write(_ result: Result) {
      built.withLock { $0 = result }
      news.signal()
    }

    /// Returns once the follower has built these rows; false after a long time.
    func waits(for result: Result) -> Bool {
      while built.withLock({ $0 != result }) {
        if news.wait(timeout: .now() + 20) == .timedOut { return false }
      }
      return true
    }
  }

  /// Writes to a book and compares, on a thread that may block.
  private static func write(
    to folder: Path, _ query: Query<TodoRow>, _ slate: Slate, commits: Int
  ) throws -> (milliseconds: [Double], isRight: Bool) {
    let book = try Book(at: folder, on: .real)
    var deeds = Deeds(seed: 4)
    var times: [Double] = []
    for number in 0..<commits {
      // Compaction changes all files of a log, but no row.
      if number % 50 == 49 { _ = try book.healer.compact() }
      try deeds.perform(on: book)
      let done = DispatchTime.now()
      let expected = try book.view().liveQueries.result(of: query)
      guard slate.waits(for: expected) else { return (times, false) }
      times.append(Double(DispatchTime.now().uptimeNanoseconds - done.uptimeNanoseconds) / 1e6)
    }
    // Then write as fast as possible. The follower may receive several commits as one change.
    for _ in 0..<100 { try deeds.perform(on: book) }
    return (times, slate.waits(for: try book.view().liveQueries.result(of: query)))
  }

  @Test func `Live query: a thousand commits arrive, with a median below 100 ms`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    // If this fails, only a temporary folder remains.
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = Path(folder.path)
    let book = try BookFactory.create(at: path, on: .real, deviceName: "here")
    let query = Query.todos(in: .list)
    let changes = book.watch(.todos(), sortedBy: .priority, sections: .list)
    let slate = Slate()
    let following = Task {
      var built = query.nothing
      for try await change in changes {
        change.apply(to: &built)
        slate.write(built)
      }
    }
    let outcome = await withCheckedContinuation { continuation in
      SystemThread.start {
        let outcome = Swift.Result { try Self.write(to: path, query, slate, commits: 1_000) }
        continuation.resume(returning: outcome)
      }
    }
    following.cancel()
    let (times, isRight) = try outcome.get()
    try #require(isRight, "after \(times.count) commits")
    let sorted = times.sorted()
    #expect(sorted[sorted.count / 2] < 100, "\(sorted.suffix(10))")
    print("followed in \(sorted[sorted.count / 2]) ms, at most \(sorted[sorted.count - 1]) ms")
    try await following.value
  }
}
