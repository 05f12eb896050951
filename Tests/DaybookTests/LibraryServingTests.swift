import DaybookSystem
import Foundation
import Testing

/// Serving, inviting and joining through the public interface of the library, and a book that tasks share.
///
/// These tests use only the declarations that one import provides.
struct LibraryServingTests {
  /// A server on a free port, with its news.
  private struct Running {
    let serving: Task<Void, any Error>
    let port: UInt16
    var news: AsyncStream<BookServer.News>.Iterator

    init(_ book: Book) async throws {
      let (stream, told) = AsyncStream<BookServer.News>.makeStream()
      let server = book.server(port: 0)
      serving = Task {
        defer { told.finish() }
        try await server.run { told.yield($0) }
      }
      news = stream.makeAsyncIterator()
      guard case .listening(let port)? = await news.next(isolation: #isolation) else {
        throw CancellationError()
      }
      self.port = port
    }

    /// Waits for news that the function accepts.
    mutating func next<Value>(_ accept: (BookServer.News) -> Value?) async throws -> Value {
      while let news = await news.next(isolation: #isolation) {
        if let value = accept(news) { return value }
      }
      throw CancellationError()
    }

    func stop() async throws {
      serving.cancel()
      try await serving.value
    }
  }

  private func failure(_ body: () throws(Book.Failure) -> Void) -> Book.Failure? {
    do throws(Book.Failure) { try body() } catch { return error }
    return nil
  }

  @Test(.timeLimit(.minutes(1)))
  func `Library: a served book admits one device by invitation, and syncs until stopped`()
    async throws
  {
    let place = LibraryFolder()
    let laptop = try place.open("laptop")
    try laptop.addTodo("Sweep")
    #expect(failure { () throws(Book.Failure) in _ = try laptop.invite() }?.reason == .refused)
    var running = try await Running(laptop)
    let invitation = try laptop.invite()
    #expect(invitation.host == "127.0.0.1" && invitation.port == running.port)
    #expect(invitation.otherHosts == [])
    #expect("\(invitation)" == "127.0.0.1:\(running.port)")
    let phone = try Book.join(
      by: invitation.code, in: "\(place.folder)/phone", on: .real, device: "phone")
    #expect(try phone.todos().map(\.title) == ["Sweep"])
    let name = try await running.next { news in
      if case .admitted(let device, let words) = news { words.isEmpty ? nil : device } else { nil }
    }
    #expect(name == "phone")
    try phone.addTodo("Mop")
    let exchange = try phone.sync(with: .machine(host: "127.0.0.1", port: running.port))
    #expect(exchange.sentCount > 0 && exchange.waiting == [] && exchange.conflictCount == 0)
    let received = try await running.next { news in
      if case .exchanged("phone", let exchange) = news, exchange.receivedCount > 0 {
        exchange.heldErasureCount
      } else {
        nil
      }
    }
    #expect(received == 0)
    #expect(try Set(laptop.todos().map(\.title)) == ["Sweep", "Mop"])
    // The invitation was valid for one device.
    let late = failure { () throws(Book.Failure) in
      _ = try Book.join(
        by: invitation.code, in: "\(place.folder)/late", on: .real, device: "late")
    }
    #expect(late?.reason == .peer)
    try await running.stop()
    #expect(failure { () throws(Book.Failure) in _ = try laptop.invite() }?.reason == .refused)
    let alone = failure { () throws(Book.Failure) in
      try phone.sync(with: .machine(host: "127.0.0.1", port: running.port))
    }
    #expect(alone?.reason == .peer)
    #expect(try laptop.invite(host: "laptop.local", port: 7771).host == "laptop.local")
    #expect(
      failure { () throws(Book.Failure) in _ = try laptop.invite(host: "", port: 7771) }?.reason
        == .refused)
  }

  @Test func `Library: text that is not an invitation is refused with a reason`() throws {
    let place = LibraryFolder()
    func refusal(_ text: String) -> Book.Failure? {
      failure { () throws(Book.Failure) in
        _ = try Book.join(by: text, in: "\(place.folder)/phone", on: .real, device: "phone")
      }
    }
    #expect(refusal("eggs")?.reason == .refused)
    #expect(
      refusal("eggs")?.description
        == "that is not an invitation: an invitation begins with 'daybook1:'.")
    #expect(
      refusal("daybook1:ABC")?.description
        == "the invitation is cut off after 3 characters. Copy all of it.")
  }

  @Test(.timeLimit(.minutes(1)))
  func `Library: a server whose port is taken fails, and one cancelled before it runs ends`()
    async throws
  {
    let place = LibraryFolder()
    let laptop = try place.open("laptop")
    let running = try await Running(laptop)
    let second = try place.open("phone").server(port: running.port)
    do {
      try await second.run()
      Issue.record("it ran")
    } catch {
      #expect(error.reason == .peer)
      #expect(
        error.description
          == "the port is already in use. Stop the other program, or choose another port.")
    }
    try await running.stop()
    let cancelled = Task { try await second.run() }
    cancelled.cancel()
    try await cancelled.value
  }

  @Test(.timeLimit(.minutes(1)))
  func `Library: a server whose task is cancelled beforehand opens nothing and reports nothing`()
    async throws
  {
    let place = LibraryFolder()
    let server = try place.open("laptop").server(port: 0)
    // It could no longer be opened.
    try FileManager.default.removeItem(atPath: "\(place.folder)/laptop")
    let (stream, told) = AsyncStream<BookServer.News>.makeStream()
    let serving = Task {
      defer { told.finish() }
      while !Task.isCancelled { await Task.yield() }
      try await server.run { told.yield($0) }
    }
    serving.cancel()
    try await serving.value
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 0)
  }

  // MARK: Tasks

  @Test(.timeLimit(.minutes(1)))
  func `Actor: tasks share a book, and each function has it for itself`() async throws {
    let folder = LibraryFolder()
    let path = "\(folder.folder)/laptop"
    let shared = try await BookActor.opening(on: .real) { () throws(Book.Failure) in
      try Book.open(path, on: .real, device: "laptop")
    }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          try await shared.perform { book in
            let before = try book.todos().count
            try book.addTodo("Sweep \(number)")
            return try book.todos().count - before
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1, count: 8))
    let titles = try await shared.perform { book in Set(try book.todos().map(\.title)) }
    #expect(titles == Set((0..<8).map { "Sweep \($0)" }))
    let reason =
      await {
        do throws(Book.Failure) {
          return try await shared.perform { book throws(Book.Failure) in
            _ = try book.addTodo(" ")
            return nil
          }
        } catch {
          return error.reason
        }
      }() as Book.Failure.Reason?
    #expect(reason == .refused)
  }

  @Test(.timeLimit(.minutes(1)))
  func `Actor: books that wait leave the threads of tasks free`() async throws {
    let place = LibraryFolder()
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let gate = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        let path = "\(place.folder)/\(number)"
        group.addTask {
          let shared = try await BookActor.opening(on: .real) { () throws(Book.Failure) in
            try Book.open(path, on: .real, device: "laptop")
          }
          await shared.perform { _ in gate.wait() }
        }
      }
      // If the books waited on the threads of tasks, this task would never run.
      group.addTask { for _ in 0..<count { gate.signal() } }
      try await group.waitForAll()
    }
  }

  @Test func `Actor: a book that cannot be opened has no actor`() async throws {
    do throws(Book.Failure) {
      _ = try await BookActor.opening(on: .real) { () throws(Book.Failure) in
        try Book.open("/dev/null", on: .real, device: "laptop")
      }
      Issue.record("it opened")
    } catch {
      #expect(error.reason == .storage)
    }
  }
}
