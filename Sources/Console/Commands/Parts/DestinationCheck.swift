import Platform

/// Checks whether a file may be written at a path.
struct DestinationCheck {
  let disk: any Disk

  /// Refuses to replace an existing file unless `isForced` is set or `mayGo` returns true.
  ///
  /// Existing files that are not regular files are always refused.
  func check(
    _ path: Path, isForced: Bool, or mayGo: () throws -> Bool = { false }
  ) throws {
    guard let status = try disk.status(path) else { return }
    guard status.kind == .file else {
      throw ConsoleError.noPlainFile(path, isFolder: status.kind == .directory)
    }
    if isForced { return }
    guard try mayGo() else { throw ConsoleError.fileExists(path) }
  }
}
