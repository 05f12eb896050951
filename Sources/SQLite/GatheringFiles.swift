internal import CSQLite

/// A VFS that works like SQLite's own, except that it combines the frames of a write-ahead log; see ``FrameGathering``.
///
/// For all other files, this VFS only checks that they are regular files, because opening a pipe would wait for the
/// pipe's other end. After that check, SQLite accesses them directly.
@safe enum GatheringFiles {
  /// The name of the VFS for opening a database; nil, which selects SQLite's own VFS, if this VFS cannot be registered.
  static let name: String? = {
    guard let base = unsafe base else { return nil }
    // SQLite uses the structure until the process ends.
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    unsafe own.initialize(to: base.pointee)
    unsafe own.pointee.zName = UnsafePointer(permanent(named))
    unsafe own.pointee.pNext = nil
    unsafe own.pointee.szOsFile += Int32(GatheringFile.size)
    unsafe own.pointee.xOpen = { files, path, file, flags, granted in
      unsafe GatheringFiles.open(files, path, file, flags, granted)
    }
    return unsafe sqlite3_vfs_register(own, 0) == SQLITE_OK ? named : nil
  }()

  private static let named = "daybook"

  /// SQLite's default VFS.
  private static var base: UnsafeMutablePointer<sqlite3_vfs>? { unsafe sqlite3_vfs_find(nil) }

  /// Returns a copy that exists until the process ends.
  private static func permanent(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (place, byte) in bytes.enumerated() { unsafe (copy + place).initialize(to: byte) }
    return unsafe copy
  }

  private static func open(
    _ files: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ granted: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let open = unsafe base?.pointee.xOpen, let file = unsafe file else {
      return SQLITE_CANTOPEN
    }
    // SQLite creates temporary files without a path.
    if let path = unsafe path, unsafe daybook_sqlite_is_plain(path) == 0 {
      unsafe file.pointee.pMethods = nil
      return SQLITE_CANTOPEN
    }
    guard flags & SQLITE_OPEN_WAL != 0 else {
      return unsafe open(files, path, file, flags, granted)
    }
    let code = unsafe open(files, path, GatheringFile.base(of: file), flags, granted)
    // SQLite closes any file that has methods, so a file that was not opened must not have any.
    guard code == SQLITE_OK else {
      unsafe file.pointee.pMethods = nil
      return code
    }
    unsafe GatheringFile.begin(file)
    return code
  }
}
