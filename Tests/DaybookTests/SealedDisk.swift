import Platform

/// A disk on which the log files, or the folders of logs, cannot be written to.
final class SealedDisk: ForwardingDisk {
  let wrapped: any Disk
  private let isSealed: @Sendable (Path, Access) -> Bool

  init(_ disk: any Disk, isSealed: @escaping @Sendable (Path, Access) -> Bool) {
    (wrapped, self.isSealed) = (disk, isSealed)
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    if isSealed(path, access) { throw DiskError(.open, path, .permission) }
    return try wrapped.open(path, access)
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? { try wrapped.status(path) }
  func list(_ directory: Path) throws(DiskError) -> [String] { try wrapped.list(directory) }
  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try wrapped.rename(from, to: destination)
  }
  func remove(_ path: Path) throws(DiskError) { try wrapped.remove(path) }
  func removeDirectory(_ path: Path) throws(DiskError) { try wrapped.removeDirectory(path) }
  func makeDirectory(_ path: Path) throws(DiskError) { try wrapped.makeDirectory(path) }
  func flushDirectory(_ path: Path) throws(DiskError) { try wrapped.flushDirectory(path) }
  func lock(_ path: Path) throws(DiskError) -> HeldLock? { try wrapped.lock(path) }
  func volume(of path: Path) throws(DiskError) -> Volume? { try wrapped.volume(of: path) }
}
