import Glibc
package import Platform

extension PosixDisk {
  package func status(_ path: Path) throws(DiskError) -> FileStatus? {
    do throws(DiskError) {
      return try naming(.status, path) { () throws(Errno) in
        try at(path) { (directory, name) throws(Errno) in
          FileStatus(try statusOf(name, in: directory, following: false))
        }
      }
    } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
  }

  package func statuses(
    of names: [String], in directory: Path
  ) throws(DiskError) -> [FileStatus?] {
    // The path is resolved only once for all entries.
    try naming(.status, directory) { () throws(Errno) in
      let descriptor = try openDirectory(directory)
      defer { _ = Glibc.close(descriptor) }
      var statuses: [FileStatus?] = []
      for name in names {
        do throws(Errno) {
          let status = try statusOf(name, in: descriptor, following: false)
          statuses.append(FileStatus(status))
        } catch {
          guard error.code == ENOENT else { throw error }
          statuses.append(nil)
        }
      }
      return statuses
    }
  }

  package func list(_ directory: Path) throws(DiskError) -> [String] {
    try list(directory, atMost: .max) ?? []
  }

  package func list(_ directory: Path, atMost limit: Int) throws(DiskError) -> [String]? {
    let names = try naming(.list, directory) { () throws(Errno) in
      try entryNames(try openDirectory(directory), atMost: limit)
    }
    return names?.sorted(by: Self.precedes)
  }

  /// Whether the bytes of a name come before those of another name.
  ///
  /// A command lists the folders of the logs several times, and comparing their long names byte by byte took a hundredth
  /// of its time.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let start = left.baseAddress, let other = right.baseAddress else {
          return left.isEmpty && !right.isEmpty
        }
        let order = unsafe memcmp(start, other, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }

  /// Opens a directory for reading.
  private func openDirectory(_ path: Path) throws(Errno) -> Int32 {
    // On a confined disk, the path may have been chosen by others, and a link could lead anywhere.
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (confinement == nil ? 0 : O_NOFOLLOW)
    return try at(path) { (directory, name) throws(Errno) in
      try answer { unsafe openat(directory, name, flags) }
    }
  }

  package func rename(_ from: Path, to destination: Path) throws(DiskError) {
    guard !destination.string.utf8.contains(0) else {
      throw DiskError(.rename, destination, .invalid)
    }
    try naming(.rename, from) { () throws(Errno) in
      try at(from) { (oldDirectory, oldName) throws(Errno) in
        try at(destination) { (directory, name) throws(Errno) in
          _ = try answer { unsafe renameat(oldDirectory, oldName, directory, name) }
        }
      }
    }
  }

  package func remove(_ path: Path) throws(DiskError) {
    try naming(.remove, path) { () throws(Errno) in
      try at(path) { (directory, name) throws(Errno) in
        _ = try answer { unsafe unlinkat(directory, name, 0) }
      }
    }
  }

  package func removeDirectory(_ path: Path) throws(DiskError) {
    try naming(.removeDirectory, path) { () throws(Errno) in
      try at(path) { (directory, name) throws(Errno) in
        _ = try answer { unsafe unlinkat(directory, name, AT_REMOVEDIR) }
      }
    }
  }

  /// Applies the shared permissions to a new directory, and preserves its set-group-ID bit.
  private func share(_ name: String, in directory: Int32) throws(Errno) {
    let inherited = try statusOf(name, in: directory, following: false).st_mode & S_ISGID
    _ = try answer { unsafe fchmodat(directory, name, modes.folder | inherited, 0) }
  }

  package func makeDirectory(_ path: Path) throws(DiskError) {
    try naming(.makeDirectory, path) { () throws(Errno) in
      try at(path) { (directory, name) throws(Errno) in
        do throws(Errno) {
          _ = try answer { unsafe mkdirat(directory, name, modes.folder) }
          if modes.isShared { try share(name, in: directory) }
        } catch {
          guard error.code == EEXIST else { throw error }
          // An unconfined disk accepts a link to a directory, because users keep folders on other disks. The link may
          // also be broken.
          let status = try? statusOf(name, in: directory, following: confinement == nil)
          guard let status else { throw error }
          if status.st_mode & S_IFMT == S_IFLNK { throw Errno(code: ELOOP) }
          guard status.st_mode & S_IFMT == S_IFDIR else { throw error }
        }
      }
    }
  }

  package func refusal(ofChangesIn directory: Path) throws(DiskError) -> DiskFault? {
    // Links are followed only where the user has chosen the path.
    let flags = AT_EACCESS | (confinement == nil ? 0 : AT_SYMLINK_NOFOLLOW)
    do throws(DiskError) {
      try naming(.status, directory) { () throws(Errno) in
        try at(directory) { (parent, name) throws(Errno) in
          _ = try answer { unsafe faccessat(parent, name, W_OK | X_OK, flags) }
        }
      }
      return nil
    } catch {
      guard [.permission, .readOnly].contains(error.reason) else { throw error }
      return error.reason
    }
  }

  package func flushDirectory(_ path: Path) throws(DiskError) {
    try naming(.flushDirectory, path) { () throws(Errno) in
      let descriptor = try openDirectory(path)
      defer { _ = Glibc.close(descriptor) }
      do throws(Errno) { _ = try answer { fsync(descriptor) } } catch {
        // Some network and FUSE file systems do not support this call for directories, and make names durable
        // automatically.
        guard [EINVAL, ENOSYS, ENOTSUP].contains(error.code) else { throw error }
      }
    }
  }
}

private func statusOf(
  _ name: String, in directory: Int32, following: Bool
) throws(Errno) -> stat {
  var status = stat()
  let flags = following ? 0 : AT_SYMLINK_NOFOLLOW
  _ = try answer { unsafe fstatat(directory, name, &status, flags) }
  return status
}

/// Reads the names in a directory and closes the descriptor; returns nil if there are more names than the limit.
private func entryNames(_ descriptor: Int32, atMost limit: Int) throws(Errno) -> [String]? {
  guard let directory = unsafe fdopendir(descriptor) else {
    let failure = Errno(code: errno)
    _ = close(descriptor)
    throw failure
  }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while true {
    // Only errno distinguishes the end from a failure, because readdir returns nil in both cases.
    errno = 0
    guard let entry = unsafe readdir(directory) else {
      if errno != 0 { throw Errno(code: errno) }
      return names
    }
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
    }
    guard name != ".", name != ".." else { continue }
    // Reading stops at the limit, because others may have created any number of entries.
    guard names.count < limit else { return nil }
    names.append(name)
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
      changed: Moment(status.st_ctim), permissions: UInt16(status.st_mode & 0o7777),
      isOwn: status.st_uid == geteuid())
  }
}
