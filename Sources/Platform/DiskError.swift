/// What a disk could not do, where, and why.
public struct DiskError: Error, Hashable, Sendable {
  /// The call that failed.
  public var operation: DiskOperation
  /// The path it was about; empty when a token is unknown to the disk.
  public var path: Path
  /// Why it failed.
  public var reason: DiskFault

  /// Made by disks.
  public init(_ operation: DiskOperation, _ path: Path, _ reason: DiskFault) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }
}

/// The calls of a disk, by name.
public enum DiskOperation: String, Hashable, Sendable, CaseIterable {
  case open, read, write, size, truncate, flush, forgetCached, close
  case status, list, rename, remove, removeDirectory, makeDirectory, flushDirectory, lock
  case volume, watch
}

/// Why a disk could not do something.
public enum DiskFault: Hashable, Sendable {
  /// Nothing is at the path, or its directory is missing.
  case notFound
  /// Something is at the path already.
  case exists
  /// The user may not.
  case permission
  /// No space is left, or the user's share of it is used up.
  case full
  /// The file system, or the token, is for reading only.
  case readOnly
  /// The hardware failed.
  case io
  /// A file stands where a directory was needed.
  case notADirectory
  /// A directory stands where a file was needed.
  case isADirectory
  /// Too many files are open.
  case tooManyOpen
  /// The directory has entries.
  case notEmpty
  /// Any other reason, by its Linux error number.
  case other(Int32)

  /// The token was closed, or a crash ended it (EBADF).
  public static let closed = DiskFault.other(9)
  /// The file is larger than the caller's limit, or than files may be (EFBIG).
  public static let tooLarge = DiskFault.other(27)
  /// The path makes no sense for the call (EINVAL).
  public static let invalid = DiskFault.other(22)
  /// A symbolic link is in the way, and none is followed (ELOOP).
  public static let link = DiskFault.other(40)
  /// The path leads out of the folder it has to stay in (EXDEV).
  public static let outside = DiskFault.other(18)
  /// The disk has no such call (ENOSYS).
  public static let unsupported = DiskFault.other(38)
}
