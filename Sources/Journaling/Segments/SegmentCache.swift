import Platform

/// The files of one replica that were read a moment ago, as far as they come to no more than one may.
struct SegmentCache {
  private var contents: [Path: [UInt8]] = [:]
  private var byteCount = 0

  subscript(path: Path) -> [UInt8]? { contents[path] }

  mutating func keep(_ bytes: [UInt8], of path: Path) {
    guard byteCount + bytes.count <= Limit.fileBytes else { return }
    byteCount += bytes.count
    contents[path] = bytes
  }
}

extension Journal {
  /// The bytes of a file, read once while a replica is loaded.
  mutating func contents(
    of segment: SegmentName, in folder: LogFolder
  ) throws(DiskError) -> [UInt8] {
    let path = folder.path(of: segment)
    if let known = reading?[path] { return known }
    let bytes = try folder.contents(of: segment)
    reading?.keep(bytes, of: path)
    return bytes
  }
}
