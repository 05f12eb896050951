internal import CSQLite

/// SQLite's own file system, but that the frames of a write-ahead log are written together, see ``FrameGathering``.
///
/// Every other file is SQLite's alone: nothing here stands between, once it is certain that it is a plain one. To open a
/// pipe would wait for its other end.
@safe enum GatheringFiles {
  /// The name to open a database with; nil stands for SQLite's own where it takes no other.
  static let name: String? = {
    guard let base = unsafe base else { return nil }
    // SQLite keeps it for as long as the process.
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

  /// What SQLite would open files with.
  private static var base: UnsafeMutablePointer<sqlite3_vfs>? { unsafe sqlite3_vfs_find(nil) }

  /// A copy that stays for as long as the process.
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
    // A file without a path is one that SQLite makes for itself.
    if let path = unsafe path, unsafe daybook_sqlite_is_plain(path) == 0 {
      unsafe file.pointee.pMethods = nil
      return SQLITE_CANTOPEN
    }
    guard flags & SQLITE_OPEN_WAL != 0 else {
      return unsafe open(files, path, file, flags, granted)
    }
    let code = unsafe open(files, path, GatheringFile.base(of: file), flags, granted)
    // SQLite closes what has methods, so a file that was not opened gets none.
    guard code == SQLITE_OK else {
      unsafe file.pointee.pMethods = nil
      return code
    }
    unsafe GatheringFile.begin(file)
    return code
  }
}
