package import Platform
internal import Synchronization

/// A value that another thread reads from the file of a read model, with its own connection, while the caller
/// continues.
package final class ReadAhead<Value: Sendable>: Sendable {
  private enum State {
    case due, begun
    /// The value is nil if it could not be read, or if the caller asked before the thread had begun.
    case read(Value?)
  }

  private let state = Mutex(State.due)

  /// Starts to read from the file of a read model on another thread; the caller must already have opened the file.
  package init(
    in file: String, beside: Machine.Beside,
    _ read: @escaping @Sendable (TableConnection) throws(ReadModelError) -> Value
  ) {
    beside { [self] in
      guard begin() else { return }
      // If the read fails, the caller reads the value itself and gets the error.
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

  /// The value, if it has been read by now.
  package var value: Value? {
    if case .read(let value) = state.withLock({ $0 }) { value } else { nil }
  }

  /// Returns the value, waiting for it if the thread has begun, or nil if the caller has to read it.
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
