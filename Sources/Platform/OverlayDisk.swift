import Synchronization

/// A disk for trial runs that keeps changes in memory and only reads from the disk below it.
///
/// Use an overlay in a process that performs a trial and then ends. The overlay does not take locks on the disk below,
/// and ignores existing ones. A write or truncation that would exceed the memory limit fails with ``DiskFault/full``. A
/// renamed file is read into memory without checking the limit.
public final class OverlayDisk: Disk {
  private let below: any Disk
  private let layer: OverlayLayer

  /// Creates an overlay over a disk; `limit` is in bytes.
  public convenience init(over disk: any Disk, holdingUpTo limit: Int = 1 << 30) {
    self.init(disk, OverlayLayer(limit: limit))
  }

  private init(_ below: any Disk, _ layer: OverlayLayer) {
    (self.below, self.layer) = (below, layer)
  }

  /// Returns the part of the disk inside the given folder, with the same changes in memory.
  public func confined(to folder: Path) -> any Disk {
    OverlayDisk(below.confined(to: folder), layer)
  }

  /// True, because the changes are in memory.
  public var isInMemory: Bool { true }

  /// Opens a plain file.
  public func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    try layer.open(path, access, over: below)
  }

  /// Reads up to `count` bytes; returns fewer bytes only at the end of the file.
  public func read(
    _ file: FileToken, at offset: Int, count: Int
  ) throws(DiskError) -> [UInt8] {
    try layer.read(file, at: offset, count: count)
  }

  /// Writes all the bytes to memory.
  public func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError) {
    try layer.change(file, .write, to: offset + bytes.count) { content in
      let missing = offset + bytes.count - content.count
      if missing > 0 { content += [UInt8](repeating: 0, count: missing) }
      content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }

  /// Returns the size of the file in bytes.
  public func size(_ file: FileToken) throws(DiskError) -> Int { try layer.size(file) }

  /// Truncates the file to a size, or extends it with zeros, in memory.
  public func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    try layer.change(file, .truncate, to: size, keeping: size) { content in
      content.removeLast(max(0, content.count - size))
      content += [UInt8](repeating: 0, count: size - content.count)
    }
  }

  /// Checks only that the file is open, because nothing is made durable.
  public func flush(_ file: FileToken) throws(DiskError) { _ = try layer.size(file) }

  /// Does nothing.
  public func forgetCached(_ file: FileToken) throws(DiskError) {}

  /// Closes a file and releases its lock.
  public func close(_ file: FileToken) throws(DiskError) { try layer.close(file) }

  /// Returns the status of the entry at the given path, or nil if there is none.
  public func status(_ path: Path) throws(DiskError) -> FileStatus? {
    try layer.status(path, over: below)
  }

  /// Returns the names in the given directory, sorted by their bytes.
  public func list(_ directory: Path) throws(DiskError) -> [String] {
    try layer.list(directory, over: below)
  }

  /// Moves a file or directory in memory.
  public func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try layer.rename(from, to: destination, over: below)
  }

  /// Removes a file in memory.
  public func remove(_ path: Path) throws(DiskError) {
    try layer.remove(path, .remove, being: .file, over: below)
  }

  /// Removes an empty directory in memory.
  public func removeDirectory(_ path: Path) throws(DiskError) {
    let names = try layer.list(path, over: below)
    guard names.isEmpty else { throw DiskError(.removeDirectory, path, .notEmpty) }
    try layer.remove(path, .removeDirectory, being: .directory, over: below)
  }

  /// Creates one directory in memory.
  public func makeDirectory(_ path: Path) throws(DiskError) {
    try layer.makeDirectory(path, over: below)
  }

  /// Checks only that the directory can be listed, because nothing is made durable.
  public func flushDirectory(_ path: Path) throws(DiskError) { _ = try list(path) }

  /// Takes a lock that is visible only to users of this overlay.
  public func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    try layer.lock(path, over: below)
  }

  /// Returns the properties of the file system below.
  public func volume(of path: Path) throws(DiskError) -> Volume? { try below.volume(of: path) }
}
