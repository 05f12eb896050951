import Synchronization

/// A disk on which things are tried: what is done to it stays in memory, and the disk below it is
/// only read.
///
/// It is for one process that tries something and ends: locks on the disk below it are neither
/// taken nor seen. More than a limit is not kept in memory; then it is full.
public final class OverlayDisk: Disk {
  private let below: any Disk
  private let layer: OverlayLayer

  /// Lays a disk in memory over another one.
  public convenience init(over disk: any Disk, holdingUpTo limit: Int = 1 << 30) {
    self.init(disk, OverlayLayer(limit: limit))
  }

  private init(_ below: any Disk, _ layer: OverlayLayer) {
    (self.below, self.layer) = (below, layer)
  }

  /// The part of the disk that lies in a folder; what was done so far is seen there, too.
  public func confined(to folder: Path) -> any Disk {
    OverlayDisk(below.confined(to: folder), layer)
  }

  /// Opens a plain file.
  public func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    try layer.open(path, access, over: below)
  }

  /// Reads bytes; fewer than asked for only where the file ends.
  public func read(
    _ file: FileToken, at offset: Int, count: Int
  ) throws(DiskError) -> [UInt8] {
    try layer.read(file, at: offset, count: count)
  }

  /// Writes all the bytes into memory.
  public func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError) {
    try layer.change(file, .write, to: offset + bytes.count) { content in
      let missing = offset + bytes.count - content.count
      if missing > 0 { content += [UInt8](repeating: 0, count: missing) }
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }

  /// How many bytes the file holds.
  public func size(_ file: FileToken) throws(DiskError) -> Int { try layer.size(file) }

  /// Cuts the file to a size, or pads it with zeros.
  public func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    try layer.change(file, .truncate, to: size) { content in
      content.removeLast(max(0, content.count - size))
      content += [UInt8](repeating: 0, count: size - content.count)
    }
  }

  /// Keeps nothing: what is tried is to be forgotten.
  public func flush(_ file: FileToken) throws(DiskError) { _ = try layer.size(file) }

  /// Changes nothing.
  public func forgetCached(_ file: FileToken) throws(DiskError) {}

  /// Ends the use of a file and releases its lock.
  public func close(_ file: FileToken) throws(DiskError) { try layer.close(file) }

  /// What lies at a path, or nil when nothing does.
  public func status(_ path: Path) throws(DiskError) -> FileStatus? {
    try layer.status(path, over: below)
  }

  /// The names in a directory, sorted by their bytes.
  public func list(_ directory: Path) throws(DiskError) -> [String] {
    try layer.list(directory, over: below)
  }

  /// Moves a file or directory, in memory.
  public func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try layer.rename(from, to: destination, over: below)
  }

  /// Removes a file, in memory.
  public func remove(_ path: Path) throws(DiskError) {
    try layer.remove(path, .remove, being: .file, over: below)
  }

  /// Removes an empty directory, in memory.
  public func removeDirectory(_ path: Path) throws(DiskError) {
    let names = try layer.list(path, over: below)
    guard names.isEmpty else { throw DiskError(.removeDirectory, path, .notEmpty) }
    try layer.remove(path, .removeDirectory, being: .directory, over: below)
  }

  /// Makes one directory, in memory.
  public func makeDirectory(_ path: Path) throws(DiskError) {
    try layer.makeDirectory(path, over: below)
  }

  /// Keeps nothing.
  public func flushDirectory(_ path: Path) throws(DiskError) { _ = try list(path) }

  /// Takes a lock that only others of this disk see.
  public func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    try layer.lock(path, over: below)
  }

  /// What there is to know of the file system below.
  public func volume(of path: Path) throws(DiskError) -> Volume? { try below.volume(of: path) }
}
