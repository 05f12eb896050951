import Glibc
package import Platform

extension PosixDisk {
  package func status(_ path: Path) throws(DiskError) -> FileStatus? {
    do throws(DiskError) {
      return try naming(.status, path) { () throws(Errno) in
        var status = stat()
        _ = try answer { unsafe lstat(path.string, &status) }
        return FileStatus(status)
      }
    } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
  }

  package func list(_ directory: Path) throws(DiskError) -> [String] {
    let names = try naming(.list, directory) { () throws(Errno) in
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      return try entryNames(try answer { unsafe Glibc.open(directory.string, flags) })
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package func rename(_ from: Path, to destination: Path) throws(DiskError) {
    guard !destination.string.utf8.contains(0) else {
      throw DiskError(.rename, destination, .invalid)
    }
    try naming(.rename, from) { () throws(Errno) in
      _ = try answer { unsafe Glibc.rename(from.string, destination.string) }
    }
  }

  package func remove(_ path: Path) throws(DiskError) {
    try naming(.remove, path) { () throws(Errno) in
      _ = try answer { unsafe unlink(path.string) }
    }
  }

  package func removeDirectory(_ path: Path) throws(DiskError) {
    try naming(.removeDirectory, path) { () throws(Errno) in
      _ = try answer { unsafe rmdir(path.string) }
    }
  }

  package func makeDirectory(_ path: Path) throws(DiskError) {
    try naming(.makeDirectory, path) { () throws(Errno) in
      do throws(Errno) {
        _ = try answer { unsafe mkdir(path.string, 0o700) }
      } catch {
        // A link to a directory is fine here: people keep their folders on other disks.
        guard error.code == EEXIST, isDirectory(path) else { throw error }
      }
    }
  }

  package func flushDirectory(_ path: Path) throws(DiskError) {
    try naming(.flushDirectory, path) { () throws(Errno) in
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      let descriptor = try answer { unsafe Glibc.open(path.string, flags) }
      defer { _ = Glibc.close(descriptor) }
      do throws(Errno) { _ = try answer { fsync(descriptor) } } catch {
        // Some network file systems keep names durable by themselves and say EINVAL here.
        if error.code != EINVAL { throw error }
      }
    }
  }
}

private func isDirectory(_ path: Path) -> Bool {
  var status = stat()
  return unsafe stat(path.string, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Reads a directory's names and closes the descriptor.
private func entryNames(_ descriptor: Int32) throws(Errno) -> [String] {
  guard let directory = unsafe fdopendir(descriptor) else {
    let failure = Errno(code: errno)
    _ = close(descriptor)
    throw failure
  }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while true {
    // At the end, as on failure, there is no entry: only errno tells them apart.
    errno = 0
    guard let entry = unsafe readdir(directory) else {
      if errno != 0 { throw Errno(code: errno) }
      return names
    }
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
    }
    if name != ".", name != ".." { names.append(name) }
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      default: .other
      }
    self.init(
      kind: kind, size: status.st_size, modified: Moment(status.st_mtim),
      permissions: UInt16(status.st_mode & 0o7777), isOwn: status.st_uid == geteuid())
  }
}
