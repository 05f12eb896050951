/// Restricts a disk to the paths in one folder.
///
/// Only the text of paths is checked. A disk with symbolic links must implement ``Disk/confined(to:)`` itself.
struct ConfinedDisk: ForwardingDisk {
  let wrapped: any Disk
  private let folder: Path

  init(_ disk: any Disk, to folder: Path) { (wrapped, self.folder) = (disk, folder) }

  /// Throws ``DiskFault/outside`` unless the path refers to the folder or to an entry below it.
  private func check(_ operation: DiskOperation, _ path: Path) throws(DiskError) {
    guard path.names(below: folder) != nil else { throw DiskError(operation, path, .outside) }
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    try check(.open, path)
    return try wrapped.open(path, access)
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? {
    try check(.status, path)
    return try wrapped.status(path)
  }

  func list(_ directory: Path) throws(DiskError) -> [String] {
    try check(.list, directory)
    return try wrapped.list(directory)
  }

  func list(_ directory: Path, atMost limit: Int) throws(DiskError) -> [String]? {
    try check(.list, directory)
    return try wrapped.list(directory, atMost: limit)
  }

  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try check(.rename, from)
    try check(.rename, destination)
    try wrapped.rename(from, to: destination)
  }

  func remove(_ path: Path) throws(DiskError) {
    try check(.remove, path)
    try wrapped.remove(path)
  }

  func removeDirectory(_ path: Path) throws(DiskError) {
    try check(.removeDirectory, path)
    try wrapped.removeDirectory(path)
  }

  func makeDirectory(_ path: Path) throws(DiskError) {
    try check(.makeDirectory, path)
    try wrapped.makeDirectory(path)
  }

  func flushDirectory(_ path: Path) throws(DiskError) {
    try check(.flushDirectory, path)
    try wrapped.flushDirectory(path)
  }

  func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    try check(.lock, path)
    return try wrapped.lock(path)
  }

  func volume(of path: Path) throws(DiskError) -> Volume? {
    try check(.volume, path)
    return try wrapped.volume(of: path)
  }

  func refusal(ofChangesIn directory: Path) throws(DiskError) -> DiskFault? {
    try check(.status, directory)
    return try wrapped.refusal(ofChangesIn: directory)
  }

  func watch(_ directory: Path) throws(DiskError) -> any Watch {
    try check(.watch, directory)
    return try wrapped.watch(directory)
  }

  func confined(to folder: Path) -> any Disk { ConfinedDisk(self, to: folder) }
}
