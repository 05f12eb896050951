import Daybook
import Platform
import Syncing

/// Checks whether a file may be written at a path.
struct DestinationCheck {
  let disk: any Disk

  /// Refuses to replace an existing file unless `isForced` is set or `mayGo` returns true.
  ///
  /// Existing files that are not regular files are always refused, and so is each path in a folder inside a book, where
  /// the file would be taken for one of the book's own, or for damage.
  func check(
    _ path: Path, isForced: Bool, or mayGo: () throws -> Bool = { false }
  ) throws {
    if let book = EnclosingBook(around: path.parent, on: disk) {
      throw DaybookError.sync(.insideABook(path, book: book.folder))
    }
    guard let status = try disk.status(path) else { return }
    guard status.kind == .file else {
      throw ConsoleError.noPlainFile(path, isFolder: status.kind == .directory)
    }
    if isForced { return }
    guard try mayGo() else { throw ConsoleError.fileExists(path) }
  }
}
