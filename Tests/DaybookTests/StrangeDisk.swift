import Platform
import SimulatedPlatform

/// A simulated disk that reports different permissions, owners and volumes, and that other processes change.
final class StrangeDisk: TransparentDisk {
  let disk: SimulatedDisk
  var wrapped: any Disk { disk }
  private let open: Set<Path>
  private let strangers: Set<Path>
  private let isRemote: Bool
  /// The action of another process whenever a folder is listed.
  private let meanwhile: @Sendable (SimulatedDisk, Path) throws(DiskError) -> Void
  /// The action whenever a lock is taken.
  private let whenLocked: @Sendable (SimulatedDisk) -> Void

  init(
    _ disk: SimulatedDisk, open: Set<Path> = [], strangers: Set<Path> = [],
    isRemote: Bool = false,
    meanwhile: @escaping @Sendable (SimulatedDisk, Path) throws(DiskError) -> Void = { _, _ in },
    whenLocked: @escaping @Sendable (SimulatedDisk) -> Void = { _ in }
  ) {
    self.whenLocked = whenLocked
    (self.disk, self.open, self.strangers) = (disk, open, strangers)
    (self.isRemote, self.meanwhile) = (isRemote, meanwhile)
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? {
    guard var status = try disk.status(path) else { return nil }
    if open.contains(path) { status.permissions |= 0o044 }
    status.isOwn = !strangers.contains(path)
    return status
  }

  func volume(of path: Path) throws(DiskError) -> Volume? {
    guard var volume = try disk.volume(of: path) else { return nil }
    volume.isRemote = isRemote
    return volume
  }

  func list(_ directory: Path) throws(DiskError) -> [String] {
    try meanwhile(disk, directory)
    return try disk.list(directory)
  }

  func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    let lock = try disk.lock(path)
    if lock != nil { whenLocked(disk) }
    return lock
  }
}
