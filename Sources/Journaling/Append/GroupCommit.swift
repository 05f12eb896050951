package import Bytes
package import Crypto
import Synchronization

/// Lets threads of one process append to a log together.
///
/// Each hands in commands and waits. Whoever comes next to the journal takes along what the others have
/// handed in meanwhile: one write and one flush for all of them.
package final class GroupCommit: Sendable {
  /// What a caller waits for; only whoever has the journal ends the wait.
  private final class Request: Sendable {
    let commands: [Command]
    let byteCount: Int
    let answer = Mutex<Result<[Appended], JournalError>?>(nil)

    init(_ commands: [Command]) {
      self.commands = commands
      byteCount = commands.reduce(0) { sum, command in
        command.events.reduce(sum) { $0 + $1.body.count + 8 }
      }
    }
  }

  private let journal: Mutex<Journal>
  private let waiting = Mutex<[Request]>([])
  private let log: UniqueID
  private let keys: DeviceKeys

  package init(_ journal: consuming sending Journal, log: UniqueID, keys: DeviceKeys) {
    self.journal = Mutex(journal)
    self.log = log
    self.keys = keys
  }

  /// How many callers have handed in commands that nobody has taken yet.
  package var waitingCount: Int { waiting.withLock { $0.count } }

  /// Appends commands; when it returns they are durable, in the caller's order.
  @discardableResult
  package func append(_ commands: [Command]) throws(JournalError) -> [Appended] {
    let request = Request(commands)
    waiting.withLock { $0.append(request) }
    // Waiting for the journal is waiting for whoever has it, and most often for the own answer.
    journal.withLock { journal in
      while request.answer.withLock({ $0 == nil }) { lead(&journal) }
    }
    guard let answer = request.answer.withLock({ $0 }) else {
      preconditionFailure("the wait ends with an answer")
    }
    return try answer.get()
  }

  /// Uses the journal for something else, when no append is under way.
  package func withJournal<Value: Sendable>(
    _ body: (inout Journal) throws(JournalError) -> Value
  ) throws(JournalError) -> Value {
    let result = journal.withLock { journal -> Result<Value, JournalError> in
      do throws(JournalError) {
        return .success(try body(&journal))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Writes the commands that were handed in first, as many as make one good frame.
  private func lead(_ journal: inout Journal) {
    let batch = waiting.withLock { waiting in
      var byteCount = 0
      let count =
        waiting.firstIndex { request in
          byteCount += request.byteCount
          return byteCount > Limit.contentTarget
        } ?? waiting.count
      let taken = Array(waiting.prefix(max(1, count)))
      waiting.removeFirst(taken.count)
      return taken
    }
    write(batch, to: &journal)
  }

  private func write(_ batch: [Request], to journal: inout Journal) {
    do throws(JournalError) {
      let appended = try journal.append(batch.flatMap(\.commands), to: log, keys: keys)
      var next = 0
      for request in batch {
        let count = request.commands.reduce(0) { $0 + $1.events.count }
        request.answer.withLock { $0 = .success(Array(appended[next..<next + count])) }
        next += count
      }
    } catch {
      guard batch.count > 1, error.isOfOneCommand else {
        for request in batch { request.answer.withLock { $0 = .failure(error) } }
        return
      }
      // Nothing was written: whose fault it is shows when each is tried alone.
      for request in batch { write([request], to: &journal) }
    }
  }
}

extension JournalError {
  /// Whether a command is refused for itself, before anything is written.
  fileprivate var isOfOneCommand: Bool {
    switch self {
    case .commandTooLarge, .unwritable: true
    default: false
    }
  }
}
