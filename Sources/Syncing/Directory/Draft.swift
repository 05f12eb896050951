import Bytes
import Crypto
import Platform

/// A file that appears under its name whole and flushed, or not at all.
struct Draft: ~Copyable {
  private let file: OpenFile
  private let disk: any Disk
  private var hasher = SHA256()
  private(set) var byteCount = 0

  /// Begins a file in a folder, under a name nobody else chooses.
  ///
  /// A crash leaves it behind; readers pass it over.
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

  /// The digest of everything so far; more may not follow but what is not counted in.
  mutating func digest() -> Digest { hasher.finish() }

  /// Flushes the file and gives it its name.
  consuming func finish(as name: String) throws(DiskError) {
    let (path, folder, disk) = (file.path, file.path.parent, disk)
    do throws(DiskError) {
      try file.flush()
      try file.close()
      try Self.rename(path, to: folder / name, on: disk)
      try disk.flushDirectory(folder)
    } catch {
      // The first failure is the one to tell; a draft that stays means nothing.
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
      // Some programs that show a stick or a phone as a disk move nothing over a file.
      guard error.reason == .exists else { throw error }
      try disk.remove(destination)
      try disk.rename(path, to: destination)
    }
  }

  /// Takes it all back.
  consuming func discard() {
    let (path, disk) = (file.path, disk)
    // A draft that stays means nothing.
    try? disk.remove(path)
  }
}
