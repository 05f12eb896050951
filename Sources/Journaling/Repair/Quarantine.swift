import Bytes
import Platform

/// Keeps copies of damaged files, and of bytes outside frames, before they are removed.
struct Quarantine {
  let store: SegmentStore
  let index: LogIndex

  private var folder: Path { store.root / "quarantine" }

  /// Copies bytes that are about to be removed from a file.
  ///
  /// Bytes after an offset are not copied if they are all zero.
  ///
  /// The name of the copy contains the position of the bytes, and a random part that makes the name unique.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: The offset of the bytes in the file, or nil for a whole file.
  ///   - segment: The file.
  ///   - strand: The strand of the file.
  /// - Returns: The copy, or nil if there was nothing to copy.
  /// - Throws: ``JournalError`` if the copy might not be durable.
  @discardableResult
  func setAside(
    _ bytes: [UInt8], behind offset: Int? = nil, of segment: SegmentName, _ strand: UniqueID
  ) throws(JournalError) -> Path? {
    guard offset == nil || bytes.contains(where: { $0 != 0 }) else { return nil }
    let parts = [
      strand.hex, segment.string, offset.map(String.init), UniqueID(store.dice.bytes(16)).hex,
    ]
    let copy = folder / parts.compactMap(\.self).joined(separator: ".")
    try store.writing { () throws(DiskError) in
      try store.disk.makeDirectories(folder)
      try store.disk.replace(copy, with: bytes)
    }
    return copy
  }

  /// Copies files that are about to be replaced.
  func setAside(
    _ segments: [SegmentName], of strand: UniqueID, in folder: LogFolder
  ) throws(JournalError) {
    for segment in segments {
      let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: segment) }
      try setAside(bytes, of: segment, strand)
    }
  }

  /// Copies the bytes after the last frame of a tail, and cuts them off.
  @discardableResult
  func trim(
    _ tail: Tail, in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) -> [Repair] {
    let path = folder.path(of: .tail(tail.first))
    let excess = try onDisk { () throws(DiskError) in
      try OpenFile(path, .read, on: store.disk).read(at: tail.length, count: Limit.fileBytes)
    }
    let copy = try setAside(excess, behind: tail.length, of: .tail(tail.first), log)
    try store.writing { () throws(DiskError) in
      let file = try OpenFile(path, .write, on: store.disk)
      try file.truncate(to: tail.length)
      try file.flush()
    }
    index.states[log]?.tail?.excess = 0
    guard let copy else { return [] }
    return [Repair(file: path, kind: .trimmed(byteCount: excess.count, copiedTo: copy))]
  }

  /// Removes the copies of the given log's bytes, because they cannot be searched for erased bodies.
  ///
  /// - Returns: The removed files.
  func empty(of log: UniqueID) throws(JournalError) -> [Path] {
    let quarantine = folder
    return try store.writing { () throws(DiskError) -> [Path] in
      guard try store.disk.status(quarantine) != nil else { return [] }
      let names = try store.disk.list(quarantine).filter { $0.contains(log.hex) }
      for name in names { try store.disk.remove(quarantine / name) }
      if !names.isEmpty { try store.disk.flushDirectory(quarantine) }
      return names.map { quarantine / $0 }
    }
  }
}
