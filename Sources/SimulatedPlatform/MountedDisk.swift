package import Platform

/// A machine's own disk, with shared disks (*sticks*) mounted at `/stick0`, `/stick1` and so on.
package final class MountedDisk: Disk {
  private let own: SimulatedDisk
  private let sticks: [SimulatedDisk]

  /// The factor between the token numbers of a disk and those of the mounted disk.
  ///
  /// The remainder of a token number after division by this factor is the index of its disk.
  private static let most: Int32 = 8

  package init(own: SimulatedDisk, sticks: [SimulatedDisk]) {
    precondition(sticks.count < Self.most, "a token has no space for the number of another stick")
    (self.own, self.sticks) = (own, sticks)
  }

  private static let mark = Array("/stick".utf8)

  package static func stick(_ number: Int) -> Path { Path("/stick\(number)") }

  /// Returns the index of the disk that contains the given path: 0 for the machine's own disk, and 1 for the first
  /// stick.
  ///
  /// A path is on a stick only if its first component is exactly the stick's name. For example, `/stick` and
  /// `/stick0.old` are on the machine's own disk.
  private func place(of path: Path) -> Int {
    let (bytes, end) = (path.string.utf8.span, Self.mark.count)
    guard bytes.count > end, bytes.count == end + 1 || bytes[end + 1] == UInt8(ascii: "/") else {
      return 0
    }
    for place in 0..<end where bytes[place] != Self.mark[place] { return 0 }
    let number = Int(bytes[end]) - 0x30
    return sticks.indices.contains(number) ? number + 1 : 0
  }

  private func disk(at place: Int) -> SimulatedDisk { place == 0 ? own : sticks[place - 1] }

  private func disk(of path: Path) -> SimulatedDisk { disk(at: place(of: path)) }

  private func disk(of file: FileToken) -> (disk: SimulatedDisk, file: FileToken) {
    let place = Int(file.number % Self.most)
    return (disk(at: place), FileToken(number: file.number / Self.most))
  }

  private func token(_ token: FileToken, of path: Path) -> FileToken {
    FileToken(number: token.number * Self.most + Int32(place(of: path)))
  }

  package var isInMemory: Bool { true }

  package func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    token(try disk(of: path).open(path, access), of: path)
  }

  package func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    let (disk, file) = disk(of: file)
    return try disk.read(file, at: offset, count: count)
  }

  package func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.write(file, bytes, at: offset)
  }

  package func size(_ file: FileToken) throws(DiskError) -> Int {
    let (disk, file) = disk(of: file)
    return try disk.size(file)
  }

  package func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.truncate(file, to: size)
  }

  package func flush(_ file: FileToken) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.flush(file)
  }

  package func forgetCached(_ file: FileToken) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.forgetCached(file)
  }

  package func close(_ file: FileToken) throws(DiskError) {
    let (disk, file) = disk(of: file)
    try disk.close(file)
  }

  package func status(_ path: Path) throws(DiskError) -> FileStatus? {
    try disk(of: path).status(path)
  }
  package func list(_ path: Path) throws(DiskError) -> [String] { try disk(of: path).list(path) }
  package func remove(_ path: Path) throws(DiskError) { try disk(of: path).remove(path) }
  package func removeDirectory(_ path: Path) throws(DiskError) {
    try disk(of: path).removeDirectory(path)
  }
  package func makeDirectory(_ path: Path) throws(DiskError) {
    try disk(of: path).makeDirectory(path)
  }
  package func flushDirectory(_ path: Path) throws(DiskError) {
    try disk(of: path).flushDirectory(path)
  }
  package func volume(of path: Path) throws(DiskError) -> Volume? {
    try disk(of: path).volume(of: path)
  }

  package func refusal(ofChangesIn directory: Path) throws(DiskError) -> DiskFault? {
    try disk(of: directory).refusal(ofChangesIn: directory)
  }

  package func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try disk(of: from).rename(from, to: destination)
  }

  package func watch(_ path: Path) throws(DiskError) -> any Watch { try disk(of: path).watch(path) }

  package func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    try disk(of: path).lock(path).map { HeldLock(token($0.token, of: path), found: $0.found) }
  }
}
