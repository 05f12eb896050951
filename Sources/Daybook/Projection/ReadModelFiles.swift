import Bytes
import Domain
import Platform
import ReadModel

/// Opens, creates, replaces and removes the files of read models.
///
/// Several processes may do this at the same time. A process that creates, replaces or removes the file of a read model
/// locks the file named in ``lock(of:)``. A process that has opened a read model keeps it, even after the file was
/// replaced.
struct ReadModelFiles {
  let machine: Machine

  /// Opens a read model, and creates it if there is none.
  func open(_ place: ReadModel.Place) throws(DaybookError) -> ReadModel {
    guard case .file(let path) = place else { return try opened(place) }
    if let model = try shared(path) { return model }
    return try alone(with: path) { () throws(DaybookError) in try opened(place) }
  }

  /// Opens the read model of a file; nil if there is no file.
  func existing(at path: String) throws(DaybookError) -> ReadModel? {
    if let model = try shared(path) { return model }
    guard try isThere(path) else { return nil }
    return try alone(with: path) { () throws(DaybookError) in
      try isThere(path) ? try opened(.file(path)) : nil
    }
  }

  private func opened(_ place: ReadModel.Place) throws(DaybookError) -> ReadModel {
    try wrap(DaybookError.view) { () throws(ReadModelError) in try ReadModel(place) }
  }

  /// Opens the read model of a file without the lock; nil if this is not possible, because there is no file or because
  /// another process is creating or replacing it.
  private func shared(_ path: String) throws(DaybookError) -> ReadModel? {
    do throws(ReadModelError) {
      return try ReadModel.existing(at: path)
    } catch {
      // SQLite does not say whether the file is missing.
      guard try isThere(path) else { return nil }
      throw .view(error)
    }
  }

  private func isThere(_ path: String) throws(DaybookError) -> Bool {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      try machine.disk.status(Path(path)) != nil
    }
  }

  /// The file that a process locks to create, replace or remove the file of a read model.
  static func lock(of path: String) -> Path { Path(path + "-lock") }

  /// Runs a function while no other process creates, replaces or removes the file.
  private func alone<Value>(
    with path: String, _ body: () throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    let file = Self.lock(of: path)
    let lock = try wrap(DaybookError.disk) { () throws(DiskError) in try machine.awaitLock(file) }
    guard let lock else { throw .busy(holder: machine.holder(of: file)) }
    // An error here loses nothing, because the lock is released with the token regardless.
    defer { try? machine.disk.close(lock.token) }
    return try body()
  }

  /// Creates a read model in memory.
  func tables(
    of records: Records, _ change: Change
  ) throws(DaybookError) -> ReadModel {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.inMemory(from: records, change: change, beside: machine.beside)
    }
  }

  /// Creates a read model in a file.
  func build(
    _ path: Path, of records: Records, _ change: Change
  ) throws(DaybookError) {
    try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.build(file: path, from: records, change: change, on: machine)
    }
  }

  /// The path at which a new read model is built, next to the old one; nil for a read model in memory.
  ///
  /// Two processes may rebuild the read model at the same time. Each process builds its own file. The last rename wins,
  /// and the files are never mixed.
  func draft(of place: ReadModel.Place) -> Path? {
    guard case .file(let path) = place else { return nil }
    return Path(path + "." + Hex.encode(machine.dice.bytes(4)))
  }

  /// Replaces a read model with a new one, and opens it.
  func replace(_ place: ReadModel.Place, by draft: Path) throws(DaybookError) -> ReadModel {
    guard case .file(let path) = place else { return try opened(place) }
    return try alone(with: path) { () throws(DaybookError) in
      try wrap(DaybookError.disk) { () throws(DiskError) in
        try removeFiles(at: path)
        try machine.disk.rename(draft, to: Path(path))
      }
      return try opened(place)
    }
  }

  /// Removes an unfinished draft.
  func remove(_ draft: Path) throws(DiskError) { try removeFiles(at: draft.string) }

  /// Removes the files of a read model.
  ///
  /// - Returns: Whether any files existed.
  @discardableResult
  private func removeFiles(at path: String) throws(DiskError) -> Bool {
    var isFound = false
    for name in [path] + ReadModel.companionSuffixes.map({ path + $0 })
    where try machine.disk.removeIfPresent(Path(name)) {
      isFound = true
    }
    return isFound
  }

  /// Removes the files of a read model durably.
  func remove(durablyAt path: String) throws(DaybookError) {
    try alone(with: path) { () throws(DaybookError) in
      try wrap(DaybookError.disk) { () throws(DiskError) in
        if try removeFiles(at: path) {
          try machine.disk.flushDirectory(Path(path).parent)
        }
      }
    }
  }
}
