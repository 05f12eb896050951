import Platform

/// The contents of recently read files of one replica, whose total size is limited to the maximum size of one file.
final class SegmentCache {
  private var contents: [Path: [UInt8]] = [:]
  private var byteCount = 0

  subscript(path: Path) -> [UInt8]? { contents[path] }

  func keep(_ bytes: [UInt8], of path: Path) {
    guard byteCount + bytes.count <= Limit.fileBytes else { return }
    byteCount += bytes.count
    contents[path] = bytes
  }
}

extension LogFolder {
  /// The bytes of a file, from the cache if it contains them.
  func contents(
    of segment: SegmentName, keptIn cache: SegmentCache?
  ) throws(DiskError) -> [UInt8] {
    let path = path(of: segment)
    if let known = cache?[path] { return known }
    let bytes = try contents(of: segment)
    cache?.keep(bytes, of: path)
    return bytes
  }
}
