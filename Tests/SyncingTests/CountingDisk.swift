import Platform
import Synchronization

/// A disk that counts the files that are opened for reading in one folder, and the bytes read from them.
final class CountingDisk: ForwardingDisk {
  struct Reads: Hashable {
    var files = 0
    var bytes = 0
  }

  let wrapped: any Disk
  private let folder: Path
  private let state = Mutex((reads: Reads(), open: Set<FileToken>()))

  init(_ disk: any Disk, in folder: Path) { (wrapped, self.folder) = (disk, folder) }

  var reads: Reads { state.withLock { $0.reads } }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    let token = try wrapped.open(path, access)
    guard access == .read, path.names(below: folder) != nil else { return token }
    state.withLock { state in
      state.reads.files += 1
      state.open.insert(token)
    }
    return token
  }

  func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    let bytes = try wrapped.read(file, at: offset, count: count)
    state.withLock { state in
      if state.open.contains(file) { state.reads.bytes += bytes.count }
    }
    return bytes
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? { try wrapped.status(path) }
  func list(_ directory: Path) throws(DiskError) -> [String] { try wrapped.list(directory) }
  func remove(_ path: Path) throws(DiskError) { try wrapped.remove(path) }
  func removeDirectory(_ path: Path) throws(DiskError) { try wrapped.removeDirectory(path) }
  func makeDirectory(_ path: Path) throws(DiskError) { try wrapped.makeDirectory(path) }
  func flushDirectory(_ path: Path) throws(DiskError) { try wrapped.flushDirectory(path) }
  func lock(_ path: Path) throws(DiskError) -> HeldLock? { try wrapped.lock(path) }

  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try wrapped.rename(from, to: destination)
  }
}
