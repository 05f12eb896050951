import Platform

/// Decides whether a file may be written where the user has said.
struct DestinationCheck {
  let disk: any Disk

  /// Refuses to replace a file, unless that is meant or it may go, and what is no plain file in any case.
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
