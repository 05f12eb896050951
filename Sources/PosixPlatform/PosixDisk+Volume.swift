import Glibc
package import Platform

extension PosixDisk {
  package func volume(of path: Path) throws(DiskError) -> Volume? {
    // statvfs and realpath follow links, which a confined disk must not do.
    guard confinement == nil else { throw DiskError(.volume, path, .unsupported) }
    let free = try naming(.volume, path) { () throws(Errno) in try freeBytes(of: path) }
    return Volume(freeBytes: free, isRemote: isRemote(path))
  }

  /// Returns whether the given path is on a type of file system that several machines can share.
  private func isRemote(_ path: Path) -> Bool {
    // The result is only a hint. Without the table, the disk is considered local.
    guard let real = realPath(path), let table = MountTable(readBy: self) else { return false }
    return table.isRemote(real)
  }
}

/// Returns the number of free bytes on the file system of a path.
private func freeBytes(of path: Path) throws(Errno) -> Int {
  var status = statvfs()
  _ = try answer { unsafe statvfs(path.string, &status) }
  let (free, overflows) = Int(clamping: status.f_bavail)
    .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
  return overflows ? Int.max : free
}

private func realPath(_ path: Path) -> String? {
  guard let real = unsafe realpath(path.string, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe String(cString: real)
}

/// The mounted file systems; see proc_pid_mounts(5).
private struct MountTable {
  private struct Mount {
    var place: String
    var kind: String
    var prefix: String { place == "/" ? "/" : place + "/" }
  }

  /// The mounts in the order of the table.
  private let mounts: [Mount]

  /// Reads the table; nil if it cannot be read.
  init?(readBy disk: PosixDisk) {
    guard let file = try? disk.open(Path("/proc/self/mounts"), .read) else { return nil }
    defer { try? disk.close(file) }
    guard let bytes = try? disk.read(file, at: 0, count: 1 << 20) else { return nil }
    mounts = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 2 else { return nil }
      return Mount(place: String(words[1]), kind: String(words[2]))
    }
  }

  /// Returns whether several machines can share the file system that contains a path without links.
  func isRemote(_ path: String) -> Bool {
    // If the longest path belongs to several mounts, the last one is visible.
    let mount = mounts.filter { path == $0.place || path.hasPrefix($0.prefix) }
      .max { $0.place.utf8.count <= $1.place.utf8.count }
    guard let mount else { return false }
    return Self.remoteKinds.contains { mount.kind == $0 || mount.kind.hasPrefix($0 + ".") }
  }

  private static let remoteKinds = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "glusterfs", "fuse.sshfs",
    "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "davfs",
  ]
}
