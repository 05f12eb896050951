extension Path {
  /// Where ``Disk/replace(_:with:)`` writes before it renames.
  ///
  /// A crash may leave one behind; it means nothing and the next replacement clears it.
  public var draft: Path { parent / ".\(name).draft" }
}

extension Disk {
  /// Reads a whole file that holds at most `limit` bytes.
  ///
  /// - Throws: ``DiskFault/tooLarge`` for a larger file, before anything is read.
  public func contents(of path: Path, limit: Int) throws(DiskError) -> [UInt8] {
    let file = try OpenFile(path, .read, on: self)
    let size = try file.size()
    guard size <= limit else { throw DiskError(.read, path, .tooLarge) }
    let bytes = try file.read(at: 0, count: size)
    try file.close()
    return bytes
  }

  /// Puts a file in place whole: after a crash there is the old one or the new one.
  ///
  /// When it returns, the new one survives a power cut. One writer at a time: the draft's name is
  /// always the same.
  public func replace(_ path: Path, with bytes: [UInt8]) throws(DiskError) {
    let draft = path.draft
    do throws(DiskError) {
      try write(bytes, to: draft)
      // The bytes are flushed by now: a rename can reach the disk before the bytes it names.
      try rename(draft, to: path)
    } catch {
      // The first failure is the one to tell; a draft left over is cleared the next time.
      try? remove(draft)
      throw error
    }
    try flushDirectory(path.parent)
  }

  /// Makes a directory and those it lies in, and flushes each into its parent.
  public func makeDirectories(_ path: Path) throws(DiskError) {
    guard path.string != "/", path.string != ".", try !hasEntry(path) else {
      // Fine when it leads to a directory, and the right error when it does not.
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

  /// Removes a file if it is there; another process may have removed it first.
  ///
  /// - Parameter path: The file.
  /// - Returns: Whether it was there.
  /// - Throws: ``DiskError``, when the disk refuses.
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
