import Bytes
import Crypto
import Platform

/// A file that does not receive its name until it is complete and flushed.
struct Draft: ~Copyable {
  private let file: OpenFile
  private let disk: any Disk
  private var hasher = SHA256()
  private(set) var byteCount = 0

  /// Creates a file in a folder under a random name.
  ///
  /// A crash leaves the file in the folder, where readers ignore it.
  init(in folder: Path, on machine: Machine) throws(DiskError) {
    disk = machine.disk
    let path = folder / ".tmp-\(Hex.encode(machine.dice.bytes(8)))"
    file = try OpenFile(path, .create, on: machine.disk)
  }

  mutating func append(_ bytes: [UInt8]) throws(DiskError) {
    try file.write(bytes, at: byteCount)
    hasher.update(bytes)
    byteCount += bytes.count
  }

  /// The digest of all bytes written so far.
  ///
  /// Call this method once, after writing all bytes that the digest covers. Only bytes that it does not cover may
  /// follow.
  mutating func digest() -> Digest { hasher.finish() }

  /// Flushes the file and renames it.
  consuming func finish(as name: String) throws(DiskError) {
    let (path, folder, disk) = (file.path, file.path.parent, disk)
    do throws(DiskError) {
      try file.flush()
      try file.close()
      try Self.rename(path, to: folder / name, on: disk)
      try disk.flushDirectory(folder)
    } catch {
      // The first error is the one to report. A draft that remains does no harm.
      try? disk.remove(path)
      throw error
    }
  }

  private static func rename(
    _ path: Path, to destination: Path, on disk: any Disk
  ) throws(DiskError) {
    do throws(DiskError) {
      try disk.rename(path, to: destination)
    } catch {
      // Some programs that present a stick or a phone as a disk cannot replace an existing file in a rename.
      guard error.reason == .exists else { throw error }
      try disk.remove(destination)
      try disk.rename(path, to: destination)
    }
  }

  /// Removes the draft.
  consuming func discard() {
    let (path, disk) = (file.path, disk)
    // A draft that remains does no harm.
    try? disk.remove(path)
  }
}
