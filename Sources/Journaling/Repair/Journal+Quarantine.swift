import Bytes
import Platform

/// Bytes that are no frame, and files that were damaged, are kept as they were before they go.
extension Journal {
  var quarantine: Path { folder / "quarantine" }

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
  mutating func setAside(
    _ bytes: [UInt8], behind offset: Int? = nil, of segment: SegmentName, _ strand: UniqueID
  ) throws(JournalError) -> Path? {
    guard offset == nil || bytes.contains(where: { $0 != 0 }) else { return nil }
    let parts = [
      strand.hex, segment.string, offset.map(String.init), UniqueID(dice.bytes(16)).hex,
    ]
    let (disk, quarantine) = (disk, quarantine)
    let copy = quarantine / parts.compactMap(\.self).joined(separator: ".")
    try writing { () throws(DiskError) in
      try disk.makeDirectories(quarantine)
      try disk.replace(copy, with: bytes)
    }
    return copy
  }

  /// Copies whole files, before others take their place.
  mutating func setAside(
    _ segments: [SegmentName], of strand: UniqueID, in folder: LogFolder
  ) throws(JournalError) {
    for segment in segments {
      let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: segment) }
      try setAside(bytes, of: segment, strand)
    }
  }
}
