/// A part of a disk, beyond which no path leads.
///
/// It goes by what paths say alone: a disk that has links sees to them itself, in its own
/// ``Disk/confined(to:)``.
struct ConfinedDisk: Disk {
  private let disk: any Disk
  private let folder: Path

  init(_ disk: any Disk, to folder: Path) { (self.disk, self.folder) = (disk, folder) }

  /// Lets a path pass that leads to the folder or below it.
  private func check(_ operation: DiskOperation, _ path: Path) throws(DiskError) {
    guard path.names(below: folder) != nil else { throw DiskError(operation, path, .outside) }
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    try check(.open, path)
    return try disk.open(path, access)
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? {
    try check(.status, path)
    return try disk.status(path)
  }

  func list(_ directory: Path) throws(DiskError) -> [String] {
    try check(.list, directory)
    return try disk.list(directory)
  }

  func list(_ directory: Path, atMost limit: Int) throws(DiskError) -> [String]? {
    try check(.list, directory)
    return try disk.list(directory, atMost: limit)
  }

  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try check(.rename, from)
    try check(.rename, destination)
    try disk.rename(from, to: destination)
  }

  func remove(_ path: Path) throws(DiskError) {
    try check(.remove, path)
    try disk.remove(path)
  }

  func removeDirectory(_ path: Path) throws(DiskError) {
    try check(.removeDirectory, path)
    try disk.removeDirectory(path)
  }

  func makeDirectory(_ path: Path) throws(DiskError) {
    try check(.makeDirectory, path)
    try disk.makeDirectory(path)
  }

  func flushDirectory(_ path: Path) throws(DiskError) {
    try check(.flushDirectory, path)
    try disk.flushDirectory(path)
  }

  func lock(_ path: Path) throws(DiskError) -> FileToken? {
    try check(.lock, path)
    return try disk.lock(path)
  }

  func volume(of path: Path) throws(DiskError) -> Volume? {
    try check(.volume, path)
    return try disk.volume(of: path)
  }

  func watch(_ directory: Path) throws(DiskError) -> any Watch {
    try check(.watch, directory)
    return try disk.watch(directory)
  }

  func confined(to folder: Path) -> any Disk { ConfinedDisk(self, to: folder) }

  // MARK: Files that are open

  func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    try disk.read(file, at: offset, count: count)
  }

  func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError) {
    try disk.write(file, bytes, at: offset)
  }

  func size(_ file: FileToken) throws(DiskError) -> Int { try disk.size(file) }

  func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    try disk.truncate(file, to: size)
  }

  func beginWriting(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) {
    try disk.beginWriting(file, at: offset, count: count)
  }

  func flush(_ file: FileToken) throws(DiskError) { try disk.flush(file) }
  func forgetCached(_ file: FileToken) throws(DiskError) { try disk.forgetCached(file) }
  func close(_ file: FileToken) throws(DiskError) { try disk.close(file) }
}
