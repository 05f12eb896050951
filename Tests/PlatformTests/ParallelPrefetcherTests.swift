import Platform
import PosixPlatform
import Synchronization
import Testing

struct ParallelPrefetcherTests {
  /// Runs work immediately, on the caller's thread.
  private static let atOnce: Machine.Beside = { $0() }
  /// Never runs any work.
  private static let never: Machine.Beside = { _ in }

  private static let ways: [(name: String, beside: Machine.Beside?)] = [
    ("alone", nil), ("at once", atOnce), ("never", never), ("beside", SystemThread.start),
  ]

  @Test(arguments: ways.indices, [1, 3, 1_000])
  func `Prefetcher: every part is delivered in order, whichever thread makes it`(
    way: Int, lead: Int
  ) {
    let parts = ParallelPrefetcher(200, lead: lead, beside: Self.ways[way].beside) { $0 * $0 }
    #expect((0..<200).map(parts.part) == (0..<200).map { $0 * $0 })
  }

  @Test(arguments: ways.indices)
  func `Prefetcher: parts added later are delivered`(way: Int) {
    let parts = ParallelPrefetcher(0, lead: 1_000, beside: Self.ways[way].beside) { $0 * $0 }
    for count in stride(from: 5, through: 200, by: 5) {
      parts.extend(to: count)
      #expect((count - 5..<count - 2).map(parts.part) == (count - 5..<count - 2).map { $0 * $0 })
    }
    #expect(parts.part(199) == 199 * 199)
  }

  @Test func `Prefetcher: skipped parts are released`() {
    final class Part: Sendable {
      let living: Counter
      init(_ living: Counter) {
        self.living = living
        living.count.withLock { $0 += 1 }
      }
      deinit { living.count.withLock { $0 -= 1 } }
    }
    final class Counter: Sendable { let count = Mutex(0) }
    let living = Counter()
    let parts = ParallelPrefetcher(10, lead: 10, beside: Self.atOnce) { _ in Part(living) }
    parts.begin()
    #expect(living.count.withLock(\.self) == 10)
    _ = parts.part(6)
    #expect(living.count.withLock(\.self) == 3)
  }

  @Test func `Prefetcher: the caller can make parts that no thread has begun`() {
    let made = Mutex<[Int]>([])
    let parts = ParallelPrefetcher(3, lead: 10, beside: nil) { number in
      made.withLock { $0.append(number) }
      return number
    }
    for _ in 0..<2 { parts.makeNext() }
    #expect(made.withLock(\.self) == [0, 1])
    #expect([parts.part(1), parts.part(2)] == [1, 2])
    parts.makeNext()
    #expect(made.withLock(\.self) == [0, 1, 2])
  }

  @Test func `Prefetcher: no more parts than its lead are made ahead`() {
    let made = Mutex<[Int]>([])
    let parts = ParallelPrefetcher(100, lead: 4, beside: Self.atOnce) { number in
      made.withLock { $0.append(number) }
      return number
    }
    parts.begin()
    #expect(made.withLock(\.self) == [0, 1, 2, 3])
    #expect([parts.part(0), parts.part(1)] == [0, 1])
    #expect(made.withLock(\.self) == [0, 1, 2, 3, 4])
  }

  @Test func `Prefetcher: a single part is made without another thread`() {
    let threads = Mutex(0)
    let parts = ParallelPrefetcher(1, lead: 4, beside: { _ in threads.withLock { $0 += 1 } }) { $0 }
    #expect(parts.part(0) == 0)
    #expect(threads.withLock(\.self) == 0)
  }
}
