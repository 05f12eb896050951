import Bytes
import Domain
import Platform
import ReadModel

/// Creates, replaces and removes the files of read models.
struct ReadModelFiles {
  let machine: Machine

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
    if case .file(let path) = place {
      try wrap(DaybookError.disk) { () throws(DiskError) in
        try remove(at: path)
        try machine.disk.rename(draft, to: Path(path))
      }
    }
    return try wrap(DaybookError.view) { () throws(ReadModelError) in try ReadModel(place) }
  }

  /// Removes the files of a read model.
  ///
  /// - Returns: Whether any files existed.
  @discardableResult
  func remove(at path: String) throws(DiskError) -> Bool {
    var isFound = false
    for name in [path] + ReadModel.companionSuffixes.map({ path + $0 })
    where try machine.disk.removeIfPresent(Path(name)) {
      isFound = true
    }
    return isFound
  }

  /// Removes the files of a read model durably.
  func remove(durablyAt path: String) throws(DaybookError) {
    try wrap(DaybookError.disk) { () throws(DiskError) in
      if try remove(at: path) {
        try machine.disk.flushDirectory(Path(path).parent)
      }
    }
  }
}
