/// The file and directory operations that a journal needs.
///
/// A power cut may undo a change that has not been flushed. The bytes of a file are flushed by ``flush(_:)``, and the
/// names in a directory by ``flushDirectory(_:)``. After a failed flush, the state of the bytes is unknown, and
/// flushing again does not recover them.
public protocol Disk: Sendable {
  /// Opens a plain file; fails if the last component of the path is a symbolic link.
  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken

  /// Reads up to `count` bytes; returns fewer bytes only at the end of the file.
  func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8]

  /// Writes all the bytes; if there is a gap before them, it reads as zeros.
  ///
  /// If the call throws, a prefix of the bytes may have been written.
  func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError)

  /// Returns the size of the file in bytes.
  func size(_ file: FileToken) throws(DiskError) -> Int

  /// Truncates the file to a size, or extends it with zeros.
  func truncate(_ file: FileToken, to size: Int) throws(DiskError)

  /// Asks the system to start writing bytes that a later flush will wait for.
  ///
  /// The call returns immediately. If a disk cannot start early, the flush does all the work.
  func beginWriting(_ file: FileToken, at offset: Int, count: Int) throws(DiskError)

  /// Flushes the bytes of the file, which survive a power cut once the call has returned.
  func flush(_ file: FileToken) throws(DiskError)

  /// Drops the cached bytes of the given file, so that the next read returns the bytes on the disk.
  ///
  /// Bytes that have not yet been flushed remain cached. After a failed flush, the cache and the disk may differ.
  func forgetCached(_ file: FileToken) throws(DiskError)

  /// Closes a file and releases its lock; the token is then invalid, even if the call throws.
  func close(_ file: FileToken) throws(DiskError)

  /// Returns the status of the entry at the given path, or nil if there is none.
  func status(_ path: Path) throws(DiskError) -> FileStatus?

  /// Returns the status of each of the given entries of a directory, or nil for each missing entry.
  ///
  /// The names come from ``list(_:)``. The default implementation asks for each entry by its path.
  func statuses(of names: [String], in directory: Path) throws(DiskError) -> [FileStatus?]

  /// Returns the names in the given directory, sorted by their bytes, without `.` and `..`.
  func list(_ directory: Path) throws(DiskError) -> [String]

  /// Returns the names in the given directory like ``list(_:)``, or nil if there are more than `limit`.
  func list(_ directory: Path, atMost limit: Int) throws(DiskError) -> [String]?

  /// Moves a file or directory atomically, replacing a file at the destination.
  ///
  /// Errors of the move itself name the old path. An error that concerns the destination may name the destination.
  func rename(_ from: Path, to destination: Path) throws(DiskError)

  /// Removes a file.
  func remove(_ path: Path) throws(DiskError)

  /// Removes an empty directory.
  func removeDirectory(_ path: Path) throws(DiskError)

  /// Creates one directory; does nothing if the directory exists.
  ///
  /// Only its owner has access to the directory, unless the disk is confined to a folder that others may write to.
  func makeDirectory(_ path: Path) throws(DiskError)

  /// Flushes the names in the directory, which survive a power cut once the call has returned.
  func flushDirectory(_ path: Path) throws(DiskError)

  /// Takes the lock of a file, or returns nil if another token holds it.
  ///
  /// The call creates the file if it is missing, and may write the holder's process id to it, in decimal with a line
  /// feed. The lock is released when the token is closed or the process ends. The next holder receives the bytes that
  /// the file contains at that time.
  func lock(_ path: Path) throws(DiskError) -> HeldLock?

  /// Returns properties of the file system that contains the given path, or nil if the disk cannot determine them.
  func volume(of path: Path) throws(DiskError) -> Volume?

  /// Returns the reason why the user may not add or remove entries of a directory; nil if the disk knows of none.
  ///
  /// The call changes nothing, so it does not notice a disk that is full or broken.
  func refusal(ofChangesIn directory: Path) throws(DiskError) -> DiskFault?

  /// Starts watching the entries of a directory; the watch reports all later changes.
  func watch(_ directory: Path) throws(DiskError) -> any Watch

  /// Returns the part of the disk inside the given folder, for paths that are chosen by others.
  ///
  /// The paths of this part begin with the path of the folder. The folder itself may be reached through links, and need
  /// not exist yet. Below the folder, no symbolic link and no `..` is followed, even if other processes change the
  /// folder at the same time. Such paths fail with ``DiskFault/link`` or ``DiskFault/outside``.
  func confined(to folder: Path) -> any Disk

  /// Whether files exist only in the memory of this process, so that no other library can open them by their paths.
  var isInMemory: Bool { get }
}

extension Disk {
  /// False, because the files are in the file system of the operating system.
  public var isInMemory: Bool { false }

  /// Does nothing, because the flush does all the work.
  public func beginWriting(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) {}

  /// Returns nil.
  public func volume(of path: Path) throws(DiskError) -> Volume? { nil }

  /// Returns nil, because a disk has no permissions by default.
  public func refusal(ofChangesIn directory: Path) throws(DiskError) -> DiskFault? { nil }

  /// Asks for the status of each entry by its path.
  public func statuses(
    of names: [String], in directory: Path
  ) throws(DiskError) -> [FileStatus?] {
    var statuses: [FileStatus?] = []
    for name in names { statuses.append(try status(directory / name)) }
    return statuses
  }

  /// Lists all the names, and then compares their number with the limit.
  public func list(_ directory: Path, atMost limit: Int) throws(DiskError) -> [String]? {
    let names = try list(directory)
    return names.count > limit ? nil : names
  }

  /// Checks paths by their text, which is enough for a disk without links.
  public func confined(to folder: Path) -> any Disk { ConfinedDisk(self, to: folder) }

  /// Throws ``DiskFault/unsupported``.
  public func watch(_ directory: Path) throws(DiskError) -> any Watch {
    throw DiskError(.watch, directory, .unsupported)
  }
}

/// The mode in which a file is opened.
public enum Access: Hashable, Sendable {
  /// An existing file, for reading.
  case read
  /// An existing file, for reading and writing.
  case write
  /// A new file, for reading and writing; fails if the path exists.
  ///
  /// Only its owner has access to the file, unless the disk is confined to a folder that others may write to.
  case create
}

/// Identifies an open file in calls to the disk that opened it.
///
/// A token does not close its file. ``OpenFile`` does so.
public struct FileToken: Hashable, Sendable {
  /// A number that the disk never uses again.
  public let number: Int32

  /// Creates a token; for implementations of ``Disk``.
  public init(number: Int32) { self.number = number }
}

/// A file lock.
public struct HeldLock: Sendable {
  /// The file, open for writing; closing it releases the lock.
  public let token: FileToken
  /// The content of the file before the lock was taken, limited to ``mostFound`` bytes.
  public let found: [UInt8]

  /// The maximum number of bytes in ``found``.
  public static let mostFound = 64

  /// Creates a lock; for implementations of ``Disk``.
  public init(_ token: FileToken, found: [UInt8]) { (self.token, self.found) = (token, found) }
}

/// The properties of the entry at a path.
public struct FileStatus: Hashable, Sendable {
  /// The type of an entry.
  public enum Kind: Hashable, Sendable {
    /// A plain file.
    case file
    /// A directory.
    case directory
    /// A symbolic link, device, pipe or socket.
    case other
  }

  /// The type of the entry.
  public var kind: Kind
  /// The size of a plain file in bytes; for other entries, the size that the system reports.
  public var size: Int
  /// The time of the last change to the bytes, which programs can set.
  public var modified: Moment
  /// The time of the last change to the bytes or to the status, which programs cannot set; nil if the disk does not
  /// record it.
  public var changed: Moment?
  /// The twelve permission bits.
  public var permissions: UInt16
  /// Whether the entry belongs to the current user.
  public var isOwn: Bool

  /// Creates a status; for implementations of ``Disk``.
  public init(
    kind: Kind, size: Int, modified: Moment, changed: Moment? = nil, permissions: UInt16,
    isOwn: Bool = true
  ) {
    self.kind = kind
    self.size = size
    self.modified = modified
    self.changed = changed
    self.permissions = permissions
    self.isOwn = isOwn
  }
}
