internal import Synchronization

/// A cache of computed values by key, shared by all copies of a structure and safe to use from any thread.
package final class SharedMemo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Value]>([:])
  private let wasFilled = Atomic(false)

  package init() {}

  /// Whether no value has ever been stored, which is cheaper to check than looking up a value.
  package var isUnused: Bool { !wasFilled.load(ordering: .acquiring) }

  package func value(for key: Key) -> Value? { values.withLock { $0[key] } }

  /// Stores one value for several keys.
  package func keep(_ value: Value, for keys: [Key]) {
    values.withLock { values in for key in keys { values[key] = value } }
    wasFilled.store(true, ordering: .releasing)
  }

  package func forget(_ keys: [Key]) {
    values.withLock { values in for key in keys { values[key] = nil } }
  }
}
