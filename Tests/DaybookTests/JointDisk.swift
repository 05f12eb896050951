import Platform
import SimulatedPlatform

/// A machine's own disk with a second one below `/stick`, which several machines share.
final class JointDisk: Disk {
  static let stick = Path("/stick")
  private let own: SimulatedDisk
  private let shared: SimulatedDisk

  init(own: SimulatedDisk, stick: SimulatedDisk) { (self.own, shared) = (own, stick) }

  private func disk(of path: Path) -> SimulatedDisk {
    path == Self.stick || path.string.hasPrefix("/stick/") ? shared : own
  }

  /// Tokens of the stick are told by their sign.
  private func disk(of file: FileToken) -> (disk: SimulatedDisk, file: FileToken) {
    file.number < 0 ? (shared, FileToken(number: -1 - file.number)) : (own, file)
  }

  private func token(_ token: FileToken, of path: Path) -> FileToken {
    disk(of: path) === shared ? FileToken(number: -1 - token.number) : token
  }

  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    token(try disk(of: path).open(path, access), of: path)
  }

  func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    let (disk, file) = disk(of: file)
    return try disk.read(file, at: offset, count: count)
  }

  func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.write(file, bytes, at: offset)
  }

  func size(_ file: FileToken) throws(DiskError) -> Int {
    let (disk, file) = disk(of: file)
    return try disk.size(file)
  }

  func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.truncate(file, to: size)
  }

  func flush(_ file: FileToken) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.flush(file)
  }

  func forgetCached(_ file: FileToken) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.forgetCached(file)
  }

  func close(_ file: FileToken) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.close(file)
  }

  func status(_ path: Path) throws(DiskError) -> FileStatus? { try disk(of: path).status(path) }
  func list(_ path: Path) throws(DiskError) -> [String] { try disk(of: path).list(path) }
  func remove(_ path: Path) throws(DiskError) { try disk(of: path).remove(path) }
  func removeDirectory(_ path: Path) throws(DiskError) { try disk(of: path).removeDirectory(path) }
  func makeDirectory(_ path: Path) throws(DiskError) { try disk(of: path).makeDirectory(path) }
  func flushDirectory(_ path: Path) throws(DiskError) { try disk(of: path).flushDirectory(path) }

  func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try disk(of: from).rename(from, to: destination)
  }

  func watch(_ path: Path) throws(DiskError) -> any Watch { try disk(of: path).watch(path) }

  func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    try disk(of: path).lock(path).map { HeldLock(token($0.token, of: path), found: $0.found) }
  }
}
