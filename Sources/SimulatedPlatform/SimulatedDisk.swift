package import Platform
import Synchronization

/// A disk in memory that keeps track of the changes that a power cut would lose.
///
/// Relative paths start at the root, because there is no working directory. Processes that share the disk differ only
/// in their tokens. There are no links and no permissions.
package final class SimulatedDisk: Disk {
  private let state: Mutex<DiskState>
  private let timekeeper: any Timekeeper
  /// The states of the disk after each successful mutating call; nil if they are not being recorded.
  private let history = Mutex<[DiskState]?>(nil)

  package init(timekeeper: any Timekeeper) {
    self.timekeeper = timekeeper
    state = Mutex(DiskState())
  }

  private init(_ copied: DiskState, _ timekeeper: any Timekeeper) {
    self.timekeeper = timekeeper
    state = Mutex(copied)
  }

  package var isInMemory: Bool { true }

  package func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    try perform(.open, path, mutating: access == .create) { (state, now) throws(Refusal) in
      try state.open(path, access)
    }
  }

  package func read(
    _ file: FileToken, at offset: Int, count: Int
  ) throws(DiskError) -> [UInt8] {
    try perform(.read, file, mutating: false) { (state, handle, now) throws(Refusal) in
      try state.read(handle, at: offset, count: count)
    }
  }

  package func write(
    _ file: FileToken, _ bytes: [UInt8], at offset: Int
  ) throws(DiskError) {
    do throws(DiskError) {
      try perform(.write, file, mutating: true) { (state, handle, now) throws(Refusal) in
        try state.write(handle, bytes, at: offset, now)
      }
    } catch {
      let now = timekeeper.now()
      state.withLock { $0.writeHalf(of: bytes, to: file, at: offset, now) }
      throw error
    }
  }

  package func size(_ file: FileToken) throws(DiskError) -> Int {
    try perform(.size, file, mutating: false) { (state, handle, now) in
      state.bytes(of: handle.node).count
    }
  }

  package func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    try perform(.truncate, file, mutating: true) { (state, handle, now) throws(Refusal) in
      try state.truncate(handle, to: size, now)
    }
  }

  package func flush(_ file: FileToken) throws(DiskError) {
    do throws(DiskError) {
      try perform(.flush, file, mutating: true) { (state, handle, now) in
        if state.weather.isLying?(handle.path) == true { return }
        state.storage.flush(handle.node)
      }
    } catch {
      // After a failed flush, Linux marks the pages as clean, so no later flush writes these bytes. If a flush failed
      // because the process has ended, it was never attempted.
      if error.reason != .closed { state.withLock { $0.abandon(file) } }
      throw error
    }
  }

  package func forgetCached(_ file: FileToken) throws(DiskError) {
    try perform(.forgetCached, file, mutating: false) { (state, handle, now) in
      state.storage.forgetCached(handle.node)
    }
  }

  package func close(_ file: FileToken) throws(DiskError) {
    defer { state.withLock { $0.close(file) } }
    try perform(.close, file, mutating: false) { (state, handle, now) in }
  }

  package func status(_ path: Path) throws(DiskError) -> FileStatus? {
    try perform(.status, path, mutating: false) { (state, now) throws(Refusal) in
      try state.status(path)
    }
  }

  package func list(_ directory: Path) throws(DiskError) -> [String] {
    try perform(.list, directory, mutating: false) { (state, now) throws(Refusal) in
      try state.names(in: state.directory(at: directory))
    }
  }

  package func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try perform(.rename, from, mutating: true) { (state, now) throws(Refusal) in
      try state.rename(from, to: destination)
    }
  }

  package func remove(_ path: Path) throws(DiskError) {
    try perform(.remove, path, mutating: true) { (state, now) throws(Refusal) in
      try state.remove(path)
    }
  }

  package func removeDirectory(_ path: Path) throws(DiskError) {
    try perform(.removeDirectory, path, mutating: true) { (state, now) throws(Refusal) in
      try state.removeDirectory(path)
    }
  }

  package func makeDirectory(_ path: Path) throws(DiskError) {
    try perform(.makeDirectory, path, mutating: true) { (state, now) throws(Refusal) in
      try state.makeDirectory(path)
    }
  }

  package func flushDirectory(_ path: Path) throws(DiskError) {
    try perform(.flushDirectory, path, mutating: true) { (state, now) throws(Refusal) in
      let directory = try state.directory(at: path)
      if state.weather.isLying?(path) == true { return }
      state.flushDirectory(directory)
    }
  }

  package func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    try perform(.lock, path, mutating: true) { (state, now) throws(Refusal) in
      try state.lock(path, now)
    }
  }

  package func volume(of path: Path) throws(DiskError) -> Volume? {
    try perform(.volume, path, mutating: false) { (state, now) throws(Refusal) in
      guard try state.node(at: path) != nil else { throw Refusal(.notFound) }
      return Volume(freeBytes: state.freeBytes, isRemote: false)
    }
  }

  package func refusal(ofChangesIn directory: Path) throws(DiskError) -> DiskFault? {
    try perform(.status, directory, mutating: false) { (state, now) throws(Refusal) in
      _ = try state.directory(at: directory)
      return state.weather.isReadOnly ? .readOnly : nil
    }
  }

  package func watch(_ directory: Path) throws(DiskError) -> any Watch {
    let number = try perform(.watch, directory, mutating: false) { (state, now) throws(Refusal) in
      try state.watches.add(of: state.directory(at: directory))
    }
    return SimulatedWatch(number, of: directory, on: self)
  }

  /// Runs a closure on the state while holding the lock.
  ///
  /// This method is used by the extensions in other files.
  func with<Value: Sendable>(_ body: (inout DiskState) -> Value) -> Value {
    state.withLock { body(&$0) }
  }

  /// Begins to record the state after each mutating call that succeeds.
  package func record() { history.withLock { $0 = [] } }

  /// Ends the recording, and returns a disk for the state after each mutating call that succeeded.
  package func recorded() -> [SimulatedDisk] {
    let states = history.withLock { $0.take() } ?? []
    return states.map { SimulatedDisk($0, timekeeper) }
  }

  /// Returns an independent disk in the same state, including its open tokens and scheduled failures.
  package func copy() -> SimulatedDisk { SimulatedDisk(with { $0 }, timekeeper) }

  private func remember(_ state: DiskState) { history.withLock { $0?.append(state) } }

  private func perform<Value: Sendable>(
    _ operation: DiskOperation, _ path: Path, mutating changes: Bool,
    _ body: (inout DiskState, Moment) throws(Refusal) -> Value
  ) throws(DiskError) -> Value {
    let now = timekeeper.now()
    do throws(Refusal) {
      return try state.withLock { (state) throws(Refusal) in
        if let reason = state.weather.strike(operation, mutating: changes) { throw Refusal(reason) }
        guard !path.containsZero else { throw Refusal(.invalid) }
        let value = try body(&state, now)
        if changes { remember(state) }
        return value
      }
    } catch {
      throw DiskError(operation, path, error.reason)
    }
  }

  private func perform<Value: Sendable>(
    _ operation: DiskOperation, _ file: FileToken, mutating changes: Bool,
    _ body: (inout DiskState, Handle, Moment) throws(Refusal) -> Value
  ) throws(DiskError) -> Value {
    let now = timekeeper.now()
    var path = Path("")
    do throws(Refusal) {
      return try state.withLock { (state) throws(Refusal) in
        let handle = state.files[file]
        if let handle { path = handle.path }
        if let reason = state.weather.strike(operation, mutating: changes) { throw Refusal(reason) }
        guard let handle else { throw Refusal(.closed) }
        let value = try body(&state, handle, now)
        if changes { remember(state) }
        return value
      }
    } catch {
      throw DiskError(operation, path, error.reason)
    }
  }
}

extension Path {
  fileprivate var containsZero: Bool {
    let bytes = string.utf8.span
    for place in bytes.indices where bytes[place] == 0 { return true }
    return false
  }
}
