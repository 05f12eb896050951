import Platform

/// The file in which a device remembers what it knows about the objects of a store.
struct MemoryFile {
  private let path: Path
  private let store: Path
  private let disk: any Disk

  /// The maximum size of the file.
  private static let limit = 64 << 20

  init(at path: Path, of store: Path, on disk: any Disk) {
    (self.path, self.store, self.disk) = (path, store, disk)
  }

  /// The memory; nil if it is missing, cannot be read, belongs to another store or version, or is too old.
  func read(at now: Int64) -> ObjectMemory? {
    guard let content = content(), let memory = ObjectMemory(decoding: content, for: store),
      memory.began <= now, memory.began >= now - ObjectMemory.mostMilliseconds
    else { return nil }
    return memory
  }

  /// Replaces the file, unless it already has this content.
  func write(_ memory: ObjectMemory) {
    let bytes = memory.encoded(for: store)
    guard bytes.count <= Self.limit, bytes != content() else { return }
    // Without the file, the next sync only takes longer.
    try? disk.replace(path, with: bytes)
  }

  private func content() -> [UInt8]? { try? disk.contents(of: path, limit: Self.limit) }
}
