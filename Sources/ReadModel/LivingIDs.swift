package import Bytes
package import Platform
internal import SQLite
internal import Synchronization

/// The ids of all living records in their order, read on a thread of their own while the caller reads something else.
///
/// They are told apart by comparing them all, which takes half as long as reading the rows of a long list.
package final class LivingIDs: Sendable {
  private enum State {
    case due, begun
    /// nil where they could not be read, or are read by who asked before anybody began.
    case read([UniqueID]?)
  }

  private let state = Mutex(State.due)
  private let file: String

  /// Begins to read them from the file of a read model, which somebody has open.
  package init(in file: String, beside: Machine.Beside) {
    self.file = file
    beside { [self] in read() }
  }

  private func read() {
    guard begin() else { return }
    // Who asks finds out why they cannot be read by reading them.
    let ids = try? ReadModel(reading: file).livingIDs()
    state.withLock { $0 = .read(ids) }
  }

  private func begin() -> Bool {
    state.withLock { state in
      guard case .due = state else { return false }
      state = .begun
      return true
    }
  }

  /// The ids; nil where the caller has to read them.
  package func ids(_ timekeeper: any Timekeeper) -> [UniqueID]? {
    if begin() {
      state.withLock { $0 = .read(nil) }
      return nil
    }
    while true {
      if case .read(let ids) = state.withLock({ $0 }) { return ids }
      timekeeper.pause(milliseconds: 1)
    }
  }
}
