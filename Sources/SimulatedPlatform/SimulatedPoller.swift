import Platform
import Synchronization

/// A simulated line, listener or watch that a poller can check.
protocol Ready: Pollable {
  var readiness: Interest { get }
}

/// A poller that checks all its subjects in the order of their tokens and never waits.
final class SimulatedPoller: Poller {
  private struct Entry {
    let subject: any Ready
    var interest: Interest
  }

  private let entries = Mutex<[UInt64: Entry]>([:])

  func canWait(for subject: any Pollable) -> Bool { subject is any Ready }

  func add(
    _ subject: any Pollable, as token: UInt64, for interest: Interest
  ) throws(NetworkError) {
    guard let subject = subject as? any Ready else {
      preconditionFailure("a poller waits only for subjects of its own platform")
    }
    entries.withLock { entries in
      precondition(entries[token] == nil, "each subject has its own token")
      entries[token] = Entry(subject: subject, interest: interest)
    }
  }

  func change(_ token: UInt64, to interest: Interest) throws(NetworkError) {
    entries.withLock { $0[token]?.interest = interest }
  }

  func remove(_ token: UInt64) { entries.withLock { $0[token] = nil } }

  func wait(patienceMilliseconds: Int?) throws(NetworkError) -> [Readiness] {
    let entries = entries.withLock { $0 }
    return entries.sorted { $0.key < $1.key }.compactMap { token, entry in
      let interest = entry.subject.readiness.intersection(entry.interest)
      return interest.isEmpty ? nil : Readiness(token: token, interest: interest)
    }
  }

  func wake() {}
}
