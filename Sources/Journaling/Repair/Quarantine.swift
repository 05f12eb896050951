import Bytes
import Platform

/// Keeps bytes that are no frame, and files that were damaged, as they were before they go.
struct Quarantine {
  let store: SegmentStore
  let index: LogIndex

  private var folder: Path { store.root / "quarantine" }

  /// Copies bytes of a file that are about to go: all of them, or those behind an offset unless they are zeros.
  ///
  /// The name tells where they were; a random part keeps apart those of the same place.
  ///
  /// - Parameters:
  ///   - bytes: What goes.
  ///   - offset: Where it begins, unless the whole file goes.
  ///   - segment: The file.
  ///   - strand: Whose file it is.
  /// - Returns: The copy, or nil where nothing is worth one.
  /// - Throws: ``JournalError`` when the copy may not be durable.
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

  /// Copies whole files, before others take their place.
  func setAside(
    _ segments: [SegmentName], of strand: UniqueID, in folder: LogFolder
  ) throws(JournalError) {
    for segment in segments {
      let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: segment) }
      try setAside(bytes, of: segment, strand)
    }
  }

  /// Copies what lies behind a tail's last frame into quarantine and cuts it off.
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
    return [Repair(file: path, what: .trimmed(byteCount: excess.count, copiedTo: copy))]
  }

  /// Removes what was set aside of a log, which nobody can look through.
  ///
  /// - Returns: The files that were removed.
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
