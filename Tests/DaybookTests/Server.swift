import Daybook
import Foundation
import Platform
import ReadModel
import Synchronization

/// A second process of a machine that serves its book.
///
/// It has its own thread, so it never blocks a caller that waits for it.
final class Server: Sendable {
  private let machine: Machine
  private let isOver = Atomic(false)
  private let ports = AsyncStream<UInt16>.makeStream()
  private let failures = AsyncStream<String>.makeStream()
  private let meetings = AsyncStream<Void>.makeStream()

  /// Whether it accepts and admits every caller.
  private let admitsAll: Bool

  /// The user who decides about invited devices, if there is one.
  private let user: User?

  init(_ machine: Machine, admitsAll: Bool = true, user: User? = nil) {
    (self.machine, self.admitsAll, self.user) = (machine, admitsAll, user)
  }

  /// A user who decides about invited devices; the test gives the answers.
  final class User: Sendable {
    let asked = AsyncStream<PendingDevice>.makeStream()
    let withdrawn = AsyncStream<PendingDevice>.makeStream()
    private let answer = Mutex<Bool?>(nil)

    func say(_ isWelcome: Bool) { answer.withLock { $0 = isWelcome } }

    fileprivate var doorkeeper: Doorkeeper {
      Doorkeeper(
        ask: { self.asked.continuation.yield($0) },
        answer: {
          self.answer.withLock { answer in
            defer { answer = nil }
            return answer
          }
        }, withdraw: { self.withdrawn.continuation.yield($0) })
    }
  }

  /// Starts to serve, and returns the port.
  func start() async throws -> UInt16 {
    let thread = Thread { [self] in serve() }
    thread.stackSize = 8 << 20
    thread.start()
    for await port in ports.stream { return port }
    throw CancellationError()
  }

  private func serve() {
    defer {
      ports.continuation.finish()
      failures.continuation.finish()
      meetings.continuation.finish()
    }
    do {
      let book = try Book(at: Office.folder, on: machine, view: .memory)
      try LiveService(of: book).serve(
        host: "127.0.0.1", port: 0, admission: admitsAll ? .always : .never,
        doorkeeper: user?.doorkeeper,
        ready: { ports.continuation.yield($0) },
        tell: { [failures, meetings] news in
          switch news {
          case .met: meetings.continuation.yield()
          case .letIn, .news, .sent, .left, .stripped: break
          case .lost(_, let error, retry: _): failures.continuation.yield("\(error)")
          case .failed(_, let error): failures.continuation.yield("\(error)")
          case .turnedAway(_, let error): failures.continuation.yield("\(error)")
          }
        },
        until: { isOver.load(ordering: .relaxed) })
    } catch {
      failures.continuation.yield("\(error)")
    }
  }

  /// Waits until one more session ends, which can be later than it ends for the caller.
  func hasMet() async throws {
    for await _ in meetings.stream { return }
    throw CancellationError()
  }

  /// Stops serving, and returns the errors.
  @discardableResult
  func stop() async -> [String] {
    isOver.store(true, ordering: .relaxed)
    var told: [String] = []
    for await failure in failures.stream { told.append(failure) }
    return told
  }
}
