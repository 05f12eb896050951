/// A file held open, closed when its owner lets go of it.
public struct OpenFile: ~Copyable {
  private let disk: any Disk
  private var token: FileToken?

  /// Where the file was when it was opened.
  public let path: Path

  /// Opens a file.
  public init(_ path: Path, _ access: Access, on disk: any Disk) throws(DiskError) {
    self.init(try disk.open(path, access), path, on: disk)
  }

  private init(_ token: FileToken, _ path: Path, on disk: any Disk) {
    self.disk = disk
    self.token = token
    self.path = path
  }

  // Whoever wants to know whether closing worked calls close(); what must last was flushed before.
  deinit { if let token { try? disk.close(token) } }

  /// Takes a file's lock and holds it as long as the value lives; nil while another has it.
  public static func locking(
    _ path: Path, on disk: any Disk
  ) throws(DiskError) -> OpenFile? {
    guard let lock = try disk.lock(path) else { return nil }
    return OpenFile(lock.token, path, on: disk)
  }

  /// Reads bytes; fewer than asked for only where the file ends.
  public func read(at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    try disk.read(live(.read), at: offset, count: count)
  }

  /// Writes all the bytes; a gap before them reads as zeros.
  public func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) {
    try disk.write(live(.write), bytes, at: offset)
  }

  /// How many bytes the file holds.
  public func size() throws(DiskError) -> Int { try disk.size(live(.size)) }

  /// Cuts the file to a size, or pads it with zeros.
  public func truncate(to size: Int) throws(DiskError) {
    try disk.truncate(live(.truncate), to: size)
  }

  /// Has the system begin to write bytes that a flush is going to wait for.
  public func beginWriting(at offset: Int, count: Int) throws(DiskError) {
    try disk.beginWriting(live(.flush), at: offset, count: count)
  }

  /// Returns when the file's bytes will survive a power cut.
  public func flush() throws(DiskError) { try disk.flush(live(.flush)) }

  /// Lets go of the file's bytes in memory, so that the next reading shows what the disk has.
  public func forgetCached() throws(DiskError) { try disk.forgetCached(live(.forgetCached)) }

  /// Closes now, so that a failure is seen.
  public consuming func close() throws(DiskError) {
    guard let token = token.take() else { return }
    try disk.close(token)
  }

  private func live(_ operation: DiskOperation) throws(DiskError) -> FileToken {
    // The token goes only when the whole value is consumed, so this holds for every caller.
    guard let token else { throw DiskError(operation, path, .closed) }
    return token
  }
}
