package import Platform

/// A disk that forwards every call to another disk, so that a test need only replace the calls that it tests.
package protocol TransparentDisk: ForwardingDisk {}

extension TransparentDisk {
  package func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken {
    try wrapped.open(path, access)
  }

  package func status(_ path: Path) throws(DiskError) -> FileStatus? { try wrapped.status(path) }

  package func list(_ directory: Path) throws(DiskError) -> [String] {
    try wrapped.list(directory)
  }

  package func rename(_ from: Path, to destination: Path) throws(DiskError) {
    try wrapped.rename(from, to: destination)
  }

  package func remove(_ path: Path) throws(DiskError) { try wrapped.remove(path) }

  package func removeDirectory(_ path: Path) throws(DiskError) {
    try wrapped.removeDirectory(path)
  }

  package func makeDirectory(_ path: Path) throws(DiskError) { try wrapped.makeDirectory(path) }

  package func flushDirectory(_ path: Path) throws(DiskError) { try wrapped.flushDirectory(path) }

  package func lock(_ path: Path) throws(DiskError) -> HeldLock? { try wrapped.lock(path) }

  package func volume(of path: Path) throws(DiskError) -> Volume? { try wrapped.volume(of: path) }

  package func refusal(ofChangesIn directory: Path) throws(DiskError) -> DiskFault? {
    try wrapped.refusal(ofChangesIn: directory)
  }
}
