internal import CLinux
import Glibc
package import Platform
import Synchronization

/// The disk of this computer, or one folder on it.
package final class PosixDisk: Disk {
  private struct Opened {
    let token: FileToken
    let descriptor: Int32
    let path: Path
  }

  private struct Table {
    /// Few files are open at the same time, so a linear search is faster than hashing.
    private var files: [Opened] = []
    private var last: Int32 = 0

    subscript(_ token: FileToken) -> Opened? { files.first { $0.token == token } }

    mutating func add(_ descriptor: Int32, _ path: Path) -> FileToken {
      last += 1
      let token = FileToken(number: last)
      files.append(Opened(token: token, descriptor: descriptor, path: path))
      return token
    }

    mutating func remove(_ token: FileToken) -> Opened? {
      files.firstIndex { $0.token == token }.map { files.remove(at: $0) }
    }
  }

  // Tokens are not descriptors, because the system reuses the number of a closed descriptor, and a stale token must not
  // refer to another file.
  private let table = Mutex(Table())

  /// The folder to which paths are confined; nil if paths may lead anywhere.
  let confinement: Confinement?

  /// The permissions of new files and folders.
  let modes: CreationModes

  package init() { (confinement, modes) = (nil, .private) }

  init(_ confinement: Confinement, _ modes: CreationModes = .private) {
    (self.confinement, self.modes) = (confinement, modes)
  }

  package func confined(to folder: Path) -> any Disk {
    // If the folder has no readable status, new files in it are private.
    let status = (try? status(folder)) ?? nil
    return PosixDisk(
      Confinement(to: folder, within: confinement), CreationModes(in: status))
  }

  package func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    try naming(.open, path) { () throws(Errno) in
      // Without O_NONBLOCK, opening a pipe would block before the pipe could be rejected.
      let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let flags =
        switch access {
        case .read: common | O_RDONLY
        case .write: common | O_RDWR
        case .create: common | O_RDWR | O_CREAT | O_EXCL
        }
      let descriptor = try at(path) { (directory, name) throws(Errno) in
        try answer { unsafe openat(directory, name, flags, modes.file) }
      }
      try closingOnFailure(descriptor) { () throws(Errno) in
        try requirePlainFile(descriptor)
        if access == .create, modes.isShared { _ = try answer { fchmod(descriptor, modes.file) } }
      }
      return register(descriptor, path)
    }
  }

  package func close(_ file: FileToken) throws(DiskError) {
    guard let opened = table.withLock({ $0.remove(file) }) else {
      throw DiskError(.close, Path(""), .closed)
    }
    // Linux frees the descriptor even if a signal interrupts the call. A second attempt could close a different file.
    guard Glibc.close(opened.descriptor) != 0, errno != EINTR else { return }
    throw DiskError(.close, opened.path, DiskFault(Errno(code: errno)))
  }

  package func read(
    _ file: FileToken, at offset: Int, count: Int
  ) throws(DiskError) -> [UInt8] {
    try using(file, .read) { (descriptor) throws(Errno) in
      try readFully(descriptor, at: offset, count: count)
    }
  }

  package func write(
    _ file: FileToken, _ bytes: [UInt8], at offset: Int
  ) throws(DiskError) {
    try using(file, .write) { (descriptor) throws(Errno) in
      try writeFully(descriptor, bytes, at: offset)
    }
  }

  package func size(_ file: FileToken) throws(DiskError) -> Int {
    try using(file, .size) { (descriptor) throws(Errno) in
      var status = stat()
      _ = try answer { unsafe fstat(descriptor, &status) }
      return status.st_size
    }
  }

  package func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    try using(file, .truncate) { (descriptor) throws(Errno) in
      _ = try answer { ftruncate(descriptor, size) }
    }
  }

  package func beginWriting(
    _ file: FileToken, at offset: Int, count: Int
  ) throws(DiskError) {
    try using(file, .flush) { (descriptor) throws(Errno) in
      let code = sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE)
      // Not every file system supports this call. The later flush writes the bytes in any case.
      guard code == 0 || errno == EINVAL || errno == ENOSYS || errno == ESPIPE else {
        throw Errno(code: errno)
      }
    }
  }

  package func flush(_ file: FileToken) throws(DiskError) {
    try using(file, .flush) { (descriptor) throws(Errno) in
      _ = try answer { fdatasync(descriptor) }
    }
  }

  package func forgetCached(_ file: FileToken) throws(DiskError) {
    try using(file, .forgetCached) { (descriptor) throws(Errno) in
      // posix_fadvise returns the error number itself. It is not a failure if a file system does not support this call,
      // because readers check the bytes.
      let code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      guard code == 0 || code == EINVAL || code == ENOSYS else { throw Errno(code: code) }
    }
  }

  package func lock(_ path: Path) throws(DiskError) -> HeldLock? {
    try naming(.lock, path) { () throws(Errno) in
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let descriptor = try at(path) { (directory, name) throws(Errno) in
        try answer { unsafe openat(directory, name, flags, 0o600) }
      }
      let found = try closingOnFailure(descriptor) { () throws(Errno) in
        try requirePlainFile(descriptor)
        return try takeLock(descriptor)
      }
      guard let found else {
        _ = Glibc.close(descriptor)
        return nil
      }
      return HeldLock(register(descriptor, path), found: found)
    }
  }

  private func register(_ descriptor: Int32, _ path: Path) -> FileToken {
    table.withLock { $0.add(descriptor, path) }
  }

  /// Calls a function with the last component of the given path and a descriptor of its directory.
  func at<Value>(
    _ path: Path, _ body: (_ directory: Int32, _ name: String) throws(Errno) -> Value
  ) throws(Errno) -> Value {
    guard let confinement else { return try body(AT_FDCWD, path.string) }
    return try confinement.at(path, body)
  }

  private func using<Value>(
    _ file: FileToken, _ operation: DiskOperation, _ body: (Int32) throws(Errno) -> Value
  ) throws(DiskError) -> Value {
    guard let opened = table.withLock({ $0[file] }) else {
      throw DiskError(operation, Path(""), .closed)
    }
    do throws(Errno) { return try body(opened.descriptor) } catch {
      // For a change through a read-only descriptor, Linux reports EBADF or EINVAL.
      let onlyReads = error.code == EBADF || (error.code == EINVAL && operation == .truncate)
      let reason = onlyReads ? DiskFault.readOnly : DiskFault(error)
      throw DiskError(operation, opened.path, reason)
    }
  }
}

/// Adds the operation and the path to an error of a call.
func naming<Value>(
  _ operation: DiskOperation, _ path: Path, _ body: () throws(Errno) -> Value
) throws(DiskError) -> Value {
  // The system would end the path at the zero byte and access a different file.
  guard !path.string.utf8.contains(0) else { throw DiskError(operation, path, .invalid) }
  do throws(Errno) { return try body() } catch {
    throw DiskError(operation, path, DiskFault(error))
  }
}
