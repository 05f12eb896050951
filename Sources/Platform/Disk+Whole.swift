extension Path {
  /// The temporary file that ``Disk/replace(_:with:)`` writes before renaming it.
  ///
  /// A crash may leave this file behind. The file has no meaning, and the next replacement removes it.
  public var draft: Path { parent / ".\(name).draft" }
}

extension Disk {
  /// Reads a whole file of at most `limit` bytes.
  ///
  /// - Throws: ``DiskFault/tooLarge`` if the file is larger, before anything is read.
  public func contents(of path: Path, limit: Int) throws(DiskError) -> [UInt8] {
    let file = try OpenFile(path, .read, on: self)
    let size = try file.size()
    guard size <= limit else { throw DiskError(.read, path, .tooLarge) }
    let bytes = try file.read(at: 0, count: size)
    try file.close()
    return bytes
  }

  /// Replaces a file atomically, so that it has either the old or the new content after a crash.
  ///
  /// When the method returns, the new content survives a power cut. Only one writer at a time may replace a file,
  /// because the name of the temporary file is fixed.
  public func replace(_ path: Path, with bytes: [UInt8]) throws(DiskError) {
    let draft = path.draft
    do throws(DiskError) {
      try write(bytes, to: draft)
      // The temporary file must be flushed first, because a rename can reach the disk before the file's bytes.
      try rename(draft, to: path)
    } catch {
      // The first failure is the one to report. If a temporary file remains, the next replacement removes it.
      try? remove(draft)
      throw error
    }
    try flushDirectory(path.parent)
  }

  /// Creates a directory and its missing ancestors, and flushes the parent of each new directory.
  public func makeDirectories(_ path: Path) throws(DiskError) {
    guard path.string != "/", path.string != ".", try !hasEntry(path) else {
      // This call succeeds if the entry is a directory or a link to a directory. Otherwise, it throws the right error.
      return try makeDirectory(path)
    }
    if path.parent != path { try makeDirectories(path.parent) }
    try makeDirectory(path)
    try flushDirectory(path.parent)
  }

  private func hasEntry(_ path: Path) throws(DiskError) -> Bool { try status(path) != nil }

  private func write(_ bytes: [UInt8], to draft: Path) throws(DiskError) {
    if try hasEntry(draft) { try remove(draft) }
    let file = try OpenFile(draft, .create, on: self)
    try file.write(bytes, at: 0)
    try file.flush()
    try file.close()
  }

  /// Removes a file if it exists.
  ///
  /// The file may already have been removed by another process.
  ///
  /// - Parameter path: The file.
  /// - Returns: Whether the file existed.
  /// - Throws: ``DiskError`` if the disk cannot remove the file.
  @discardableResult
  package func removeIfPresent(_ path: Path) throws(DiskError) -> Bool {
    do throws(DiskError) {
      try remove(path)
      return true
    } catch {
      guard error.reason == .notFound else { throw error }
      return false
    }
  }
}
