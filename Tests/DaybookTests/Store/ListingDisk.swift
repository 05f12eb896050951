import Platform
import SimulatedPlatform
import Synchronization

/// A disk that counts how often one directory is listed, and how many of its files are opened for reading.
final class ListingDisk: TransparentDisk {
  let wrapped: any Disk
  private let directory: Path
  private let state = Mutex((lists: 0, reads: 0))

  init(_ disk: any Disk, counting directory: Path) { (wrapped, self.directory) = (disk, directory) }

  var count: Int { state.withLock { $0.lists } }
  var reads: Int { state.withLock { $0.reads } }

  func list(_ directory: Path) throws(DiskError) -> [String] {
    if directory == self.directory { state.withLock { $0.lists += 1 } }
    return try wrapped.list(directory)
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    if access == .read, path.parent == directory { state.withLock { $0.reads += 1 } }
    return try wrapped.open(path, access)
  }
}
