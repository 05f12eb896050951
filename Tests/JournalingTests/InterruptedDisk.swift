import Platform
import SimulatedPlatform

/// A disk on which another process acts directly after a folder has been listed.
final class InterruptedDisk: TransparentDisk {
  private let disk: SimulatedDisk
  var wrapped: any Disk { disk }
  private let listed: Path
  /// The size to report for every open file instead of its real size.
  private let claimedSize: Int?
  /// The number of bytes to add to the size of a file in its status.
  private let padding: [Path: Int]
  /// Called with the path of each opened file.
  private let opening: @Sendable (Path) -> Void
  private let happening: @Sendable (SimulatedDisk) throws(DiskError) -> Void

  init(
    _ disk: SimulatedDisk, afterListing listed: Path = Path(""), claiming size: Int? = nil,
    padding: [Path: Int] = [:],
    _ happening: @escaping @Sendable (SimulatedDisk) throws(DiskError) -> Void = { _ in },
    opening: @escaping @Sendable (Path) -> Void = { _ in }
  ) {
    (self.disk, self.listed, claimedSize, self.happening) = (disk, listed, size, happening)
    (self.padding, self.opening) = (padding, opening)
  }

  func list(_ directory: Path) throws(DiskError) -> [String] {
    let names = try disk.list(directory)
    if directory == listed { try happening(disk) }
    return names
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    opening(path)
    return try disk.open(path, access)
  }

  func size(_ file: FileToken) throws(DiskError) -> Int {
    if let claimedSize { return claimedSize }
    return try disk.size(file)
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? {
    var status = try disk.status(path)
    status?.size += padding[path] ?? 0
    return status
  }
}
