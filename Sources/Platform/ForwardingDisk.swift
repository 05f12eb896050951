/// A disk that forwards the calls on open files to another disk, using the same tokens.
///
/// Calls that take a path have no default implementation, so a conforming disk cannot forget to check a path.
package protocol ForwardingDisk: Disk {
  /// The disk to which calls are forwarded.
  var wrapped: any Disk { get }
}

extension ForwardingDisk {
  package var isInMemory: Bool { wrapped.isInMemory }

  package func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8] {
    try wrapped.read(file, at: offset, count: count)
  }

  package func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError) {
    try wrapped.write(file, bytes, at: offset)
  }

  package func size(_ file: FileToken) throws(DiskError) -> Int { try wrapped.size(file) }

  package func truncate(_ file: FileToken, to size: Int) throws(DiskError) {
    try wrapped.truncate(file, to: size)
  }

  package func beginWriting(
    _ file: FileToken, at offset: Int, count: Int
  ) throws(DiskError) {
    try wrapped.beginWriting(file, at: offset, count: count)
  }

  package func flush(_ file: FileToken) throws(DiskError) { try wrapped.flush(file) }

  package func forgetCached(_ file: FileToken) throws(DiskError) {
    try wrapped.forgetCached(file)
  }

  package func close(_ file: FileToken) throws(DiskError) { try wrapped.close(file) }
}
