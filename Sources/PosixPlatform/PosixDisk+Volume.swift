import Glibc
package import Platform

extension PosixDisk {
  package func volume(of path: Path) throws(DiskError) -> Volume? {
    // statvfs and realpath follow links, which a confined disk must not.
    guard confinement == nil else { throw DiskError(.volume, path, .unsupported) }
    let free = try naming(.volume, path) { () throws(Errno) in
      var status = statvfs()
      _ = try answer { unsafe statvfs(path.string, &status) }
      let (free, overflows) = Int(clamping: status.f_bavail)
        .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
      return overflows ? Int.max : free
    }
    return Volume(freeBytes: free, isRemote: isRemote(path))
  }

  /// Whether the given path is on a type of file system that several machines can share.
  private func isRemote(_ path: Path) -> Bool {
    guard let real = realPath(path), let mounts = mounts() else { return false }
    // If several mounts have the longest path, the last one is visible.
    let mount = mounts.filter { real == $0.place || real.hasPrefix($0.prefix) }
      .max { $0.place.utf8.count <= $1.place.utf8.count }
    guard let mount else { return false }
    return Self.remoteKinds.contains { mount.kind == $0 || mount.kind.hasPrefix($0 + ".") }
  }

  private static let remoteKinds = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "glusterfs", "fuse.sshfs",
    "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "davfs",
  ]

  private struct Mount {
    var place: String
    var kind: String
    var prefix: String { place == "/" ? "/" : place + "/" }
  }

  /// Returns the mounts in order, or nil if the table cannot be read.
  private func mounts() -> [Mount]? {
    let table = Path("/proc/self/mounts")
    // The result is only a hint: without the table, the disk counts as local.
    guard let file = try? open(table, .read) else { return nil }
    defer { try? close(file) }
    guard let bytes = try? read(file, at: 0, count: 1 << 20) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 2 else { return nil }
      return Mount(place: String(words[1]), kind: String(words[2]))
    }
  }

  private func realPath(_ path: Path) -> String? {
    guard let real = unsafe realpath(path.string, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
