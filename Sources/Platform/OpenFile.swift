/// An open file that is closed when the value is destroyed.
public struct OpenFile: ~Copyable {
  private let disk: any Disk
  private var token: FileToken?

  /// The path with which the file was opened.
  public let path: Path

  /// Opens a file.
  ///
  /// If the user may not write to the file, the error names the operation `write`, because the user may still be able
  /// to read the file.
  public init(_ path: Path, _ access: Access, on disk: any Disk) throws(DiskError) {
    let token: FileToken
    do throws(DiskError) {
      token = try disk.open(path, access)
    } catch {
      guard access != .read, error.reason == .permission else { throw error }
      throw DiskError(.write, error.path, .permission)
    }
    self.init(token, path, on: disk)
  }

  private init(_ token: FileToken, _ path: Path, on disk: any Disk) {
    self.disk = disk
    self.token = token
    self.path = path
  }

  // Callers that need the result of closing call close(). Data that must be durable has already been flushed.
  deinit { if let token { try? disk.close(token) } }

  /// Takes the lock of a file for the lifetime of the value, or returns nil if another token holds it.
  public static func locking(
    _ path: Path, on disk: any Disk
  ) throws(DiskError) -> OpenFile? {
    guard let lock = try disk.lock(path) else { return nil }
    return OpenFile(lock.token, path, on: disk)
  }

  /// Reads up to `count` bytes; returns fewer bytes only at the end of the file.
  public func read(at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    try disk.read(live(.read), at: offset, count: count)
  }

  /// Writes all the bytes; if there is a gap before them, it reads as zeros.
  public func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) {
    try disk.write(live(.write), bytes, at: offset)
  }

  /// Returns the size of the file in bytes.
  public func size() throws(DiskError) -> Int { try disk.size(live(.size)) }

  /// Truncates the file to a size, or extends it with zeros.
  public func truncate(to size: Int) throws(DiskError) {
    try disk.truncate(live(.truncate), to: size)
  }

  /// Asks the system to start writing bytes that a later flush will wait for.
  public func beginWriting(at offset: Int, count: Int) throws(DiskError) {
    try disk.beginWriting(live(.flush), at: offset, count: count)
  }

  /// Flushes the bytes of the file, which survive a power cut once the call has returned.
  public func flush() throws(DiskError) { try disk.flush(live(.flush)) }

  /// Drops the cached bytes of the file, so that the next read returns the bytes on the disk.
  public func forgetCached() throws(DiskError) { try disk.forgetCached(live(.forgetCached)) }

  /// Closes the file, and throws an error if that fails.
  public consuming func close() throws(DiskError) {
    guard let token = token.take() else { return }
    try disk.close(token)
  }

  private func live(_ operation: DiskOperation) throws(DiskError) -> FileToken {
    // The token is taken only when the value is consumed, so it is never nil here.
    guard let token else { throw DiskError(operation, path, .closed) }
    return token
  }
}
