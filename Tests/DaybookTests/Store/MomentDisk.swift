import Platform
import SimulatedPlatform
import Synchronization

/// A disk of a machine with a shared stick that copies both before each call that changes a file or a folder.
final class MomentDisk: TransparentDisk {
  /// The states of the two disks at one moment.
  struct Moment: Sendable {
    let own: SimulatedDisk
    let stick: SimulatedDisk
  }

  let wrapped: any Disk
  private let disks: Moment
  private let copies = Mutex<[Moment]>([])

  init(own: SimulatedDisk, stick: SimulatedDisk) {
    wrapped = MountedDisk(own: own, sticks: [stick])
    disks = Moment(own: own, stick: stick)
  }

  var moments: [Moment] { copies.withLock { $0 } }

  private func remember() {
    let moment = Moment(own: disks.own.copy(), stick: disks.stick.copy())
    copies.withLock { $0.append(moment) }
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    if access == .create { remember() }
    return try wrapped.open(path, access)
  }

  func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError) {
    remember()
    try wrapped.write(file, bytes, at: offset)
  }

  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    remember()
    try wrapped.rename(from, to: destination)
  }

  func remove(_ path: Path) throws(DiskError) {
    remember()
    try wrapped.remove(path)
  }
}
