import Bytes
import Crypto
package import Platform

/// The file in which a device remembers the objects of a store that it has seen.
package final class MemoryFile {
  private let path: Path
  private let store: Path
  private let disk: any Disk
  /// The bytes of the file when it was read or written.
  private var content: [UInt8]?

  /// The maximum size of the file.
  private static let limit = 64 << 20

  init(at path: Path, of store: Path, on disk: any Disk) {
    (self.path, self.store, self.disk) = (path, store, disk)
  }

  /// The memory; nil if the file is missing, cannot be read, belongs to another store or version, or is too old.
  func read(at now: Int64) -> ObjectMemory? {
    content = try? disk.contents(of: path, limit: Self.limit)
    guard let content, let memory = ObjectMemory(decoding: content, for: store),
      memory.began <= now, memory.began >= now - ObjectMemory.mostMilliseconds
    else { return nil }
    return memory
  }

  /// Replaces the file, unless it already has this content.
  ///
  /// Whenever a new file is written, the files of stores that have not been used for a long time are removed.
  ///
  /// - Parameters:
  ///   - memory: The memory to write.
  ///   - now: The present time, in ms since 1970.
  func write(_ memory: ObjectMemory, at now: Int64) {
    let bytes = memory.encoded(for: store)
    guard bytes.count <= Self.limit, bytes != content else { return }
    if content == nil { removeOld(at: now) }
    // If the file cannot be written, the next sync merely takes longer.
    try? disk.replace(path, with: bytes)
    content = bytes
  }

  private func removeOld(at now: Int64) {
    let names = (try? disk.list(path.parent, atMost: Self.directoryEntries)) ?? []
    for name in names where name.hasPrefix(Self.prefix) {
      let file = path.parent / name
      guard let status = try? disk.status(file), status.kind == .file,
        status.modified.milliseconds < now - ObjectMemory.mostMilliseconds
      else { continue }
      // A file that remains merely takes up space.
      try? disk.remove(file)
    }
  }

  /// The name of the file for the store at the given location.
  package static func name(of store: Path) -> String {
    let id = SHA256.digest(of: Array("daybook store v1".utf8) + Array(store.string.utf8)).prefix16
    return prefix + id.hex
  }

  /// The beginning of the names of all such files.
  private static let prefix = "store-"
  private static let directoryEntries = 4_096
}
