/// The properties of a file system that matter for durable files.
public struct Volume: Hashable, Sendable {
  /// The number of bytes that the user can still write.
  public var freeBytes: Int
  /// Whether other machines may be using the file system.
  public var isRemote: Bool

  /// Creates a volume; for implementations of ``Disk``.
  public init(freeBytes: Int, isRemote: Bool) {
    self.freeBytes = freeBytes
    self.isRemote = isRemote
  }
}
