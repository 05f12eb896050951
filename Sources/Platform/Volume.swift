/// A file system, as far as it matters for files that are to last.
public struct Volume: Hashable, Sendable {
  /// How many bytes the user may still write.
  public var freeBytes: Int
  /// Whether other machines may have it in use.
  public var isRemote: Bool

  /// Made by disks.
  public init(freeBytes: Int, isRemote: Bool) {
    self.freeBytes = freeBytes
    self.isRemote = isRemote
  }
}
