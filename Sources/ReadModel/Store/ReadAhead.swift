package import Platform
internal import Synchronization

/// A part of a read model that is read on a thread of its own, by a connection of its own, while the caller reads
/// something else.
package final class ReadAhead<Value: Sendable>: Sendable {
  private enum State {
    case due, begun
    /// nil where it could not be read, or is read by who asked before anybody began.
    case read(Value?)
  }

  private let state = Mutex(State.due)

  /// Begins to read from the file of a read model, which somebody has open.
  package init(
    in file: String, beside: Machine.Beside,
    _ read: @escaping @Sendable (TableConnection) throws(ReadModelError) -> Value
  ) {
    beside { [self] in
      guard begin() else { return }
      // Who asks finds out why it cannot be read by reading it.
      let value = try? read(TableConnection(reading: file))
      state.withLock { $0 = .read(value) }
    }
  }

  private func begin() -> Bool {
    state.withLock { state in
      guard case .due = state else { return false }
      state = .begun
      return true
    }
  }

  /// What was read, if it is by now.
  package var value: Value? {
    if case .read(let value) = state.withLock({ $0 }) { value } else { nil }
  }

  /// What is read, waited for where that has begun; nil where the caller has to read it.
  package func awaited(by timekeeper: any Timekeeper) -> Value? {
    if begin() {
      state.withLock { $0 = .read(nil) }
      return nil
    }
    while true {
      if case .read(let value) = state.withLock({ $0 }) { return value }
      timekeeper.pause(milliseconds: 1)
    }
  }
}
