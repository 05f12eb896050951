import Synchronization

/// The changes that an ``OverlayDisk`` keeps in memory.
final class OverlayLayer: Sendable {
  private let state: Mutex<OverlayState>

  init(limit: Int) { state = Mutex(OverlayState(limit: limit)) }

  func open(_ path: Path, _ access: Access, over below: any Disk) throws(DiskError) -> FileToken {
    try withState { (state) throws(DiskError) in
      let status = try state.status(path, over: below)
      if access == .create {
        guard status == nil else { throw DiskError(.open, path, .exists) }
        try state.requireParent(of: path, .open, over: below)
        return state.register(state.make([]), at: path, isNew: true)
      }
      guard let status else { throw DiskError(.open, path, .notFound) }
      guard status.kind != .directory else { throw DiskError(.open, path, .isADirectory) }
      return try state.open(path, canWrite: access == .write, over: below)
    }
  }

  func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    try withState { (state) throws(DiskError) in
      try state.read(try state.handle(file, .read).node, at: offset, count: count)
    }
  }

  func size(_ file: FileToken) throws(DiskError) -> Int {
    try withState { (state) throws(DiskError) in
      try state.size(of: try state.handle(file, .size).node)
    }
  }

  func change(
    _ file: FileToken, _ operation: DiskOperation, to size: Int, keeping count: Int = .max,
    _ body: (inout [UInt8]) -> Void
  ) throws(DiskError) {
    try withState { (state) throws(DiskError) in
      let handle = try state.handle(file, operation)
      guard handle.canWrite else { throw DiskError(operation, handle.path, .readOnly) }
      try state.change(handle, operation, to: size, keeping: count, body)
    }
  }

  func close(_ file: FileToken) throws(DiskError) {
    try withState { (state) throws(DiskError) in try state.close(file) }
  }

  func status(_ path: Path, over below: any Disk) throws(DiskError) -> FileStatus? {
    try withState { (state) throws(DiskError) in try state.status(path, over: below) }
  }

  func list(_ directory: Path, over below: any Disk) throws(DiskError) -> [String] {
    try withState { (state) throws(DiskError) in try state.list(directory, over: below) }
  }

  func rename(
    _ from: Path, to destination: Path, over below: any Disk
  ) throws(DiskError) {
    try withState { (state) throws(DiskError) in
      guard let moved = try state.status(from, over: below) else {
        throw DiskError(.rename, from, .notFound)
      }
      try state.requireParent(of: destination, .rename, over: below)
      let isThere = try state.status(destination, over: below)
      if moved.kind == .directory {
        guard isThere == nil else { throw DiskError(.rename, from, .exists) }
        try state.moveDirectory(from, to: destination, over: below)
      } else {
        guard isThere?.kind != .directory else { throw DiskError(.rename, from, .isADirectory) }
        try state.moveFile(from, to: destination, over: below)
      }
    }
  }

  func remove(
    _ path: Path, _ operation: DiskOperation, being kind: FileStatus.Kind, over below: any Disk
  ) throws(DiskError) {
    try withState { (state) throws(DiskError) in
      guard let status = try state.status(path, over: below) else {
        throw DiskError(operation, path, .notFound)
      }
      guard (status.kind == .directory) == (kind == .directory) else {
        throw DiskError(operation, path, kind == .file ? .isADirectory : .notADirectory)
      }
      state.entries[path] = .gone
    }
  }

  func makeDirectory(_ path: Path, over below: any Disk) throws(DiskError) {
    try withState { (state) throws(DiskError) in
      if let status = try state.status(path, over: below) {
        // The disk below determines whether a link points to a directory.
        guard status.kind != .directory else { return }
        if status.kind == .other { return try below.makeDirectory(path) }
        throw DiskError(.makeDirectory, path, .exists)
      }
      try state.requireParent(of: path, .makeDirectory, over: below)
      state.entries[path] = .directory
    }
  }

  func lock(_ path: Path, over below: any Disk) throws(DiskError) -> HeldLock? {
    try withState { (state) throws(DiskError) in
      // The content that the last holder wrote is not returned, because that holder did not use this overlay.
      try state.lock(path, over: below).map { HeldLock($0, found: []) }
    }
  }

  private func withState<Value>(
    _ body: (inout OverlayState) throws(DiskError) -> Value
  ) throws(DiskError) -> Value {
    try state.withLock { (state) throws(DiskError) in try body(&state) }
  }
}
