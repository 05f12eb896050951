/// Files and directories, as little of them as a journal needs.
///
/// What a call did may be lost in a power cut until it is flushed: a file's bytes by ``flush(_:)``,
/// a directory's names by ``flushDirectory(_:)``. After a failed flush the bytes it should have kept
/// are in doubt for ever, and flushing again does not bring them back.
public protocol Disk: Sendable {
  /// Opens a plain file; a symbolic link at the end of the path is refused.
  func open(_ path: Path, _ access: Access) throws(DiskError) -> FileToken

  /// Reads bytes; fewer than asked for only where the file ends.
  func read(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) -> [UInt8]

  /// Writes all the bytes; a gap before them reads as zeros.
  ///
  /// When it throws, some of the first bytes may have been written.
  func write(_ file: FileToken, _ bytes: [UInt8], at offset: Int) throws(DiskError)

  /// How many bytes the file holds.
  func size(_ file: FileToken) throws(DiskError) -> Int

  /// Cuts the file to a size, or pads it with zeros.
  func truncate(_ file: FileToken, to size: Int) throws(DiskError)

  /// Has the system begin to write bytes that a flush is going to wait for.
  ///
  /// It returns at once; a disk that cannot begin early leaves all to the flush.
  func beginWriting(_ file: FileToken, at offset: Int, count: Int) throws(DiskError)

  /// Returns when the file's bytes will survive a power cut.
  func flush(_ file: FileToken) throws(DiskError)

  /// Lets go of the file's bytes in memory, so that the next reading shows what the disk has.
  ///
  /// Bytes that wait to be flushed stay. After a failed flush, memory and disk may differ.
  func forgetCached(_ file: FileToken) throws(DiskError)

  /// Ends the use of a file and releases its lock; the token is dead even when this throws.
  func close(_ file: FileToken) throws(DiskError)

  /// What lies at a path, or nil when nothing does.
  func status(_ path: Path) throws(DiskError) -> FileStatus?

  /// The names in a directory, sorted by their bytes, without `.` and `..`.
  func list(_ directory: Path) throws(DiskError) -> [String]

  /// The names in a directory as ``list(_:)`` gives them, or nil where there are more than a limit.
  func list(_ directory: Path, atMost limit: Int) throws(DiskError) -> [String]?

  /// Moves a file or directory in one step, in the place of a file that was there.
  ///
  /// Errors name the path it should have left.
  func rename(_ from: Path, to destination: Path) throws(DiskError)

  /// Removes a file.
  func remove(_ path: Path) throws(DiskError)

  /// Removes an empty directory.
  func removeDirectory(_ path: Path) throws(DiskError)

  /// Makes one directory for its owner alone; a directory that exists is left as it is.
  func makeDirectory(_ path: Path) throws(DiskError)

  /// Returns when the directory's names will survive a power cut.
  func flushDirectory(_ path: Path) throws(DiskError)

  /// Takes a file's lock, or returns nil while another token holds it.
  ///
  /// The file is made when missing and tells the holder's process number in decimal, with a line
  /// feed, or nothing where the disk has no room for that. Closing the token releases the lock, as
  /// does the end of the process; what the holder has written into the file before that, the next one finds.
  func lock(_ path: Path) throws(DiskError) -> HeldLock?

  /// What there is to know of the file system a path lies on, or nil when the disk cannot tell.
  func volume(of path: Path) throws(DiskError) -> Volume?

  /// Begins to watch the entries of a directory; what happens from now on is told.
  func watch(_ directory: Path) throws(DiskError) -> any Watch

  /// The part of the disk that lies in a folder, for paths that are chosen by others.
  ///
  /// Its paths begin with that of the folder, which may itself be reached over links and need not
  /// be there yet. Below it nothing is reached over a symbolic link or `..`, whoever changes the
  /// folder meanwhile: such paths fail with ``DiskFault/link`` or ``DiskFault/outside``.
  func confined(to folder: Path) -> any Disk
}

extension Disk {
  /// Leaves all to the flush.
  public func beginWriting(_ file: FileToken, at offset: Int, count: Int) throws(DiskError) {}

  /// Knows nothing of file systems.
  public func volume(of path: Path) throws(DiskError) -> Volume? { nil }

  /// Counts the names when they have been read.
  public func list(_ directory: Path, atMost limit: Int) throws(DiskError) -> [String]? {
    let names = try list(directory)
    return names.count > limit ? nil : names
  }

  /// Goes by what paths say, as is enough for a disk without links.
  public func confined(to folder: Path) -> any Disk { ConfinedDisk(self, to: folder) }

  /// Cannot watch anything.
  public func watch(_ directory: Path) throws(DiskError) -> any Watch {
    throw DiskError(.watch, directory, .unsupported)
  }
}

/// How a file is opened.
public enum Access: Hashable, Sendable {
  /// An existing file, to read only.
  case read
  /// An existing file, to read and write.
  case write
  /// A file that must not exist yet, to read and write, for its owner alone.
  case create
}

/// Stands for an open file in the calls of the disk that opened it.
///
/// It owns nothing: ``OpenFile`` closes by itself.
public struct FileToken: Hashable, Sendable {
  /// A number the disk gives once only.
  public let number: Int32

  /// Made by disks.
  public init(number: Int32) { self.number = number }
}

/// A lock on a file, as it is held.
public struct HeldLock: Sendable {
  /// The file, open to be written; closing it releases the lock.
  public let token: FileToken
  /// What the file told before it was taken, as far as ``mostFound``.
  public let found: [UInt8]

  /// So many bytes are found at most.
  public static let mostFound = 64

  /// Made by disks.
  public init(_ token: FileToken, found: [UInt8]) { (self.token, self.found) = (token, found) }
}

/// What lies at a path.
public struct FileStatus: Hashable, Sendable {
  /// The sort of thing a path names.
  public enum Kind: Hashable, Sendable {
    /// A plain file.
    case file
    /// A directory.
    case directory
    /// A symbolic link, device, pipe or socket.
    case other
  }

  /// What it is.
  public var kind: Kind
  /// How many bytes a plain file holds; of anything else, whatever the system says.
  public var size: Int
  /// When the bytes last changed.
  public var modified: Moment
  /// The twelve permission bits.
  public var permissions: UInt16
  /// Whether it belongs to the user who asks.
  public var isOwn: Bool

  /// Made by disks.
  public init(
    kind: Kind, size: Int, modified: Moment, permissions: UInt16, isOwn: Bool = true
  ) {
    self.kind = kind
    self.size = size
    self.modified = modified
    self.permissions = permissions
    self.isOwn = isOwn
  }
}
