import Foundation
import Platform
import PosixPlatform
import Synchronization
import Testing

/// The changes that every watch must report, tested on each disk.
@Suite(.timeLimit(.minutes(1))) struct `The contract of watches` {
  @Test(arguments: Make.allCases)
  func `Watch: reads report no change`(make: Make) throws {
    try make.trying { disk, home in
      try disk.put(home / "a", [1])
      let watch = try disk.watch(home)
      _ = try disk.get(home / "a")
      _ = try disk.list(home)
      _ = try disk.status(home / "a")
      #expect(try watch.wait(patienceMilliseconds: 0) == .nothing)
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: a file is reported when it is created and when its writer closes`(make: Make) throws
  {
    try make.trying { disk, home in
      let watch = try disk.watch(home)
      let file = try disk.open(home / "a", .create)
      #expect(try watch.wait(patienceMilliseconds: 5000) == .entries(["a"]))
      try disk.write(file, [1], at: 0)
      try disk.flush(file)
      #expect(try watch.wait(patienceMilliseconds: 0) == .nothing)
      try disk.close(file)
      #expect(try watch.wait(patienceMilliseconds: 5000) == .entries(["a"]))
      let again = try disk.open(home / "a", .write)
      try disk.close(again)
      #expect(try watch.wait(patienceMilliseconds: 5000) == .entries(["a"]))
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: changes are reported together, each name once, in byte order`(make: Make) throws {
    try make.trying { disk, home in
      try disk.put(home / "old", [])
      try disk.put(home / "gone", [])
      let watch = try disk.watch(home)
      for name in ["f", "é", "Z"] { try disk.put(home / name, [1]) }
      try disk.rename(home / "old", to: home / "new")
      try disk.remove(home / "gone")
      try disk.makeDirectory(home / "box")
      let expected = ["Z", "box", "f", "gone", "new", "old", "é"]
      #expect(try watch.wait(patienceMilliseconds: 5000) == .entries(expected))
      #expect(try watch.wait(patienceMilliseconds: 0) == .nothing)
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: each watch reports only its own directory`(make: Make) throws {
    try make.trying { disk, home in
      try disk.makeDirectory(home / "box")
      let outer = try disk.watch(home)
      let inner = try disk.watch(home / "box")
      try disk.put(home / "box" / "a", [])
      #expect(try outer.wait(patienceMilliseconds: 0) == .nothing)
      #expect(try inner.wait(patienceMilliseconds: 5000) == .entries(["a"]))
      let late = try disk.watch(home / "box")
      try disk.rename(home / "box" / "a", to: home / "b")
      #expect(try outer.wait(patienceMilliseconds: 5000) == .entries(["b"]))
      #expect(try inner.wait(patienceMilliseconds: 5000) == .entries(["a"]))
      #expect(try late.wait(patienceMilliseconds: 5000) == .entries(["a"]))
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: the end of a lock is reported`(make: Make) throws {
    try make.trying { disk, home in
      let first = try #require(try disk.lock(home / "lock"))
      let watch = try disk.watch(home)
      #expect(try watch.wait(patienceMilliseconds: 0) == .nothing)
      try disk.close(first.token)
      #expect(try watch.wait(patienceMilliseconds: 5000) == .entries(["lock"]))
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: it follows a renamed directory and ends with it`(make: Make) throws {
    try make.trying { disk, home in
      try disk.makeDirectory(home / "box")
      let watch = try disk.watch(home / "box")
      try disk.rename(home / "box", to: home / "chest")
      try disk.put(home / "chest" / "a", [])
      try disk.remove(home / "chest" / "a")
      try disk.removeDirectory(home / "chest")
      #expect(try watch.wait(patienceMilliseconds: 5000) == .entries(["a"]))
      for _ in 0..<2 {
        #expect(throws: DiskError(.watch, home / "box", .notFound)) {
          try watch.wait(patienceMilliseconds: nil)
        }
      }
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: it ends when another directory replaces its own`(make: Make) throws {
    try make.trying { disk, home in
      try disk.makeDirectory(home / "box")
      try disk.makeDirectory(home / "new")
      let (outer, inner) = (try disk.watch(home), try disk.watch(home / "box"))
      let moved = try disk.watch(home / "new")
      try disk.rename(home / "new", to: home / "box")
      #expect(try outer.wait(patienceMilliseconds: 5000) == .entries(["box", "new"]))
      for _ in 0..<2 {
        #expect(throws: DiskError(.watch, home / "box", .notFound)) {
          try inner.wait(patienceMilliseconds: 5000)
        }
      }
      try disk.put(home / "box" / "a", [])
      #expect(try moved.wait(patienceMilliseconds: 5000) == .entries(["a"]))
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: a path that is not a directory is refused`(make: Make) throws {
    try make.trying { disk, home in
      try disk.put(home / "a", [])
      #expect(throws: DiskError(.watch, home / "a", .notADirectory)) {
        try disk.watch(home / "a")
      }
      #expect(throws: DiskError(.watch, home / "b", .notFound)) { try disk.watch(home / "b") }
      #expect(throws: DiskError(.watch, Path("a\0b"), .invalid)) {
        try disk.watch(Path("a\0b"))
      }
    }
  }

  @Test(arguments: Make.allCases)
  func `Watch: a wake ends one wait and loses no change`(make: Make) throws {
    try make.trying { disk, home in
      let watch = try disk.watch(home)
      watch.wake()
      #expect(try watch.wait(patienceMilliseconds: nil) == .nothing)
      watch.wake()
      try disk.put(home / "a", [])
      #expect(try watch.wait(patienceMilliseconds: nil) == .entries(["a"]))
      #expect(try watch.wait(patienceMilliseconds: 0) == .nothing)
    }
  }

  @Test func `Watch: a waiting thread receives another thread's change`() throws {
    try Make.posix.trying { disk, home in
      let watch = try disk.watch(home)
      let done = DispatchSemaphore(value: 0)
      let heard = Told()
      SystemThread.start {
        // If the call throws, the test fails because no news was received.
        heard.news.withLock { $0 = try? watch.wait(patienceMilliseconds: nil) }
        done.signal()
      }
      try disk.makeDirectory(home / "a")
      done.wait()
      #expect(heard.news.withLock { $0 } == .entries(["a"]))
    }
  }

  /// The news that a thread has received.
  private final class Told: Sendable {
    let news = Mutex<WatchNews?>(nil)
  }
}
