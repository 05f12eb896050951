import Bytes
import Journaling
import Platform
import Syncing

// A failed join leaves nothing of the other book.

extension Book {
  /// Takes in the logs of another book and joins it; if that fails, removes the logs.
  ///
  /// They stay if the connection broke, because the next attempt continues from them.
  func joining(_ join: () throws(DaybookError) -> Talk) throws(DaybookError) -> Talk {
    let former = file.book
    let before = try logNames()
    isJoining = true
    defer { isJoining = false }
    do throws(DaybookError) { return try join() } catch {
      guard !error.isOfTheLine else { throw error }
      try reloadFile()
      // After the book has joined, it needs them.
      if file.book != former {
        throw error.diskFault == nil ? error : .storedBefore(.joining, error)
      }
      let cause = error
      do throws(DaybookError) { try removeLogs(besides: before) } catch {
        throw .storedBefore(.arrivals, cause)
      }
      throw cause
    }
  }

  /// Finishes a join; a disk error then says that the book has joined.
  func tellingThatItJoined<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    do throws(DaybookError) { return try body() } catch {
      throw error.diskFault == nil ? error : .storedBefore(.joining, error)
    }
  }

  private func logNames() throws(DaybookError) -> Set<String> {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      let folder = layout.logs
      guard try machine.disk.status(folder) != nil else { return [] }
      return Set(try machine.disk.list(folder))
    }
  }

  /// Removes logs of the other book that were not here before.
  private func removeLogs(besides names: Set<String>) throws(DaybookError) {
    let new = try logNames().subtracting(names)
    if new.isEmpty { return }
    try withLock { () throws(DaybookError) in
      // Another process may have received a log of this book meanwhile, and its sender counts on that.
      let known = try trust(by: try remembered(by: try view()).ledger).known
      let keys = try wrap(DaybookError.disk) { () throws(DiskError) in
        Set(try machine.disk.list(layout.keys).compactMap(Layout.replica(ofKey:)))
      }
      let disk = machine.disk
      try wrap(DaybookError.disk) { () throws(DiskError) in
        let logs = layout.logs
        for name in new.sorted() {
          // A log that this device has begun meanwhile is not part of the other book.
          guard let log = UniqueID(hex: name), !keys.contains(log), !known.contains(log),
            !file.writers.values.contains(log)
          else { continue }
          // Last file first: an interruption leaves a log that ends earlier.
          for file in try disk.list(logs / name).sorted().reversed() {
            try disk.remove(logs / name / file)
          }
          try disk.removeDirectory(logs / name)
        }
        try disk.flushDirectory(logs)
      }
      try reloadJournal()
    }
  }
}

extension DaybookError {
  /// Whether the next attempt continues from what has arrived.
  fileprivate var isOfTheLine: Bool {
    switch self {
    case .sync(.network), .sync(.cut), .sync(.tooSlow), .sync(.refused), .network: true
    default: false
    }
  }
}
