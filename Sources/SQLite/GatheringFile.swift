internal import CSQLite

/// The file object of a write-ahead log, which consists of the fields of this structure and the file object of SQLite's
/// own VFS.
@unsafe struct GatheringFile {
  /// The part that SQLite sees.
  private var file: sqlite3_file
  private var writes: Unmanaged<Writes>

  private final class Writes {
    var gathering = FrameGathering()
  }

  typealias Pointer = UnsafeMutablePointer<sqlite3_file>

  /// The offset of the file object that belongs to SQLite's own VFS.
  static let size = unsafe (MemoryLayout<GatheringFile>.stride + 15) & ~15

  static func base(of file: Pointer) -> Pointer {
    unsafe (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(to: sqlite3_file.self)
  }

  /// Initializes a file whose base is already open.
  static func begin(_ file: Pointer) {
    let writes = unsafe Unmanaged.passRetained(Writes())
    unsafe UnsafeMutableRawPointer(file).initializeMemory(
      as: GatheringFile.self,
      to: GatheringFile(
        file: sqlite3_file(pMethods: UnsafePointer(bitPattern: methods)), writes: writes))
  }

  private static func writes(of file: Pointer) -> Writes {
    unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: GatheringFile.self).pointee.writes
      .takeUnretainedValue()
  }

  private static func write(
    _ file: Pointer, _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) -> Int32 {
    let writes = unsafe writes(of: file)
    switch unsafe writes.gathering.add(bytes.bindMemory(to: UInt8.self).span, at: offset) {
    case .gathered: return SQLITE_OK
    case .gatheredAsLast: return unsafe flush(file)
    case .refused:
      let code = unsafe flush(file)
      return unsafe code == SQLITE_OK ? pass(bytes, to: file, at: offset) : code
    }
  }

  /// Writes all waiting bytes.
  private static func flush(_ file: Pointer) -> Int32 {
    let writes = unsafe writes(of: file)
    guard !writes.gathering.bytes.isEmpty else { return SQLITE_OK }
    // After a failure, SQLite writes the bytes again.
    defer { writes.gathering.clear() }
    return unsafe writes.gathering.bytes.withUnsafeBytes { bytes in
      unsafe pass(bytes, to: file, at: writes.gathering.start)
    }
  }

  private static func pass(
    _ bytes: UnsafeRawBufferPointer, to file: Pointer, at offset: Int64
  ) -> Int32 {
    let base = unsafe base(of: file)
    return unsafe base.pointee.pMethods.pointee.xWrite(
      base, bytes.baseAddress, Int32(bytes.count), offset)
  }

  private static func close(_ file: Pointer) -> Int32 {
    // Bytes that are still waiting belong to an unfinished transaction, so they are discarded.
    let base = unsafe base(of: file)
    let code = unsafe base.pointee.pMethods.pointee.xClose(base)
    unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: GatheringFile.self).pointee.writes
      .release()
    return code
  }

  /// Calls a method of the underlying file.
  private static func ask(
    _ file: Pointer?, _ body: (Pointer, sqlite3_io_methods) -> Int32
  ) -> Int32 {
    guard let file = unsafe file else { return SQLITE_MISUSE }
    let base = unsafe base(of: file)
    return unsafe body(base, base.pointee.pMethods.pointee)
  }

  /// Calls a method of the underlying file after writing all waiting bytes.
  private static func askFlushed(
    _ file: Pointer?, _ body: (Pointer, sqlite3_io_methods) -> Int32
  ) -> Int32 {
    guard let file = unsafe file else { return SQLITE_MISUSE }
    let code = unsafe flush(file)
    return unsafe code == SQLITE_OK ? ask(file, body) : code
  }

  /// The address of the method table, which exists until the process ends.
  private static let methods: UInt = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: sqlite3_io_methods())
    unsafe methods.pointee.iVersion = 1
    unsafe methods.pointee.xClose = { file in
      guard let file = unsafe file else { return SQLITE_MISUSE }
      return unsafe GatheringFile.close(file)
    }
    unsafe methods.pointee.xRead = { file, bytes, count, offset in
      unsafe GatheringFile.askFlushed(file) { unsafe $1.xRead($0, bytes, count, offset) }
    }
    unsafe methods.pointee.xWrite = { file, bytes, count, offset in
      guard let file = unsafe file else { return SQLITE_MISUSE }
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
      return unsafe GatheringFile.write(file, bytes, at: offset)
    }
    unsafe methods.pointee.xTruncate = { file, size in
      unsafe GatheringFile.askFlushed(file) { unsafe $1.xTruncate($0, size) }
    }
    unsafe methods.pointee.xSync = { file, flags in
      unsafe GatheringFile.askFlushed(file) { unsafe $1.xSync($0, flags) }
    }
    unsafe methods.pointee.xFileSize = { file, size in
      unsafe GatheringFile.askFlushed(file) { unsafe $1.xFileSize($0, size) }
    }
    unsafe methods.pointee.xLock = { file, level in
      unsafe GatheringFile.ask(file) { unsafe $1.xLock($0, level) }
    }
    unsafe methods.pointee.xUnlock = { file, level in
      unsafe GatheringFile.ask(file) { unsafe $1.xUnlock($0, level) }
    }
    unsafe methods.pointee.xCheckReservedLock = { file, held in
      unsafe GatheringFile.ask(file) { unsafe $1.xCheckReservedLock($0, held) }
    }
    unsafe methods.pointee.xFileControl = { file, operation, argument in
      unsafe GatheringFile.askFlushed(file) { unsafe $1.xFileControl($0, operation, argument) }
    }
    unsafe methods.pointee.xSectorSize = { file in
      unsafe GatheringFile.ask(file) { unsafe $1.xSectorSize($0) }
    }
    unsafe methods.pointee.xDeviceCharacteristics = { file in
      unsafe GatheringFile.ask(file) { unsafe $1.xDeviceCharacteristics($0) }
    }
    return UInt(bitPattern: methods)
  }()
}
