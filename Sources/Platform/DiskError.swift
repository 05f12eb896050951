/// The error of a failed disk call, which consists of the operation, the path and the reason.
public struct DiskError: Error, Hashable, Sendable {
  /// The call that failed.
  public var operation: DiskOperation
  /// The path that was passed to the call; empty if the disk did not issue the token.
  public var path: Path
  /// The reason for the failure.
  public var reason: DiskFault

  /// Creates an error; for implementations of ``Disk``.
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

/// The reason why a disk call failed.
public enum DiskFault: Hashable, Sendable {
  /// There is no entry at the path, or its directory is missing.
  case notFound
  /// There is already an entry at the path.
  case exists
  /// The user lacks permission.
  case permission
  /// The disk is full, or the user's quota or file size limit has been reached.
  case full
  /// The file system is read-only, or the token is for reading only.
  case readOnly
  /// The hardware reported an error.
  case io
  /// A path component that must be a directory is not a directory.
  case notADirectory
  /// The entry is a directory, but a file was expected.
  case isADirectory
  /// Too many files are open.
  case tooManyOpen
  /// The directory is not empty.
  case notEmpty
  /// Any other reason, as a Linux error number.
  case other(Int32)

  /// The token has been closed, or a crash has invalidated it (EBADF).
  public static let closed = DiskFault.other(9)
  /// The file is larger than the caller's limit (EFBIG).
  public static let tooLarge = DiskFault.other(27)
  /// The path is not valid for the call (EINVAL).
  public static let invalid = DiskFault.other(22)
  /// The path contains a symbolic link where links are not followed (ELOOP).
  public static let link = DiskFault.other(40)
  /// The path refers to an entry outside the folder to which the disk is confined (EXDEV).
  public static let outside = DiskFault.other(18)
  /// The disk does not support the call (ENOSYS).
  public static let unsupported = DiskFault.other(38)
}
