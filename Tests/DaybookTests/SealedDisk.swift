import Platform
import SimulatedPlatform

/// A disk on which the log files, or the folders of logs, cannot be written to.
final class SealedDisk: TransparentDisk {
  let wrapped: any Disk
  private let isSealed: @Sendable (Path, Access) -> Bool

  init(_ disk: any Disk, isSealed: @escaping @Sendable (Path, Access) -> Bool) {
    (wrapped, self.isSealed) = (disk, isSealed)
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    if isSealed(path, access) { throw DiskError(.open, path, .permission) }
    return try wrapped.open(path, access)
  }
}
