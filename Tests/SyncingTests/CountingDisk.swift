import Platform
import SimulatedPlatform
import Synchronization

/// A disk that counts the files that are opened for reading in one folder, and the bytes read from them.
final class CountingDisk: TransparentDisk {
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
}
